// For tests: a context around a memory sandbox that records what a tool asked and showed.
import { spawn } from 'node:child_process';
import type { Review } from '../permission/asks';
import { guardedFiles } from '../permission/guarded-files';
import { rulesFor } from '../permission/presets';
import { createMemorySandbox, type MemoryOptions, type ScriptedCommand } from '../sandbox/memory';
import type { Sandbox } from '../sandbox/sandbox';
import { createSeenFiles } from './seen-files';
import { type AskRequest, type Tool, type ToolContext, ToolError } from './tool';

export interface TestContext extends ToolContext {
  asked: AskRequest[];
  updates: { title?: string; output?: string }[];
  stop: AbortController;
  /** Called at each ask; throw to refuse, answer a review to allow a part. */
  onAsk?: (request: AskRequest) => undefined | Promise<Review | undefined>;
}

/** A sandbox with these files, and a context that allows everything unless `onAsk` says otherwise. */
export async function toolContext(options: MemoryOptions = {}): Promise<TestContext> {
  return contextFor(await createMemorySandbox(options));
}

/** A context for an existing sandbox. */
export function contextFor(sandbox: Sandbox): TestContext {
  const stop = new AbortController();
  const context: TestContext = {
    sandbox,
    cwd: sandbox.workdir,
    signal: stop.signal,
    callId: 'call_1',
    seen: createSeenFiles(),
    asked: [],
    updates: [],
    stop,
    update: (partial) => context.updates.push(partial),
    ask: async (request) => {
      context.asked.push(request);
      return (await context.onAsk?.(request)) ?? undefined;
    },
    isGuarded: guardedFiles({ policy: rulesFor('ask'), role: [] }),
    runAgent: () => Promise.reject(new ToolError('no agents in this test')),
  };
  return context;
}

/** Runs a tool; an expected failure comes back as its message after `!`. */
export async function outcome<Input>(tool: Tool<Input>, input: Input, context: ToolContext): Promise<string> {
  try {
    return (await tool.execute(input, context)).output;
  } catch (error) {
    if (error instanceof ToolError) return `!${error.message}`;
    throw error;
  }
}

/** The machine's real bash as a scripted command. It sees no files of the memory sandbox: for output, exit codes, signals and time. */
export const realBash: ScriptedCommand = ({ args, out, err, signal }) =>
  new Promise((resolve) => {
    const child = spawn('bash', args, { cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk: Buffer) => out(chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => err(chunk.toString()));
    // What the shell printed is often still in the pipe when it has exited; a child of it may keep the pipe open for ever.
    child.on('close', (code) => resolve(code ?? 1));
    child.on('exit', (code) => setTimeout(() => resolve(code ?? 1), 300));
    signal.addEventListener('abort', () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // Already gone.
      }
    });
  });
