// One tool call as a line: verb, object, state, time. Words first: the icon and the colour only repeat them.

import type { ToolPart, ToolState } from '../../lib/session/messages';
import { byName } from '../../lib/std/by-name';
import { counted } from '../../lib/std/counted';
import { isRecord } from '../../lib/std/json';
import { baseName } from '../../lib/std/paths';
import { visibleText } from '../../lib/std/visible-text';

export type ToolTone = 'plain' | 'working' | 'waiting' | 'bad';

export interface ToolLine {
  /** `Ran`, `Running`; of a tool that is not ours, its name. */
  verb: string;
  /** A path, a command, a pattern; may be empty while the input still arrives. */
  object: string;
  /** `exit 1`, `12 matches`, `waits for you`; may be empty. */
  state: string;
  tone: ToolTone;
  /** Milliseconds it took, once it is over. */
  durationMs?: number;
  /** A file of the project that the line is about. */
  file?: string;
}

const verbs: Record<string, [doing: string, done: string]> = byName({
  bash: ['Running', 'Ran'],
  read: ['Reading', 'Read'],
  write: ['Writing', 'Wrote'],
  edit: ['Editing', 'Edited'],
  multiedit: ['Editing', 'Edited'],
  apply_patch: ['Patching', 'Patched'],
  grep: ['Searching', 'Searched'],
  glob: ['Listing', 'Listed'],
  job: ['Looking after', 'Looked after'],
  lsp: ['Looking up', 'Looked up'],
  todo: ['Planning', 'Planned'],
  question: ['Asking', 'Asked'],
  task: ['Delegating', 'Delegated'],
  webfetch: ['Fetching', 'Fetched'],
  websearch: ['Searching the web:', 'Searched the web:'],
  codesearch: ['Searching public code:', 'Searched public code:'],
  execute: ['Running a program:', 'Ran a program:'],
  skill: ['Reading the skill', 'Read the skill'],
});

/** The line of a call in any state. */
export function toolLine(part: ToolPart): ToolLine {
  const [doing, done] = verbs[part.tool] ?? [part.tool, part.tool];
  const over = part.state === 'done' || part.state === 'error' || part.state === 'interrupted';
  const isAtWork = part.state === 'running' || part.state === 'streaming-input';
  const ran = over && part.startedAtMs !== undefined && part.endedAtMs !== undefined;
  const file = fileOf(part);
  return {
    verb: part.state === 'done' ? (doneVerb(part) ?? done) : isAtWork ? doing : baseVerb(part),
    object: visibleText((answersOf(part) ?? part.title ?? objectOf(part)).split('\n')[0]!),
    state: stateOf(part),
    tone: toneOf(part),
    ...(ran ? { durationMs: Math.max(0, part.endedAtMs! - part.startedAtMs!) } : {}),
    ...(file === undefined ? {} : { file }),
  };
}

/** What was done, where the tool's usual word would not be true. */
function doneVerb({ tool, meta }: ToolPart): string | undefined {
  if (tool === 'lsp') return hasDiff(meta) ? 'Edited' : undefined;
  if (meta?.change === 'created') return 'Created';
  return tool === 'bash' && meta?.job !== undefined ? 'Started' : undefined;
}

function hasDiff(meta: ToolPart['meta']): boolean {
  return meta?.diff !== undefined || Array.isArray(meta?.files);
}

/** For a call that did not begin or did not get to its end: `Run`, `Read` … */
function baseVerb({ tool }: ToolPart): string {
  const base: Record<string, string> = byName({
    bash: 'Run',
    read: 'Read',
    write: 'Write',
    edit: 'Edit',
    multiedit: 'Edit',
    apply_patch: 'Patch',
    grep: 'Search',
    glob: 'List',
    job: 'Look after',
    lsp: 'Look up',
    todo: 'Plan',
    question: 'Ask',
    task: 'Delegate',
    webfetch: 'Fetch',
    websearch: 'Search the web:',
    codesearch: 'Search public code:',
    execute: 'Run a program:',
    skill: 'Read the skill',
  });
  return base[tool] ?? tool;
}

/** `Package manager: npm, Targets: Node and Workers`: what was answered matters more than that it was asked. */
function answersOf({ tool, input, meta, state }: ToolPart): string | undefined {
  if (tool !== 'question' || state !== 'done' || !Array.isArray(meta?.answers)) return undefined;
  const questions = isRecord(input) && Array.isArray(input.questions) ? input.questions : [];
  const answers = meta.answers as string[][];
  const lines = answers.map((given, at) => {
    const { header } = (questions[at] ?? {}) as { header?: unknown };
    return `${typeof header === 'string' ? `${header}: ` : ''}${given.length === 0 ? '–' : given.join(' and ')}`;
  });
  return lines.join(', ');
}

function objectOf({ input, inputText }: ToolPart): string {
  if (typeof input === 'object' && input !== null) {
    const { command, path, pattern, url, query } = input as Record<string, unknown>;
    for (const value of [command, path, pattern, url, query]) if (typeof value === 'string') return value;
  }
  // The input still arrives: what it is about usually comes first.
  return (
    /"(?:command|path|pattern|url|query)"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(inputText)?.[1]?.replace(/\\(.)/g, '$1') ?? ''
  );
}

