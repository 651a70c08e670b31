// The files that a project brings, as agents, commands, skills and rules. One bad file takes only itself away and says why.
import { patternInHome } from '../permission/bash-paths';
import type { Rule } from '../permission/rules';
import { type Agent, builtInAgents } from '../registry/agents';
import type { EditingStyle } from '../registry/model-traits';
import { isRecord } from '../std/json';
import { type Command, readCommand } from './command';
import { readFrontMatter } from './front-matter';
import { filesOf } from './own-entries';
import { type ConfigProblem, foldUnused, membersOf } from './problems';
import { readAgent } from './read-agent';
import { emptyConfig, mergeConfigs, type ProjectConfig, readConfig, unionOf } from './read-config';
import type { BroughtFile } from './scan-project';
import { readSkill, type Skill } from './skill-tool';

/** What configurations say beside rules; as `AgentSettings` has it. */
export interface Workings {
  compaction?: boolean;
  reservedTokens?: number;
  editing?: EditingStyle;
  unrepaired?: readonly string[];
  maxDepth?: number;
  costUsd?: number;
}

/** What the files say. */
export interface Customs {
  config: ProjectConfig;
  rules: Rule[];
  /** Built-in ones included, in the order in which they are shown. */
  agents: Agent[];
  commands: Command[];
  skills: Skill[];
  problems: ConfigProblem[];
}

