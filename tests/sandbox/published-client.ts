// The client that others have published for pages that embed a computer, as a script for such a page.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A script that defines `api`: everything that `@webcontainer/api` exports. */
export async function bundlePublishedClient(): Promise<string> {
  const bundled = await build({
    stdin: {
      contents: "export * from '@webcontainer/api'",
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'api',
    target: 'es2023',
  });
  return bundled.outputFiles[0]!.text;
}
