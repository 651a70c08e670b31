// What commands share: how a shell is started and how its end is told.
import type { FilePolicy, Process, ProcessEnd, Sandbox } from '../sandbox/sandbox';
import { bashPrompt } from './bash.prompt';
import { ToolError } from './tool';

/** Nothing waits for a key press, and nothing draws for a screen. */
const shellEnvironment = { CI: 'true', NO_COLOR: '1', TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat' };

interface ShellStart {
  cwd: string;
  policy: FilePolicy | undefined;
  /** Beyond those that every shell here has. */
  environment: Record<string, string> | undefined;
}

/** Starts bash; a sandbox without it, or one that can't keep to the policy, is a ToolError. */
export async function spawnShell(
  sandbox: Sandbox,
  args: string[],
  { cwd, policy, environment }: ShellStart,
): Promise<Process> {
  const env = { ...environment, ...shellEnvironment };
  try {
    return await sandbox.spawn('bash', args, { cwd, env, ...(policy && { policy }) });
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT') throw new ToolError(bashPrompt.noShell);
    if (code === 'ENOTSUP' && policy !== undefined) throw new ToolError(bashPrompt.noPolicy);
    throw error;
  }
}

/** How a process ended, in words. */
export function describeEnd(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exited':
      return `exit code ${end.code}`;
    case 'signalled':
      return `ended by ${end.signal}`;
    case 'crashed':
      return `crashed: ${end.message}`;
  }
}
