// What the person typed, as what is said to the model and which calls the turn begins with: `/command words`, and `@agent` in a sentence.
import type { Agent } from '../registry/agents';
import { type Command, expandCommand } from './command';

/** Said, and done first. `agent` and `model`: of this turn only. */
export interface SpokenRequest {
  text: string;
  opening: { tool: string; input: Record<string, unknown> }[];
  agent?: string;
  model?: string;
}

interface Known {
  commands: readonly Command[];
  agents: readonly Agent[];
  /** Is it a file of the project? */
  isFile(path: string): Promise<boolean>;
}

/** A text that is no command and names no sub-agent comes back as it is. */
export async function spokenRequest(text: string, known: Known): Promise<SpokenRequest> {
  const typed = /^\s*\/([\w./-]+)(?:\s+([\s\S]*))?$/.exec(text);
  const command = known.commands.find((one) => one.name === typed?.[1]);
  if (command === undefined) {
    const mentions = [...text.matchAll(/(?:^|[\s(])@([\w/-]+)/g)].map((match) => match[1]!);
    return { text, opening: tasksOf(mentions, text, known.agents) };
  }
  const { template, subtask } = command;
  const expanded = expandCommand(template, typed?.[2] ?? '');
  const agent = agentFor(command.agent, known.agents);
  if (command.agent !== undefined && agent === undefined)
    throw new Error(`/${command.name} wants the agent ${command.agent}, and there is none of that name here.`);
  const description = command.description || `/${command.name}`;
  if (subtask ?? agent?.mode === 'subagent') {
    const prompt = expanded.shell.reduce(
      (so, line) => so.replace(`(the output of \`${line}\`, below)`, () => `(run \`${line}\` and use its output)`),
      expanded.text,
    );
    return { text, opening: [taskCall(agent?.name ?? 'general', description, prompt)] };
  }
  const files: string[] = [];
  for (const path of new Set(expanded.mentions)) if (await known.isFile(path)) files.push(path);
  return {
    text: expanded.text,
    opening: [
      ...expanded.shell.map((line) => ({ tool: 'bash', input: { command: line } })),
      ...files.map((path) => ({ tool: 'read', input: { path } })),
      ...tasksOf(expanded.mentions, expanded.text, known.agents),
    ],
    ...(agent === undefined ? {} : { agent: agent.name }),
    ...(command.model === undefined ? {} : { model: command.model }),
  };
}

/** By its name, else by the only one that differs in case: commands say `Build`, as OpenCode shows it. */
function agentFor(name: string | undefined, agents: readonly Agent[]): Agent | undefined {
  const exact = agents.find((one) => one.name === name);
  if (exact !== undefined) return exact;
  const similar = agents.filter((one) => one.name.toLowerCase() === name?.toLowerCase());
  return similar.length === 1 ? similar[0] : undefined;
}

function tasksOf(mentions: readonly string[], prompt: string, agents: readonly Agent[]): SpokenRequest['opening'] {
  return [...new Set(mentions)]
    .filter((name) => agents.some((agent) => agent.name === name && agent.mode !== 'primary'))
    .map((name) => taskCall(name, prompt.replace(/\s+/g, ' '), prompt));
}

function taskCall(agent: string, description: string, prompt: string) {
  return { tool: 'task', input: { agent, description: description.slice(0, 80), prompt } };
}
