// All that the project brings as one list: its files for agents and the MCP servers that they name. One word per item, for what was shown.
import { useMemo } from 'react';
import type { BroughtFile, BroughtKind } from '../../lib/config/scan-project';
import { serverPath } from '../../lib/config/trust';
import { useStore } from '../ui/store';
import { kindLine, serverNote } from './brought-words';
import { useConversations } from './chat-context';
import type { Conversations } from './conversations';
import type { BroughtServer } from './mcp-project';
import { serverLine } from './mcp-words';
import { useCustoms } from './use-customs';

/** One thing to say yes or no to. */
export interface BroughtItem {
  /** Of this very content: what changed is another item. */
  key: string;
  kind: BroughtKind | 'server';
  /** A path, or a server's name. */
  name: string;
  note: string;
  /** What would be run or reached. */
  line?: string;
  /** The file in which it can be read. */
  file: string;
  /** The person's word; undefined: not asked yet. */
  use: boolean | undefined;
  /** It makes something run or reach out by itself: never ticked for the person. */
  runs: boolean;
  of: { kind: 'file'; file: BroughtFile } | { kind: 'server'; server: BroughtServer };
}

/** Files first, in the order in which they are read. A server that the project turned off is nothing to ask about. */
export function useBrought(): BroughtItem[] {
  const { mcp } = useConversations();
  const { files, used, open } = useCustoms();
  const { listed } = useStore(mcp.list);
  return useMemo(() => {
    const items = files.map(
      (file): BroughtItem => ({
        key: `${file.path} ${file.hash}`,
        kind: file.kind,
        name: file.path,
        note: kindLine(file),
        file: file.path,
        use: used.includes(file) ? true : open.includes(file) ? undefined : false,
        runs: file.kind === 'tool' || file.kind === 'plugin',
        of: { kind: 'file', file },
      }),
    );
    for (const server of listed)
      if (server.kind === 'brought' && server.config.enabled)
        items.push({
          key: `${serverPath(server.config.name)} ${server.hash}`,
          kind: 'server',
          name: server.config.name,
          note: serverNote(server),
          line: serverLine(server.config),
          file: server.file,
          use: server.use,
          runs: true,
          of: { kind: 'server', server },
        });
    return items;
  }, [files, used, open, listed]);
}

/** Keeps the person's word on items as they were shown. Rejects when the project can't be read. */
export async function decideBrought(
  { customs, mcp }: Pick<Conversations, 'customs' | 'mcp'>,
  decisions: readonly { item: BroughtItem; use: boolean }[],
): Promise<void> {
  mcp.decide(decisions.flatMap(({ item: { of }, use }) => (of.kind === 'server' ? [{ server: of.server, use }] : [])));
  await customs.decide(
    decisions.flatMap(({ item: { of }, use }) => (of.kind === 'file' ? [{ file: of.file, use }] : [])),
  );
}
