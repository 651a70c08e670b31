// What a project brings, in words.
import type { BroughtFile, BroughtKind } from '../../lib/config/scan-project';
import type { Rule } from '../../lib/permission/rules';
import { estimateTokens } from '../../lib/std/bound-text';
import type { BroughtServer } from './mcp-project';
import { showTokens } from './usage-line';

const names: Record<BroughtKind | 'server', [one: string, many: string, what: string]> = {
  config: [
    'configuration',
    'configurations',
    'Rules may only forbid or ask; agents and commands in it become available.',
  ],
  instructions: ['instruction file', 'instruction files', 'The model reads it.'],
  agent: ['agent', 'agents', 'A role with its own prompt.'],
  mode: ['mode', 'modes', 'A role with its own prompt.'],
  command: ['command', 'commands', 'What a slash command says; its shell parts ask first.'],
  skill: ['skill', 'skills', 'Instructions that the model loads when it wants to.'],
  tool: ['tool', 'tools', 'A program that runs in the sandbox when the model calls it; each call asks.'],
  plugin: [
    'plugin',
    'plugins',
    'A program in the sandbox that sees every call: it may refuse, change what a call is given, and never allow.',
  ],
  server: ['MCP server', 'MCP servers', 'Its tools become available; each call asks first.'],
};

/** What is said of one file. */
export function kindLine({ kind, text }: BroughtFile): string {
  const tokens = kind === 'instructions' ? ` About ${showTokens(estimateTokens(text))} tokens.` : '';
  return `${names[kind][2]}${tokens}`;
}

/** What is said of a server that a file of the project names. */
export function serverNote({ config, file }: BroughtServer): string {
  const what = config.kind === 'local' ? 'a program of the sandbox' : 'a server of the web';
  return `An MCP server, ${what}, named in ${file}. ${names.server[2]}`;
}

/** `2 agents, 1 tool and 1 skill`. */
export function countLine(kinds: readonly (BroughtKind | 'server')[]): string {
  const counts = new Map<BroughtKind | 'server', number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const parts = [...counts].map(([kind, count]) => `${count} ${names[kind][count === 1 ? 0 : 1]}`);
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** A rule as it is offered. */
export function ruleLine({ permission, pattern }: Rule): string {
  return pattern === '*' ? permission : `${permission}: ${pattern}`;
}
