// What of the typed words is for MCP servers: `/server:prompt words` becomes the prompt's text, `@server:uri` the turn's first call, which takes
// the same path of permission and saving as a call of the model.
import { commandWords } from '../../lib/config/command-words';
import type { McpPrompt, PromptText } from '../../lib/registry/mcp/prompts';
import type { McpServerState } from '../../lib/registry/mcp/server-state';
import type { McpServers } from '../../lib/registry/mcp/servers';
import { trimEnd } from '../../lib/std/trim-end';

/** What is typed for a prompt, without the slash. */
export function promptCommand({ server, name }: Pick<McpPrompt, 'server' | 'name'>): string {
  return `${typeable(server)}:${typeable(name)}`;
}

function typeable(name: string): string {
  return name.replace(/[^\w.-]+/g, '_');
}

/** A resource that can be mentioned. */
export interface MentionedResource {
  server: string;
  uri: string;
  /** What it is, for people. */
  description: string;
}

/** Those of connected servers whose uri can stand in a sentence. */
export function mentionableResources(states: readonly McpServerState[]): MentionedResource[] {
  return states.flatMap(({ config, status, resources }) => {
    if (status.kind !== 'connected' || /[\s:@]/.test(config.name)) return [];
    return resources.flatMap((entry) => {
      const { uri, name, title, description } = (entry ?? {}) as Record<string, unknown>;
      if (typeof uri !== 'string' || uri === '' || /\s/.test(uri)) return [];
      const words = [title ?? name, description].filter((word) => typeof word === 'string' && word !== '');
      return [{ server: config.name, uri, description: words.join(': ').split('\n')[0]!.slice(0, 200) }];
    });
  });
}

/** The calls that read the mentioned resources, each once. */
export function resourceCalls(text: string, states: readonly McpServerState[]) {
  const known = mentionableResources(states);
  const mentioned = [...text.matchAll(/(?:^|[\s(])@([^\s:@]+):(\S+)/g)].flatMap(([, server, typed]) => {
    const found = known.filter((one) => one.server === server);
    // A sentence may go on right behind it.
    return [typed!, trimEnd(typed!, ').,;:!?')].flatMap((uri) => found.filter((one) => one.uri === uri)).slice(0, 1);
  });
  return [...new Set(mentioned)].map(({ server, uri }) => ({ tool: 'read_mcp_resource', input: { server, uri } }));
}

/** Asks the person for what a prompt wants to know; undefined: they would rather not. */
export type AskArguments = (
  prompt: McpPrompt,
  given: Record<string, string>,
) => Promise<Record<string, string> | undefined>;

/** The person changed their mind: nothing is sent, and nothing went wrong. */
export class NotSent extends Error {}

/** What comes of a typed prompt; undefined when the text is none. Rejects with NotSent, or an Error fit to show. */
export async function spokenPrompt(
  text: string,
  servers: Pick<McpServers, 'prompts' | 'getPrompt'>,
  ask: AskArguments,
): Promise<PromptText | undefined> {
  const typed = /^\s*\/([\w.-]+:[\w.-]+)(?:\s+([\s\S]*))?$/.exec(text);
  const prompt = servers.prompts().find((one) => promptCommand(one) === typed?.[1]);
  if (prompt === undefined) return undefined;
  const given = givenArguments(prompt, typed?.[2] ?? '');
  const isComplete = prompt.arguments.every((one) => !one.required || (given[one.name] ?? '') !== '');
  const input = isComplete ? given : await ask(prompt, given);
  if (input === undefined) throw new NotSent('Not sent.');
  const spoken = await servers.getPrompt(prompt.server, prompt.name, input);
  if (spoken.text === '' && spoken.media.length === 0)
    throw new Error(`The MCP server ${prompt.server} answered the prompt ${prompt.name} with nothing.`);
  return spoken;
}

/** The typed words by the prompt's arguments: `name=value` anywhere, the others in order; the last one takes all that is left. */
export function givenArguments(prompt: McpPrompt, typed: string): Record<string, string> {
  const given: Record<string, string> = {};
  const words: string[] = [];
  for (const word of commandWords(typed)) {
    const at = word.indexOf('=');
    const name = prompt.arguments.find((one) => at > 0 && one.name === word.slice(0, at))?.name;
    if (name === undefined) words.push(word);
    else given[name] = word.slice(at + 1);
  }
  const open = prompt.arguments.filter((one) => given[one.name] === undefined);
  open.forEach(({ name }, at) => {
    const value = at === open.length - 1 ? words.slice(at).join(' ') : (words[at] ?? '');
    if (value !== '') given[name] = value;
  });
  return given;
}
