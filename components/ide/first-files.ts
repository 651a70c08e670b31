// What the editor shows when a project opens: what was open last time, else what the template says, else what a reader would want first.
import { findTemplate } from '../../lib/project/templates';
import { joinPath } from '../../lib/std/paths';
import { rememberedTabs } from './remember-tabs';
import type { Workbench } from './workbench';

const inviting = [
  'README.md',
  'index.ts',
  'index.js',
  'src/index.ts',
  'src/index.js',
  'server.js',
  'index.html',
  'package.json',
];

/** Opens the tabs of a project that was just started. */
export async function openFirstFiles({ documents, sandbox, project }: Workbench, firstFile?: string): Promise<void> {
  const { fs, workdir } = sandbox;
  const before = await rememberedTabs(project.get().id, (path) => fs.exists(path).catch(() => false));
  if (before) return documents.restore(before);
  const wanted = [firstFile, findTemplate(project.get().template)?.open, ...inviting];
  for (const file of wanted) {
    if (file === undefined) continue;
    const path = joinPath(workdir, file);
    if (await fs.exists(path)) return documents.open(path);
  }
}
