// Permission facts in words for people: what a question is about, and what *always* would cover.
import type { GrantView, PendingAsk } from '../../lib/session/types';

/** What *always* would allow from now on, in short; empty when nothing can be remembered. */
export function alwaysLines(facts: PendingAsk['facts']): string[] {
  return [
    ...new Set(facts.flatMap(({ permission, always }) => always.map((pattern) => grantWords(permission, pattern)))),
  ];
}

/** `commands like npm test`, `all edits of files`, `edits of src/*`. */
export function grantWords(permission: string, pattern: string): string {
  const all = pattern === '*' || pattern === '**';
  switch (permission) {
    case 'bash':
      return all
        ? 'all commands'
        : pattern.endsWith(' *')
          ? `commands like ${pattern.slice(0, -2)} …`
          : `the command ${pattern}`;
    case 'edit':
      return all ? 'all edits of files' : `edits of ${pattern}`;
    case 'execute':
      return 'all programs over tools';
    case 'read':
      return all ? 'reading all files' : `reading ${pattern}`;
    case 'outside':
      return all ? 'everything outside of the project' : `${pattern} outside of the project`;
    case 'websearch':
      return all ? 'searches of the web' : `searches for ${pattern}`;
    case 'webfetch': {
      const host = /^https:\/\/([^/]+)\/\*$/.exec(pattern)?.[1];
      return all ? 'fetching all pages' : host === undefined ? `fetching ${pattern}` : `fetching pages of ${host}`;
    }
    case 'model':
      return `another model than ${pattern}`;
    case 'task':
      return all ? 'tasks for sub-agents' : `tasks for ${pattern}`;
    case 'sampling':
      return `questions of the MCP server ${pattern} to the model`;
    case 'doom_loop':
      return `repeating ${pattern}`;
    default:
      if (pattern.startsWith('version ')) return `${permission}, as its file is now`;
      if (pattern.startsWith('definition ')) return `${permission}, as the server describes it now`;
      return all ? permission : `${permission}: ${pattern}`;
  }
}

const scopeWords = { turn: 'this turn', session: 'this conversation', project: 'this project' };

/** A remembered grant as a line of the list. */
export function grantLine({ permission, pattern, scope }: GrantView): string {
  const words = grantWords(permission, pattern);
  return `${words[0]!.toUpperCase()}${words.slice(1)} (${scopeWords[scope]})`;
}

/** Who asked for a grant, when it was given and when it ends. */
export function grantOrigin({ grantedAtMs, expiresAtMs, agent, title }: GrantView): string {
  const day = (ms: number) => new Date(ms).toLocaleDateString(undefined, { dateStyle: 'medium' });
  const asked = `${agent ?? 'The agent'} asked: ${title ?? 'not kept'}`;
  const until = expiresAtMs === undefined ? '' : `, until ${day(expiresAtMs)}`;
  return `${asked} · allowed ${day(grantedAtMs)}${until}`;
}

/** What the title does not say: facts beside the main one, and why nothing can be remembered. */
export function askFacts({ request, facts }: PendingAsk): string[] {
  const lines: string[] = [];
  for (const { permission, patterns } of facts) {
    if (permission === request.permission) continue;
    const verb = { edit: 'It writes', read: 'It reads', outside: 'It goes outside of the project:' }[permission];
    lines.push(`${verb ?? permission} ${patterns.join(', ')}`);
  }
  const { opaque, remark } = request.meta ?? {};
  if (typeof remark === 'string') lines.push(`An extension says: ${remark}`);
  const { mcp, input, changed, saysReadOnly } = request.meta ?? {};
  if (typeof mcp === 'string') {
    if (changed === true)
      lines.push(
        'The server changed what this tool is since you allowed it last; what you allowed does not count any more.',
      );
    if (input !== undefined) lines.push(`It gets ${shortJson(input)}`);
    if (saysReadOnly === true) lines.push('The server says that it only reads; Cloche can’t check that.');
  }
  lines.push(...samplingFacts(request.meta?.sampling));
  if (typeof request.meta?.extension === 'string' && input !== undefined) lines.push(`It gets ${shortJson(input)}`);
  if (request.opaque === true)
    lines.push(
      typeof opaque === 'string'
        ? `Cloche can’t tell all that it does (${opaque}), so it asks every time.`
        : 'Cloche can’t tell all that it does, so it asks every time.',
    );
  return lines;
}

/** What a server's question to the model means; empty when it is none. */
function samplingFacts(meta: unknown): string[] {
  const { server, model, maxOutputTokens, mostUsd } = (meta ?? {}) as Record<string, unknown>;
  if (typeof server !== 'string') return [];
  const price = typeof mostUsd === 'number' && mostUsd > 0 ? `, $${mostUsd.toFixed(4)} for that at most` : '';
  return [
    `The words above come from the server ${server}, and the answer of ${model} goes to it. Nothing of this conversation is sent with them.`,
    `The answer has at most ${maxOutputTokens} tokens${price}; it counts to what this conversation costs. Cloche asks every time.`,
  ];
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 2000 ? `${text.slice(0, 2000)}… (${text.length} characters)` : text;
}
