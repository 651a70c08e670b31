// Which model answers as an agent: the agent's own where it is offered here, and another one only when the person says so.
import type { AskingCall } from '../permission/asks';
import type { RuleSet } from '../permission/rules';
import type { Agent } from '../registry/agents';
import { ToolError } from '../tools/tool';
import type { Desk } from './desk';

interface ModelQuestion {
  agent: Agent;
  /** The conversation's own. */
  instead: string;
  offersModel?: ((modelId: string) => boolean) | undefined;
  desk: Desk;
  call: AskingCall;
  rules(): RuleSet;
  signal: AbortSignal;
  /** What was said yes to in this conversation; it is added to. */
  agreed: Set<string>;
}

/** Rejects with a ToolError when the person does not want another model. */
export async function modelOfAgent(question: ModelQuestion): Promise<string> {
  const { agent, instead, offersModel, desk, call, rules, signal, agreed } = question;
  const wanted = agent.model;
  if (wanted === undefined || wanted === instead || (offersModel?.(wanted) ?? true)) return wanted ?? instead;
  const key = `${agent.name} ${wanted} ${instead}`;
  if (agreed.has(key)) return instead;
  const title = `Let ${instead} answer as ${agent.name}: its own model ${wanted} is not offered here`;
  const verdict = await desk.asks.ask(
    { permission: 'model', patterns: [wanted], always: [], title, mustAsk: true },
    call,
    rules,
    signal,
  );
  if (verdict.kind !== 'allowed') {
    const said = verdict.kind === 'rejected' && verdict.message ? ` They say: ${verdict.message}` : '';
    const text = `${agent.name} is meant to answer with ${wanted}, which is not offered here, and the person wants no other model for it.${said}`;
    throw new ToolError(text, { stopsTurn: verdict.kind === 'rejected' && !verdict.message && !verdict.unanswered });
  }
  agreed.add(key);
  return instead;
}
