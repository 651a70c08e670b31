// Agents: who answers, with which prompt, which role and which limits. Those that Cloche ships with are here; a project and a person add
// theirs as data of the same shape.
import type { Rule } from '../permission/rules';
import type { FilePolicy } from '../sandbox/sandbox';
import { agentPrompts } from './agents.prompt';

/** One agent. *Contract:* `rules` narrow the policy and never widen it, wherever the agent comes from. */
export interface Agent {
  /** Lower case, unique: what `@name` and the task tool say. */
  name: string;
  /** When to use it, one line; an agent without one is only used when the person names it. */
  description: string;
  /** `primary`: the person talks to it. `subagent`: other agents give it tasks. */
  mode: 'primary' | 'subagent' | 'all';
  /** Added to the system prompt. */
  prompt?: string;
  /** `<provider>/<model>`; otherwise that of the conversation. */
  model?: string;
  /** Its role. */
  rules: readonly Rule[];
  /** Nothing it runs may change files: the shell included. */
  readOnly?: boolean;
  maxSteps?: number;
  /** How the model is asked; otherwise the provider's own way. */
  temperature?: number;
  topP?: number;
  /** What one turn of it may cost before it pauses, sub-agents included, in US dollars. */
  costUsd?: number;
  /** Folders of the project: it and what it runs may write nowhere else but in /tmp. */
  writable?: readonly string[];
  origin: 'built in' | 'project' | 'person';
}

const rule = (effect: Rule['effect'], permission: string, pattern = '*'): Rule => ({ permission, pattern, effect });

const plansDirectory = '.opencode/plans';
/** Where plan mode may write. */
export const plansPattern = `${plansDirectory}/*.md`;

/** Where the processes of this agent may write; undefined: everywhere. */
export function writablePlaces({ readOnly, writable }: Agent, workdir: string): FilePolicy['writable'] {
  if (readOnly) return ['/tmp', `${workdir}/${plansDirectory}`];
  return writable && ['/tmp', ...writable.map((folder) => `${workdir}/${folder}`)];
}

/** An agent that works for one that may only look: it is no freer. */
export function asReadOnly(agent: Agent): Agent {
  if (agent.readOnly) return agent;
  return { ...agent, readOnly: true, rules: [...agent.rules, rule('deny', 'edit')] };
}

/** An agent that works for one that may write to these folders only: it may write to no others. */
export function withinScope(agent: Agent, above: readonly string[] | undefined): Agent {
  if (above === undefined) return agent;
  const isBelow = (folder: string, other: string) => folder === other || folder.startsWith(`${other}/`);
  const own = agent.writable;
  const writable = own === undefined ? above : own.filter((folder) => above.some((other) => isBelow(folder, other)));
  return { ...agent, writable };
}

/** The agents that are always there. */
export const builtInAgents: readonly Agent[] = [
  {
    name: 'build',
    description: 'Changes the project and checks the result.',
    mode: 'primary',
    rules: [],
    origin: 'built in',
  },
  {
    name: 'plan',
    description: 'Looks and thinks, and writes a plan; changes nothing else.',
    mode: 'primary',
    prompt: agentPrompts.plan,
    rules: [rule('deny', 'edit'), rule('allow', 'edit', plansPattern), rule('allow', 'edit', '/tmp/*')],
    readOnly: true,
    origin: 'built in',
  },
  {
    name: 'explore',
    description:
      'Finds things out in the project without changing it: where something is, how it works, what depends on it. Give it one question.',
    mode: 'subagent',
    prompt: agentPrompts.explore,
    rules: [
      rule('deny', '*'),
      ...['read', 'bash', 'outside', 'webfetch', 'websearch', 'lsp', 'execute'].map((permission) =>
        rule('allow', permission),
      ),
    ],
    readOnly: true,
    origin: 'built in',
  },
  {
    name: 'general',
    description: 'Does a task of several steps that stands on its own, edits and commands included.',
    mode: 'subagent',
    prompt: agentPrompts.general,
    rules: [rule('deny', 'todo')],
    origin: 'built in',
  },
];

/** The agent of that name, or `build`. */
export function agentNamed(agents: readonly Agent[], name: string | undefined): Agent {
  return (
    agents.find((agent) => agent.name === name) ?? agents.find((agent) => agent.name === 'build') ?? builtInAgents[0]!
  );
}

/** Those that the task tool may start, sorted by name. */
export function subagentsOf(agents: readonly Agent[]): Agent[] {
  return agents
    .filter((agent) => agent.mode !== 'primary' && agent.description !== '')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
