// For tests: what a model is offered of some servers, and a call as the loop makes it.
import type { AskQuestions } from '../../tools/question';
import { runTool } from '../../tools/run-tool';
import { contextFor, type TestContext } from '../../tools/testing';
import { type Agent, builtInAgents } from '../agents';
import { builtInSource } from '../built-in-source';
import { offerFor, type RequestOffer } from '../registry';
import type { McpConversation } from './server-asks';
import type { McpStatus } from './server-state';
import type { McpServers } from './servers';
import { nobody, processSandbox } from './testing';

/** Beside the shipped tools. */
export function offerOf(
  servers: McpServers,
  askQuestions: AskQuestions = nobody,
  agent: Agent = builtInAgents[0]!,
  more: Pick<McpConversation, 'sample'> = {},
): RequestOffer {
  return offerFor({
    model: 'practice',
    agent,
    mode: 'ask',
    sources: [builtInSource, ...servers.sources({ askQuestions, ...more })],
  });
}

/** The names of all offered tools. */
export function namesOf(servers: McpServers): string[] {
  return offerOf(servers).tools.map(({ tool }) => tool.name);
}

/** Of the first server. */
export function statusOf(servers: McpServers): McpStatus {
  return servers.states()[0]!.status;
}

/** A call as the loop makes it: settled, never thrown; what is no result begins with `!`. The person allows it. */
export async function callOn(
  servers: McpServers,
  tool: string,
  input: object,
  askQuestions: AskQuestions = nobody,
  context?: TestContext,
  more: Pick<McpConversation, 'sample'> = {},
): Promise<string> {
  const used = context ?? contextFor(await processSandbox('/tmp'));
  const settled = await runTool(
    { callId: 'call_1', tool, inputText: JSON.stringify(input) },
    {
      tools: offerOf(servers, askQuestions, undefined, more).tools.map((one) => one.tool),
      sandbox: used.sandbox,
      cwd: '/tmp',
      signal: used.signal,
      seen: used.seen,
      isGuarded: () => false,
      async permit(request) {
        await used.ask(request);
        return { kind: 'allowed', by: 'person' };
      },
      report: (progress) => progress.kind === 'update' && used.updates.push(progress),
    },
  );
  switch (settled.state) {
    case 'done':
      return settled.result.output;
    case 'error':
      return `!${settled.message}`;
    case 'interrupted':
      return '!interrupted';
  }
}
