// `opencode.json` and `opencode.jsonc`: the one reader. Comments and trailing commas are fine; what can't be read is a problem with its line.
import type { Rule } from '../permission/rules';
import type { EditingStyle } from '../registry/model-traits';
import { isRecord } from '../std/json';
import { lineAt } from './config-lines';
import { permissionsOf, rulesOf, toolRulesOf } from './config-rules';
import { type ConfigProblem, membersOf, shown } from './problems';
import { unrepairedOf } from './repair-switch';

/** Where it may lie, later ones win key by key. */
export const configPaths = ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'];

/** What one file says. Members that other parts own (`mcp`) are handed on as they are. */
export interface ProjectConfig {
  rules: Rule[];
  agent: Record<string, Record<string, unknown>>;
  command: Record<string, Record<string, unknown>>;
  mcp: Record<string, Record<string, unknown>>;
  /** The person's own; a project has files. */
  skill: Record<string, Record<string, unknown>>;
  /** Globs of further instruction files. */
  instructions: string[];
  /** Paths of files, and names of packages. */
  plugin: string[];
  /** Folders with skills. */
  skillPaths: string[];
  model?: string;
  /** Summarise when the context is full. */
  compaction?: boolean;
  /** Tokens of the context to keep free: what is older is summarised when less is left. */
  reservedTokens?: number;
  /** How deep sub-agents may nest. */
  depth?: number;
  /** US dollars that one conversation may cost before it pauses. */
  costUsd?: number;
  /** How files are changed, whatever the model. */
  editing?: EditingStyle;
  /** Tools whose arguments are not mended. */
  unrepaired?: readonly string[];
}

const known = [
  ...['$schema', 'permission', 'tools', 'agent', 'mode', 'command', 'mcp', 'instructions', 'plugin', 'model'],
  ...['compaction', 'subagent_depth', 'budget', 'editing', 'repair', 'skill', 'skills'],
  // OpenCode 2 has these in the plural.
  ...['permissions', 'agents', 'commands', 'plugins'],
];
/** What OpenCode has and Cloche has elsewhere, or not at all: why, for people. */
const elsewhere: Record<string, string> = {
  provider: 'models and their addresses are set by this site’s host, and keys by you, in the chat',
  enabled_providers: 'the models are those of this site and of your keys',
  disabled_providers: 'the models are those of this site and of your keys',
  small_model: 'titles and summaries are made by the model of the conversation',
  default_agent: 'the agent is chosen in the chat',
  formatter: 'files are not formatted by themselves here; a plugin may do it after edits',
  lsp: 'the editor’s own language service is used',
  experimental: 'it belongs to the terminal program',
  worktree: 'a project has one folder here',
};
/** Of the terminal program alone; nothing is lost by not having them. */
const looks = ['theme', 'autoupdate', 'share', 'username', 'tui', 'keybinds', 'snapshot', 'logLevel'];

/** Nothing said. */
export const emptyConfig: ProjectConfig = {
  rules: [],
  agent: {},
  command: {},
  mcp: {},
  skill: {},
  instructions: [],
  plugin: [],
  skillPaths: [],
};

/** Reads one file's text. Never throws: what is wrong is in `problems`. */
export async function readConfig(text: string, path: string, problems: ConfigProblem[]): Promise<ProjectConfig> {
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: { error: number; offset: number; length: number }[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first !== undefined) {
    const line = lineAt(text, first.offset);
    problems.push({
      path,
      message: `Line ${line}: ${printParseErrorCode(first.error)}. Nothing of this file is used.`,
      line,
      isBroken: true,
    });
    return emptyConfig;
  }
  if (!isRecord(value)) {
    problems.push({
      path,
      message: `It must be an object, and it is ${shown(value)}. Nothing of it is used.`,
      isBroken: true,
    });
    return emptyConfig;
  }
  const { text: member, reportUnknown } = membersOf(value, path, '', problems);
  reportUnknown([...known, ...looks, ...Object.keys(elsewhere)]);
  for (const [key, why] of Object.entries(elsewhere))
    if (value[key] !== undefined) problems.push({ path, message: `${key} is not used here: ${why}.`, key });
  const section = (key: string) => objectsOf(value[key], path, key, problems);
  const model = member('model');
  const modes = Object.entries(section('mode')).map(([name, one]) => [name, { mode: 'primary', ...one }] as const);
  return {
    rules: [
      ...toolRulesOf(value.tools, path, 'tools', problems),
      ...rulesOf(value.permission, path, 'permission', problems),
      ...permissionsOf(value.permissions, path, 'permissions', problems),
    ],
    agent: { ...Object.fromEntries(modes), ...section('agent'), ...section('agents') },
    command: { ...section('command'), ...section('commands') },
    mcp: section('mcp'),
    skill: section('skill'),
    instructions: textsOf(value.instructions, path, 'instructions', problems),
    plugin: [...textsOf(value.plugin, path, 'plugin', problems), ...textsOf(value.plugins, path, 'plugins', problems)],
    skillPaths: skillPathsOf(value.skills, path, problems),
    ...workingsOf(value, path, problems),
    ...(model === undefined ? {} : { model }),
  };
}

