// The tool layer as one module for the bench: bundled, because Node does not find the library's imports by itself.
import { z } from 'zod';
import { createAsks } from '../../lib/permission/asks';
import { builtInAgents } from '../../lib/registry/agents';
import { builtInSource } from '../../lib/registry/built-in-source';
import { offerFor, ruleSetFor } from '../../lib/registry/registry';
import { createMemorySandbox } from '../../lib/sandbox/memory';
import { runTool } from '../../lib/tools/run-tool';
import { createSeenFiles } from '../../lib/tools/seen-files';
import type { AskRequest, Tool } from '../../lib/tools/tool';

const ask = { permission: 'read', patterns: ['a.txt'], always: ['*'], title: 'Read a.txt' };
const probe: Tool<{ path: string }> = {
  name: 'probe',
  kind: 'read',
  description: 'Does nothing.',
  input: z.object({ path: z.string() }),
  example: { path: 'a' },
  async execute({ path }, context) {
    await context.ask(ask);
    return { title: path, output: 'one line' };
  },
};

/** One offer, and one call through the whole layer. Each throws when it did not do its work. */
export async function prepareToolLayer() {
  const sandbox = await createMemorySandbox();
  const request = {
    model: 'anthropic/claude-test',
    agent: builtInAgents[0]!,
    mode: 'ask' as const,
    sources: [builtInSource],
  };
  const rules = ruleSetFor(request);
  const { signal } = new AbortController();
  const asks = createAsks<AskRequest>({ grants: () => [], addGrants: () => {}, onChange: () => {}, timeoutMs: 1000 });
  return {
    offer() {
      if (offerFor(request).tools.length < 5) throw new Error('the offer is not complete');
    },
    async guarded() {
      const settled = await runTool(
        { callId: 'c', tool: 'probe', inputText: '{"path":"a.txt"}' },
        {
          tools: [probe],
          sandbox,
          cwd: sandbox.workdir,
          signal,
          seen: createSeenFiles(),
          isGuarded: () => false,
          permit: (one) => asks.ask(one, { callId: 'c', tool: 'probe' }, () => rules, signal),
          report: () => {},
        },
      );
      if (settled.state !== 'done') throw new Error(`the call ended as ${settled.state}`);
    },
  };
}