/** Reads them. `person`: the text of the person's own configuration; `home`: what `~` is in rules. Never throws for what a file says. */
export async function readCustoms(
  files: readonly BroughtFile[],
  person = '',
  home = '/root',
): Promise<Customs & { personRules: Rule[]; workings: Workings }> {
  const problems: ConfigProblem[] = [];
  const configs: ProjectConfig[] = [];
  const configFiles = files.filter((file) => file.kind === 'config');
  for (const file of configFiles) configs.push(await readConfig(file.text, file.path, problems));
  const own = person.trim() === '' ? undefined : await readConfig(person, personPath, problems);
  const config = mergeConfigs(configs);
  const agents = new Map(builtInAgents.map((agent) => [agent.name, agent]));
  const commands = new Map<string, Command>();
  const skills = new Map<string, Skill>();

  const addAgent = (name: string, from: Record<string, unknown>, path: string, where: string) => {
    const agent = readAgent(name, from, path, where, problems);
    if (agent !== undefined) agents.set(name, path === personPath ? { ...agent, origin: 'person' } : agent);
    else if (name !== 'build') agents.delete(name);
    else problems.push({ path, message: 'build can’t be disabled: somebody has to answer.' });
  };
  const addCommand = (name: string, from: Record<string, unknown>, path: string, where: string) => {
    const command = readCommand(name, from, path, where, problems);
    if (command !== undefined) commands.set(name, command);
  };
  for (const [name, from] of Object.entries(own?.agent ?? {})) addAgent(name, from, personPath, `agent.${name}.`);
  for (const [name, from] of Object.entries(own?.command ?? {})) addCommand(name, from, personPath, `command.${name}.`);
  for (const [name, from] of Object.entries(own?.skill ?? {})) {
    const skill = personSkill(name, from, problems);
    if (skill !== undefined) skills.set(name, skill);
  }
  for (const section of ['agent', 'command'] as const)
    for (const [name, from] of Object.entries(config[section])) {
      const at = configs.findLastIndex((one) => Object.hasOwn(one[section], name));
      const add = section === 'agent' ? addAgent : addCommand;
      add(name, from, configFiles[at]!.path, `${section}.${name}.`);
    }
  const unused = (key: string, path: string, message: string) =>
    problems.push({ path, message: `${key}: ${message}`, key });
  if (own?.plugin.length) unused('plugin', personPath, 'only the plugins of a project are run.');
  if (own?.instructions.length) unused('instructions', personPath, 'only the instructions of a project are read.');
  if (own?.model !== undefined) unused('model', personPath, 'not used; the model that you choose in the chat is kept.');
  for (const [at, file] of configFiles.entries()) {
    if (configs[at]!.model !== undefined)
      unused('model', file.path, 'not used; a model costs, so the person chooses it, in the chat.');
    if (Object.keys(configs[at]!.skill).length > 0)
      unused('skill', file.path, 'not used; the skills of a project are files, in .opencode/skill.');
  }
  for (const file of files) {
    if (!['agent', 'mode', 'command', 'skill'].includes(file.kind)) continue;
    try {
      const { head, body } = await readFrontMatter(file.text);
      const { path } = file;
      const name = nameIn(head, file);
      if (file.kind === 'agent') addAgent(name, { ...head, prompt: body }, path, '');
      else if (file.kind === 'mode') addAgent(name, { ...head, prompt: body, mode: 'primary' }, path, '');
      else if (file.kind === 'command') addCommand(name, { ...head, template: body }, path, '');
      else addSkill(skills, readSkill({ head, body }, path, name, problems), problems);
    } catch (error) {
      problems.push({ path: file.path, message: `Not used: ${(error as Error).message}` });
    }
  }
  return {
    config,
    rules: config.rules.map((rule) => inHome(rule, home)),
    personRules: (own?.rules ?? []).map((rule) => withReason(inHome(rule, home))),
    workings: workingsOf(own ?? emptyConfig, config),
    agents: [...agents.values()].map((agent) => ({ ...agent, rules: agent.rules.map((rule) => inHome(rule, home)) })),
    commands: [...commands.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    skills: [...skills.values()],
    problems: foldUnused(problems),
  };
}

/** What a rule says of files below `~`; a command line is judged as it is written. */
function inHome(rule: Rule, home: string): Rule {
  return rule.permission === 'bash' ? rule : { ...rule, pattern: patternInHome(rule.pattern, home) };
}

/** Whose denial it is, for the model and the person. */
function withReason(rule: Rule): Rule {
  if (rule.effect !== 'deny') return rule;
  const what = rule.permission === 'bash' ? rule.pattern : `${rule.permission}: ${rule.pattern}`;
  const reason = `The person’s own configuration denies ${what}. Don’t look for a way around it: go on without it, or say why it is needed.`;
  return { ...rule, reason };
}

/** A project may ask for less than the person allows, never for more. */
function workingsOf(person: ProjectConfig, project: ProjectConfig): Workings {
  const least = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
  const maxDepth = person.depth ?? (project.depth === undefined ? undefined : Math.min(1, project.depth));
  const unrepaired = unionOf(person.unrepaired, project.unrepaired);
  const costUsd = least(person.costUsd, project.costUsd);
  const depth = least(maxDepth, project.depth);
  return {
    ...(person.compaction === undefined ? {} : { compaction: person.compaction }),
    ...(person.reservedTokens === undefined ? {} : { reservedTokens: person.reservedTokens }),
    ...(person.editing === undefined ? {} : { editing: person.editing }),
    ...(depth === undefined ? {} : { maxDepth: Math.floor(depth) }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(unrepaired === undefined ? {} : { unrepaired }),
  };
}

/** What the person's own configuration is called in problems. */
export const personPath = 'your own configuration';

/** `skill: { NAME: { description, body, files } }` of the person's own configuration. */
function personSkill(name: string, from: Record<string, unknown>, problems: ConfigProblem[]): Skill | undefined {
  const { text, reportUnknown } = membersOf(from, personPath, `skill.${name}.`, problems);
  reportUnknown(['description', 'body', 'files']);
  const body = text('body') ?? '';
  const files = filesOf({ value: from });
  if (from.files !== undefined && (!isRecord(from.files) || Object.keys(files).length < Object.keys(from.files).length))
    problems.push({
      path: personPath,
      message: `skill.${name}.files must be texts by path: what is none is left out.`,
      key: `skill.${name}.files`,
    });
  if (body.trim() !== '') return { name, description: text('description') ?? '', body, path: '', files };
  const message = `skill.${name} has no body: left out.`;
  problems.push({ path: personPath, message, key: `skill.${name}` });
  return undefined;
}

/** The head may give another name than the file has; a command's is typed after a slash, so it is one word. */
function nameIn({ name }: Record<string, unknown>, file: BroughtFile): string {
  if (file.kind === 'skill' || typeof name !== 'string') return file.name;
  const isFine = file.kind === 'command' ? /^\S+$/.test(name) : /^\S[^\n]{0,63}$/.test(name);
  return isFine ? name.trim() : file.name;
}

function addSkill(skills: Map<string, Skill>, skill: Skill, problems: ConfigProblem[]): void {
  const other = skills.get(skill.name);
  if (other === undefined) skills.set(skill.name, skill);
  // Several programs have folders of their own for the same skills.
  else if (other.body !== skill.body || other.description !== skill.description)
    problems.push({
      path: skill.path,
      message: `Not used: ${other.path || 'one of your own'} is a skill named ${skill.name} already.`,
    });
}