/** Several files as one: later ones win by name, rules add up. */
export function mergeConfigs(configs: readonly ProjectConfig[]): ProjectConfig {
  return configs.reduce(
    (all, one) => ({
      rules: [...all.rules, ...one.rules],
      agent: { ...all.agent, ...one.agent },
      command: { ...all.command, ...one.command },
      mcp: { ...all.mcp, ...one.mcp },
      skill: { ...all.skill, ...one.skill },
      instructions: [...new Set([...all.instructions, ...one.instructions])],
      plugin: [...new Set([...all.plugin, ...one.plugin])],
      skillPaths: [...new Set([...all.skillPaths, ...one.skillPaths])],
      ...definedOf({
        compaction: one.compaction ?? all.compaction,
        reservedTokens: one.reservedTokens ?? all.reservedTokens,
        depth: one.depth ?? all.depth,
        costUsd: one.costUsd ?? all.costUsd,
        editing: one.editing ?? all.editing,
        unrepaired: unionOf(all.unrepaired, one.unrepaired),
      }),
      ...((one.model ?? all.model) === undefined ? {} : { model: one.model ?? all.model }),
    }),
    emptyConfig,
  );
}

/** How agents work: `compaction.auto` and `.reserved`, `subagent_depth`, `budget.cost`, `editing` and `repair`, the last three are Cloche's own. */
function workingsOf(value: Record<string, unknown>, path: string, problems: ConfigProblem[]): Partial<ProjectConfig> {
  const inside = (key: string, names: string[]) => {
    const one = value[key];
    if (one !== undefined && !isRecord(one))
      problems.push({ path, message: `${key} must be an object, and it is ${shown(one)}: left out.`, key });
    const members = membersOf(isRecord(one) ? one : {}, path, `${key}.`, problems);
    members.reportUnknown(names);
    return members;
  };
  const { positive, text } = membersOf(value, path, '', problems);
  const compaction = inside('compaction', ['auto', 'reserved']);
  const editing = text('editing');
  if (editing !== undefined && editing !== 'patch' && editing !== 'replace')
    problems.push({
      path,
      message: `editing must be patch or replace, and it is ${shown(editing)}: left out.`,
      key: 'editing',
    });
  return definedOf({
    compaction: compaction.flag('auto'),
    reservedTokens: compaction.positive('reserved'),
    depth: positive('subagent_depth'),
    costUsd: inside('budget', ['cost']).positive('cost'),
    editing: editing === 'patch' || editing === 'replace' ? editing : undefined,
    unrepaired: unrepairedOf(value.repair, path, problems),
  });
}

/** Whoever turns mending off has turned it off. */
export function unionOf(a: readonly string[] | undefined, b: readonly string[] | undefined): string[] | undefined {
  return a === undefined && b === undefined ? undefined : [...new Set([...(a ?? []), ...(b ?? [])])];
}

/** Without the members that are undefined. */
function definedOf<T extends object>(from: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(from).filter(([, member]) => member !== undefined)) as never;
}

/** `skills: {paths: […]}`, or the list alone. */
function skillPathsOf(value: unknown, path: string, problems: ConfigProblem[]): string[] {
  if (!isRecord(value)) return textsOf(value, path, 'skills', problems);
  membersOf(value, path, 'skills.', problems).reportUnknown(['paths', 'urls']);
  for (const url of textsOf(value.urls, path, 'skills.urls', problems))
    problems.push({
      path,
      message: `skills.urls: ${url} is not fetched; copy the skill into the project.`,
      key: 'skills.urls',
    });
  return textsOf(value.paths, path, 'skills.paths', problems);
}

function objectsOf(value: unknown, path: string, key: string, problems: ConfigProblem[]) {
  const out: Record<string, Record<string, unknown>> = {};
  if (value === undefined) return out;
  if (!isRecord(value)) {
    problems.push({ path, message: `${key} must be an object by name, and it is ${shown(value)}: left out.`, key });
    return out;
  }
  for (const [name, one] of Object.entries(value))
    if (isRecord(one)) out[name] = one;
    else
      problems.push({
        path,
        message: `${key}.${name} must be an object, and it is ${shown(one)}: left out.`,
        key: `${key}.${name}`,
      });
  return out;
}

function textsOf(value: unknown, path: string, key: string, problems: ConfigProblem[]): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  problems.push({ path, message: `${key} must be a list of texts, and it is ${shown(value)}: left out.`, key });
  return [];
}
