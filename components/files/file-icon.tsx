// A small sign of what a file is; decorative, the name says it.
import { Braces, File, FileCode, FileText, Folder, FolderOpen, Image, Settings2 } from 'lucide-react';
import type { FileKind } from '../../lib/sandbox/sandbox';

const byExtension: [RegExp, typeof File][] = [
  [/\.(jsonc?|json5|webmanifest)$/i, Braces],
  [/\.([cm]?[jt]sx?|html?|css|s[ac]ss|less|vue|svelte|astro|py|rb|go|rs|sh|sql|c|h|cpp|java|php|svg|xml)$/i, FileCode],
  [/\.(md|mdx|txt|log|csv)$|^(license|readme|authors|changelog)/i, FileText],
  [/\.(png|jpe?g|gif|webp|avif|ico|bmp)$/i, Image],
  [/^\.|\.(ya?ml|toml|ini|env)$|config\./i, Settings2],
];

/** 16 pixels. */
export function FileIcon({ name, kind, expanded }: { name: string; kind: FileKind; expanded?: boolean }) {
  const Icon =
    kind === 'directory'
      ? expanded
        ? FolderOpen
        : Folder
      : (byExtension.find(([pattern]) => pattern.test(name))?.[1] ?? File);
  return <Icon size={16} className="file-icon" data-kind={kind} aria-hidden="true" />;
}
