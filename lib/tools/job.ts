// The job tool: logs, waiting, input and the end of commands in the background.
import { z } from 'zod';
import { splitLines } from '../std/line-endings';
import { steadyNow } from '../std/steady';
import { expressionHazard } from '../std/stranger-expression';
import { plainOutputInSlices } from '../std/terminal-text';
import { jobPrompt } from './job.prompt';
import { type Job, type JobView, jobsOf } from './jobs';
import { describeEnd } from './shell-process';
import { type Tool, type ToolContext, ToolError } from './tool';
import { waitForJob } from './wait-for-job';

const input = z.object({
  action: z.enum(['list', 'log', 'wait', 'write', 'kill']).describe('What to do'),
  id: z.string().min(1).optional().describe('Which job'),
  offset: z.number().int().optional().describe('log: first line'),
  limit: z.number().int().positive().max(2000).optional().describe('log: how many lines'),
  port: z.number().int().positive().optional().describe('wait: for this port'),
  pattern: z.string().min(1).optional().describe('wait: for this in the output'),
  timeoutMs: z.number().int().positive().max(600_000).optional().describe('wait: at most so long'),
  input: z.string().optional().describe('write: what'),
});
type JobInput = z.infer<typeof input>;

const killGraceMs = 3000;
const defaultWaitMs = 30_000;

/** Looks after background commands. */
export const jobTool: Tool<JobInput> = {
  name: 'job',
  kind: 'run',
  // What it writes to is a command that was allowed; what it writes is asked about below.
  permission: 'bash',
  description: jobPrompt.description,
  input,
  example: { action: 'wait', id: 'job_1', pattern: 'ready in', timeoutMs: 20_000 },
  async execute(request, context) {
    const jobs = jobsOf(context.sandbox);
    if (request.action === 'list') {
      const list = jobs.list();
      return { title: `${list.length} jobs`, output: list.map(line).join('\n') || jobPrompt.none };
    }
    const { id, action } = request;
    if (id === undefined) throw new ToolError(jobPrompt.missing(action, 'id'));
    const job = jobs.get(id);
    if (job === undefined)
      throw new ToolError(
        jobPrompt.unknown(
          id,
          jobs.list().map((view) => view.id),
        ),
      );
    context.update({ title: `${action} ${id}` });
    const output = await act(action, job, request, context);
    const { command, ports } = job.view();
    return {
      title: `${id} ${command}`,
      output,
      cut: { headShare: 0.3 },
      meta: { job: id, action, ...(ports.length > 0 ? { port: ports[0] } : {}) },
    };
  },
};

async function act(
  action: Exclude<JobInput['action'], 'list'>,
  job: Job,
  request: JobInput,
  context: ToolContext,
): Promise<string> {
  switch (action) {
    case 'log':
      return `${line(job.view())}\n${await logPage(job, request)}`;
    case 'wait': {
      const { port, pattern, timeoutMs = defaultWaitMs } = request;
      if (port === undefined && pattern === undefined)
        throw new ToolError(jobPrompt.missing('wait', 'port or pattern'));
      const condition = {
        ...(port === undefined ? {} : { port }),
        ...(pattern === undefined ? {} : { pattern: compiled(pattern) }),
      };
      const met = await waitForJob(job, condition, timeoutMs, context.signal);
      return `${jobPrompt.waited[met]} ${line(job.view())}\n${await logPage(job, { limit: 40 })}`;
    }
    case 'write': {
      if (request.input === undefined) throw new ToolError(jobPrompt.missing('write', 'input'));
      const { id, command, isReadOnly } = job.view();
      if (context.sandbox.policy?.writable !== undefined && !isReadOnly) throw new ToolError(jobPrompt.notYours(id));
      // The program may be a shell: what is typed into it is as powerful as a command, and nothing can parse it.
      await context.ask({
        permission: 'bash',
        patterns: [request.input],
        always: [],
        title: `Type into ${command}`,
        opaque: true,
        meta: { command: request.input, opaque: `it is typed into ${command}` },
      });
      await job.write(request.input).catch(() => {
        throw new ToolError(jobPrompt.inputClosed(id));
      });
      const met = await waitForJob(job, { pattern: /$^/ }, 300, context.signal);
      return `Written. ${met === 'ended' ? jobPrompt.waited.ended : ''}\n${await logPage(job, { limit: 40 })}`;
    }
    case 'kill':
      await job.stop(killGraceMs);
      return line(job.view());
  }
}

function compiled(pattern: string): RegExp {
  try {
    const expression = new RegExp(pattern, 'mu');
    const hazard = expressionHazard(pattern);
    if (hazard === undefined) return expression;
    throw new Error(`${hazard}, which could take for ever. Look for a few fixed words`);
  } catch (error) {
    throw new ToolError(jobPrompt.badPattern(pattern, (error as Error).message));
  }
}

function line({ id, command, directory, pid, end, ports, startedAtMs, endedAtMs }: JobView): string {
  const seconds = (((endedAtMs ?? steadyNow()) - startedAtMs) / 1000).toFixed(1);
  const state = end === undefined ? `running as process ${pid}` : describeEnd(end);
  const listens = ports.length > 0 ? `, listens on port ${ports.join(', ')}` : '';
  return `${id}: ${command} (${state}${listens}; ${seconds} s; in ${directory})`;
}

async function logPage(job: Job, { offset = -100, limit = 100 }: Pick<JobInput, 'offset' | 'limit'>): Promise<string> {
  const lines = splitLines(await plainOutputInSlices(job.output.text()));
  const first = offset < 0 ? Math.max(0, lines.length + offset) : Math.max(0, offset - 1);
  const from = offset < 0 ? Math.max(first, lines.length - limit) : first;
  if (from >= lines.length && lines.length > 0) return jobPrompt.beyond(from + 1, lines.length);
  const shown = lines.slice(from, from + limit);
  const text = shown.join('\n');
  return `${text || '(no output)'}\n(lines ${Math.min(from + 1, lines.length)}-${from + shown.length} of ${lines.length})`;
}
