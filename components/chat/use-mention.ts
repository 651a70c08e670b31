// The life of an `@` completion: the list of files is asked for when the first `@` is typed, and not before.
import {
  type Dispatch,
  type KeyboardEvent,
  type RefObject,
  type SetStateAction,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { displayPath } from '../../lib/std/paths';
import { useWorkbench } from '../ide/workbench-context';
import { type MentionItem, type MentionWord, mentionAt, mentionItems, slashAt, withMention } from './mention';
import { useCustoms } from './use-customs';
import { useMcpNames } from './use-mcp-names';

export interface Mention {
  items: MentionItem[];
  index: number;
  listId: string;
  /** The id of the marked option. */
  activeId: string | undefined;
  optionId(index: number): string;
  choose(item: MentionItem): void;
  close(): void;
  onSelect(): void;
  /** True when the key was for the list. */
  onKey(event: KeyboardEvent): boolean;
}

/** Completes in `field`. */
export function useMention(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: Dispatch<SetStateAction<string>>,
): Mention {
  const { sandbox } = useWorkbench();
  const [word, setWord] = useState<MentionWord>();
  const [paths, setPaths] = useState<string[]>([]);
  const [chosen, setChosen] = useState(0);
  const closedAt = useRef<number>(undefined);
  const listId = useId();
  const active = word !== undefined;
  const { commands, agents } = useCustoms();
  const { prompts, resources } = useMcpNames();

  useEffect(() => {
    if (!active) return;
    const stopped = new AbortController();
    sandbox.search.files({ path: sandbox.workdir, pattern: '**', maxResults: 20_000, signal: stopped.signal }).then(
      (found) => setPaths(found.paths.map((path) => displayPath(path, sandbox.workdir))),
      () => {},
    );
    return () => stopped.abort();
  }, [sandbox, active]);

  const isCommand = word !== undefined && text[word.start] === '/';
  const items = useMemo(() => {
    if (!word) return [];
    if (isCommand) return noted(word.query, '/', [...commands, ...prompts]);
    const subagents = agents.filter((agent) => agent.mode !== 'primary');
    // A server may have hundreds of resources: files keep their room.
    return [
      ...noted(word.query, '@', subagents),
      ...noted(word.query, '@', resources).slice(0, word.query.includes(':') ? 8 : 3),
      ...mentionItems(word.query, paths),
    ].slice(0, 8);
  }, [word, isCommand, paths, commands, agents, prompts, resources]);
  const index = Math.min(chosen, Math.max(0, items.length - 1));
  const optionId = (at: number) => `${listId}-${at}`;
  const close = () => setWord(undefined);

  const onSelect = () => {
    const element = field.current;
    if (!element) return;
    const next =
      element.selectionStart === element.selectionEnd
        ? (slashAt(element.value, element.selectionStart) ?? mentionAt(element.value, element.selectionStart))
        : undefined;
    if (next?.start !== closedAt.current) closedAt.current = undefined;
    setWord((now) => {
      if (next === undefined || next.start === closedAt.current) return undefined;
      return now?.start === next.start && now.query === next.query ? now : next;
    });
    if (next?.query !== word?.query) setChosen(0);
  };

  const choose = (item: MentionItem) => {
    const element = field.current;
    if (!element || !word) return;
    const next = withMention(text, word, item.path);
    setText(next.text);
    close();
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(next.cursor, next.cursor);
    });
  };

  const onKey = (event: KeyboardEvent): boolean => {
    if (items.length === 0) return false;
    const moves: Record<string, () => void> = {
      ArrowDown: () => setChosen((index + 1) % items.length),
      ArrowUp: () => setChosen((index - 1 + items.length) % items.length),
      Enter: () => choose(items[index]!),
      Tab: () => choose(items[index]!),
      Escape: () => {
        closedAt.current = word?.start;
        close();
      },
    };
    const move = moves[event.key];
    if (!move || event.shiftKey) return false;
    event.preventDefault();
    event.stopPropagation();
    move();
    return true;
  };

  return {
    items,
    index,
    listId,
    activeId: items.length > 0 ? optionId(index) : undefined,
    optionId,
    choose,
    close,
    onSelect,
    onKey,
  };
}

/** Agents, commands and the like whose name fits, with their sign. */
function noted(query: string, sign: '@' | '/', all: readonly { name: string; description: string }[]): MentionItem[] {
  const names = all.map((one) => one.name);
  return mentionItems(query, names).map(({ path, positions }) => ({
    path: sign + path,
    positions: positions.map((at) => at + 1),
    note: all.find((one) => one.name === path)?.description ?? '',
  }));
}
