// Which model answers a turn: the command's, else the agent's, else the conversation's. One that is not offered is never replaced in silence.
import type { SpokenRequest } from '../../lib/config/spoken-request';
import { type Agent, agentNamed } from '../../lib/registry/agents';
import { NotSent } from './mcp-spoken';

/** Resolves to whether another model may answer. */
export type AskOtherModel = (question: { who: string; wanted: string; instead: string }) => Promise<boolean>;

interface TurnModelOptions {
  request: Pick<SpokenRequest, 'agent' | 'model'>;
  agents: readonly Agent[];
  /** Of the conversation. */
  now: { agent: string; model: string };
  isOffered(modelId: string): boolean;
  ask: AskOtherModel;
  /** What was agreed to in this tab; it is added to. */
  agreed: Set<string>;
}

/** Undefined: that of the conversation. Rejects with NotSent when the person wants no other. */
export async function turnModel(options: TurnModelOptions): Promise<string | undefined> {
  const { request, agents, now, isOffered, ask, agreed } = options;
  const agent = agentNamed(agents, request.agent ?? now.agent);
  const wanted = request.model ?? agent.model;
  if (wanted === undefined || wanted === now.model || isOffered(wanted)) return wanted;
  const key = `${wanted} ${now.model}`;
  if (!agreed.has(key)) {
    const who = request.model === undefined ? `The agent ${agent.name}` : 'This command';
    if (!(await ask({ who, wanted, instead: now.model }))) throw new NotSent('Not sent.');
    agreed.add(key);
  }
  return now.model;
}
