// What the picker offers for what was typed.
import { ChevronRight, Hash } from 'lucide-react';
import type { ReactNode } from 'react';
import { displayPath } from '../../lib/std/paths';
import { allTabs } from '../editor/editor-sides';
import { FileIcon } from '../files/file-icon';
import { type Command, commandKeys } from '../ide/commands';
import type { PickerMode, Workbench } from '../ide/workbench';
import { isNarrow } from '../ui/use-narrow';
import { rankFuzzy } from './fuzzy';

export interface PickerItem {
  id: string;
  icon: ReactNode;
  text: string;
  /** Indices in `text` that were typed. */
  positions: readonly number[];
  detail?: string;
  keys?: string;
  run: () => void;
}

interface PickerQuestion {
  query: string;
  mode: NonNullable<PickerMode>;
  /** Absolute paths. */
  files: readonly string[];
  commands: readonly Command[];
  workbench: Workbench;
}

const limit = 50;

/** Best first. With nothing typed: open files, then (for everything) commands, then the rest. */
export function pickerItems({ query, mode, files, commands, workbench }: PickerQuestion): PickerItem[] {
  if (query.startsWith('>')) return commandItems(query.slice(1), commands);
  const { documents, sandbox } = workbench;
  const [name = '', line] = query.split(/:(?=\d*$)/);
  const at = line ? { line: Number(line) } : undefined;
  if (name === '' && at) {
    const active = documents.active.get();
    if (active === undefined) return [];
    const run = () => void documents.open(active, at);
    return [
      { id: 'line', icon: <Hash size={16} aria-hidden="true" />, text: `Go to line ${at.line}`, positions: [], run },
    ];
  }
  const open = allTabs(documents.sides.get());
  const ordered = [...open, ...files.filter((path) => !open.includes(path))].map((path) =>
    displayPath(path, sandbox.workdir),
  );
  const fileItems = rankFuzzy(name, ordered, (path) => path, mode === 'all' && name === '' ? 6 : limit).map(
    ({ item: path, match }): PickerItem => ({
      id: `file ${path}`,
      icon: <FileIcon name={path} kind="file" />,
      text: path,
      positions: match.positions,
      run: () => {
        const absolute = path.startsWith('/') ? path : `${sandbox.workdir}/${path}`;
        void documents.open(absolute, at).then(() => workbench.showPanel('editor'));
      },
    }),
  );
  if (mode === 'files') return fileItems;
  return [...fileItems.slice(0, 12), ...commandItems(name, commands)];
}

function commandItems(query: string, commands: readonly Command[]): PickerItem[] {
  const narrow = isNarrow();
  const own = commands.filter(({ id, wideOnly }) => !id.startsWith('picker.') && !(wideOnly && narrow));
  return rankFuzzy(query, own, (command) => command.title, limit).map(({ item, match }) => ({
    id: item.id,
    icon: <ChevronRight size={16} aria-hidden="true" />,
    text: item.title,
    positions: match.positions,
    keys: commandKeys(item),
    run: item.run,
  }));
}