function fileOf({ tool, title, meta, state }: ToolPart): string | undefined {
  if (!['read', 'write', 'edit'].includes(tool) || title === undefined || meta?.directory === true) return undefined;
  if (title === '' || title.endsWith('/') || state === 'streaming-input') return undefined;
  return title;
}

const stateWords: Record<Exclude<ToolState, 'done' | 'error'>, string> = {
  'streaming-input': 'preparing',
  waiting: 'waiting',
  asking: 'waits for you',
  running: '',
  interrupted: 'interrupted',
};

/** The state of a call in a list of many; empty when all is well. */
export function shortState(state: ToolState): string {
  if (state === 'done') return '';
  return state === 'error' ? 'failed' : state === 'running' ? 'running' : stateWords[state];
}

function stateOf({ state, tool, meta }: ToolPart): string {
  if (state === 'error') return tool === 'question' ? 'not answered' : 'failed';
  if (state !== 'done') return stateWords[state];
  if (tool === 'question' && meta?.unanswered === true) return 'nobody answered';
  if (tool === 'bash') return bashEnd(meta ?? {});
  if (tool === 'execute' && typeof meta?.calls === 'number')
    return `${meta.calls} ${meta.calls === 1 ? 'call' : 'calls'}`;
  if (tool === 'edit' || tool === 'write' || tool === 'multiedit' || tool === 'apply_patch' || tool === 'lsp')
    return changeCount(meta ?? {});
  if (tool === 'grep' || tool === 'glob') {
    if (typeof meta?.matches !== 'number') return '';
    const more = meta.truncated === true ? '+' : '';
    const noun = tool === 'grep' ? 'match' : 'file';
    return `${meta.matches}${more} ${meta.matches === 1 ? noun : tool === 'grep' ? 'matches' : 'files'}`;
  }
  if (tool === 'webfetch' && typeof meta?.bytes === 'number')
    return `${shortSize(meta.bytes)}${typeof meta.type === 'string' ? ` ${meta.type}` : ''}`;
  if (tool === 'read' && typeof meta?.total === 'number') {
    const all = meta.directory === true ? counted(meta.total, 'entry', 'entries') : counted(meta.total, 'line');
    return meta.lines === meta.total ? all : `${String(meta.lines)} of ${all}`;
  }
  return '';
}

function shortSize(bytes: number): string {
  return bytes < 1000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
}

function bashEnd({ end, exit, port, job }: Record<string, unknown>): string {
  if (end === 'timeout') return 'timed out';
  if (end === 'signalled') return 'killed';
  if (end === 'crashed') return 'crashed';
  if (typeof exit === 'number') return exit === 0 ? '' : `exit ${exit}`;
  if (typeof port === 'number') return `runs on port ${port}`;
  return job === undefined ? '' : 'runs in the background';
}

function changeCount({ errorsAdded, ...meta }: Record<string, unknown>): string {
  const lines = lineCount(meta);
  if (typeof errorsAdded !== 'number' || errorsAdded === 0) return lines;
  return `${lines}, ${errorsAdded} new ${errorsAdded === 1 ? 'error' : 'errors'}`;
}

function lineCount({ additions, deletions, files }: Record<string, unknown>): string {
  if (Array.isArray(files)) return lineCount(sumOf(files as { additions: number; deletions: number }[]));
  if (typeof additions !== 'number' || typeof deletions !== 'number') return '';
  return `+${additions} −${deletions}`;
}

function sumOf(files: { additions: number; deletions: number }[]): { additions: number; deletions: number } {
  return files.reduce(
    (sum, file) => ({ additions: sum.additions + file.additions, deletions: sum.deletions + file.deletions }),
    { additions: 0, deletions: 0 },
  );
}

function toneOf({ state, tool, meta }: ToolPart): ToolTone {
  // That the person leaves a question to the agent is an answer.
  if (state === 'error' && tool === 'question') return 'plain';
  if (state === 'error' || state === 'interrupted') return 'bad';
  if (state === 'asking') return 'waiting';
  if (state !== 'done') return 'working';
  if (tool !== 'bash') return 'plain';
  const failed = meta?.end === 'timeout' || meta?.end === 'signalled' || meta?.end === 'crashed';
  return failed || (typeof meta?.exit === 'number' && meta.exit !== 0) ? 'bad' : 'plain';
}

/** `0.4 s`, `12 s`, `3 min 5 s`; nothing below a tenth of a second. */
export function showDuration(ms: number): string {
  if (ms < 100) return '';
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The line as a sentence, for screen readers. */
export function spokenLine({ verb, object, state, durationMs }: ToolLine): string {
  const time = durationMs === undefined ? '' : showDuration(durationMs);
  return [`${verb} ${object}`.trim(), state, time].filter((text) => text !== '').join(', ');
}

/** The last segment of a path, for where there is little room. */
export function shortName(path: string): string {
  return baseName(path) || path;
}
