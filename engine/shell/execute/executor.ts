// Lists, pipelines, subshells, background jobs and substitutions. Stages of a pipeline are tasks of this process on pipes of
// the system; only programs become children.
import {
  type AndOr,
  type Command,
  type CommandNode,
  type Function as FunctionNode,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  parse,
  type Statement,
} from 'unbash';
import { CaptureChannel, type Channel, DescriptorChannel } from '../io/channel';
import { decodeText } from '../io/text';
import { parseScript } from '../parse';
import { controlsJobs, type Executor, type Shell } from '../state';
import { runCompound } from './compound';
import { Discard, Exit, errorText, Killed, ShellError } from './control';
import { runInForeground, startJob } from './foreground';
import { runShell } from './invocation';
import { isExternal, isProgram } from './is-program';
import { openFile, redirect, withRedirections } from './redirect';
import { runToEnd } from './run-to-end';
import { afterFailure, breathe, type Runner, runTrap, settle } from './runner';
import { runSimple, runWords } from './simple';
import { timed } from './timed';

const run: Runner = {
  list: runList,
  body: (shell, list) => runList(shell, list.commands),
  command: runCommand,
};

/** The executor. */
export const executor: Executor = {
  substitute,
  processSubstitution,
  runText,
  runWords: (shell, words, options) => runWords(run, shell, words, options),
  runShell: (shell, words, options) => runShell(shell, words, options ?? {}),
};

async function runList(shell: Shell, statements: readonly Statement[]): Promise<number> {
  let status = 0;
  for (const statement of statements) {
    await breathe(shell);
    if (shell.options.noexec && !shell.interactive) return status;
    if (statement.background) status = await startBackground(shell, statement);
    else status = await runPipelineNode(shell, statement.command);
    shell.status = status;
  }
  return status;
}

/** A whole text: after an error in an expansion it goes on with the line after that command. */
async function runLines(shell: Shell, statements: readonly Statement[], text: string): Promise<number> {
  let status = 0;
  let from = 0;
  for (const statement of statements) {
    if (statement.pos < from) continue;
    try {
      status = await runList(shell, [statement]);
    } catch (error) {
      if (!(error instanceof Discard)) throw error;
      status = shell.status = error.status;
      const next = text.indexOf('\n', statement.end);
      from = next < 0 ? text.length : next;
    }
  }
  return status;
}

async function runPipelineNode(shell: Shell, node: PipelineNode | AndOr): Promise<number> {
  if (node.type === 'AndOr') return runAndOr(shell, node);
  if (node.type === 'Pipeline') return runPipeline(shell, node);
  const status = await runCommand(shell, node);
  setPipeStatus(shell, [status]);
  shell.status = status;
  if (status !== 0 && failureCounts(node)) await afterFailure(shell, status);
  return status;
}

function setPipeStatus(shell: Shell, statuses: number[]): void {
  shell.vars.put('PIPESTATUS', {
    value: new Map(statuses.map((status, position): [number, string] => [position, String(status)])),
  });
}

/** A group's own failure was already dealt with inside it. */
function failureCounts(node: CommandNode): boolean {
  return ['Command', 'Subshell', 'TestCommand', 'ArithmeticCommand'].includes(
    node.type === 'Redirected' ? node.command.type : node.type,
  );
}

async function runAndOr(shell: Shell, node: AndOr): Promise<number> {
  let status = 0;
  for (const [position, command] of node.commands.entries()) {
    const operator = node.operators[position - 1];
    if (operator === '&&' && status !== 0) continue;
    if (operator === '||' && status === 0) continue;
    const last = position === node.commands.length - 1;
    if (!last) shell.quiet++;
    try {
      status = await runPipelineNode(shell, command);
    } finally {
      if (!last) shell.quiet--;
    }
    shell.status = status;
  }
  return status;
}

async function runPipeline(shell: Shell, node: Pipeline): Promise<number> {
  const time = node.prefixes.find((prefix) => prefix.type === 'Time');
  if (time)
    return timed(shell, time.posix !== undefined, () =>
      runPipeline(shell, { ...node, prefixes: node.prefixes.filter((prefix) => prefix.type !== 'Time') }),
    );
  const negated = node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1;
  if (node.commands.length === 0) return negated ? 1 : 0;
  if (negated) shell.quiet++;
  let status: number;
  try {
    status =
      node.commands.length === 1 ? await runPipelineNode(shell, node.commands[0]!) : await runStages(shell, node);
  } finally {
    if (negated) shell.quiet--;
  }
  if (negated) return status === 0 ? 1 : 0;
  shell.status = status;
  if (status !== 0 && node.commands.length > 1) await afterFailure(shell, status);
  return status;
}

/** Both ends of a new pipe. Where none is left the command fails, and the shell that it was typed into goes on. */
function openPipe(shell: Shell): [number, number] {
  try {
    return shell.os.pipe();
  } catch (error) {
    throw new ShellError(`pipe error: ${errorText(error)}`, 1, 'line');
  }
}

async function runStages(shell: Shell, node: Pipeline): Promise<number> {
  shell.at(node);
  if (controlsJobs(shell))
    return runInForeground(shell, {
      command: shell.source.slice(node.pos, node.end),
      isProgram: false,
      body: (child) => runStages(child, node),
      after: (child) => shell.vars.put('PIPESTATUS', child.vars.own('PIPESTATUS') ?? { value: undefined }),
    });
  const count = node.commands.length;
  for (const command of node.commands) {
    if (shell.trapped === undefined) shell.commandText = shell.source.slice(command.pos, command.end);
    if (command.type !== 'Command' || !shell.traps.has('DEBUG')) continue;
    shell.at(command);
    await runTrap(shell, 'DEBUG');
  }
  const stages = node.commands.map(() => shell.copy());
  try {
    for (let position = 0; position < count - 1; position++) {
      const [read, write] = openPipe(shell);
      const sink = new DescriptorChannel(shell.os, write);
      stages[position]!.setDescriptor(1, sink);
      if (node.operators[position] === '|&') stages[position]!.setDescriptor(2, sink.retain());
      stages[position + 1]!.setDescriptor(0, new DescriptorChannel(shell.os, read));
    }
  } catch (error) {
    // The pipes before the one that failed go with their stages.
    for (const stage of stages) stage.dispose();
    throw error;
  }
  const tasks = stages.map((stage, position) => {
    const last = position === count - 1;
    if (last && shell.shopts.has('lastpipe') && !shell.options.monitor)
      return runLastStage(shell, stage, node.commands[position]!);
    return runSubshell(stage, () => runCommandChecked(stage, node.commands[position]!));
  });
  const statuses = await Promise.all(tasks);
  if (shell.signal.aborted) throw new Killed((shell.signal.reason as Killed).signal);
  setPipeStatus(shell, statuses);
  if (!shell.options.pipefail) return statuses.at(-1)!;
  return statuses.findLast((status) => status !== 0) ?? 0;
}

/** A stage's own failure ends only the stage. */
async function runCommandChecked(stage: Shell, command: CommandNode): Promise<number> {
  const status = await runCommand(stage, command);
  stage.status = status;
  return status;
}

async function runLastStage(shell: Shell, stage: Shell, command: CommandNode): Promise<number> {
  const saved = shell.fds;
  shell.fds = stage.fds;
  stage.fds = new Map();
  try {
    return await runCommand(shell, command);
  } finally {
    for (const channel of shell.fds.values()) channel.release();
    shell.fds = saved;
  }
}

/** Runs a body in a copy of the shell, to its end: traps, exits and failures stay inside. Disposes the copy. */
export async function runSubshell(child: Shell, body: () => Promise<number>): Promise<number> {
  try {
    return await runToEnd(child, body);
  } finally {
    child.dispose();
  }
}

async function runCommand(shell: Shell, node: CommandNode): Promise<number> {
  const open = shell.openSubstitutions.length;
  try {
    switch (node.type) {
      case 'Command':
        return await runSimple(run, shell, node);
      case 'Function':
        return defineFunction(shell, node);
      case 'Redirected':
        if (node.command.type === 'Subshell')
          return await runSubshellNode(shell, node, node.command.body.commands, node.redirects);
        return await withRedirections(shell, node.redirects, () => runCompound(run, shell, node.command));
      case 'Subshell':
        return await runSubshellNode(shell, node, node.body.commands, []);
      case 'Coproc':
        return startCoprocess();
      default:
        return await runCompound(run, shell, node);
    }
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    const status = await settle(shell, error);
    // A group that was not run because of its redirection has failed as a whole.
    if (node.type === 'Redirected' && shell.options.errexit && shell.quiet === 0) throw new Exit(error.status);
    return status;
  } finally {
    for (const fd of shell.openSubstitutions.splice(open)) shell.setDescriptor(fd, undefined);
  }
}

async function runSubshellNode(
  shell: Shell,
  node: CommandNode,
  commands: readonly Statement[],
  redirects: Parameters<typeof redirect>[1],
): Promise<number> {
  const body = async (child: Shell) => {
    await redirect(child, redirects);
    return runList(child, commands);
  };
  if (controlsJobs(shell)) {
    const command = shell.source.slice(node.pos, node.end);
    return runInForeground(shell, { command, isProgram: false, body });
  }
  shell.at(node);
  if (shell.trapped === undefined) shell.commandText = shell.source.slice(node.pos, node.end);
  const child = shell.copy();
  return runSubshell(child, () => body(child));
}

function defineFunction(shell: Shell, node: FunctionNode): number {
  const name = node.name.text;
  shell.functions.set(name, { body: node.body, source: shell.source, node, file: shell.file, base: shell.base });
  return 0;
}

async function startBackground(shell: Shell, { command: node }: Statement): Promise<number> {
  const request = {
    command: shell.source.slice(node.pos, node.end),
    words: isExternal(shell, node) ? shell.source.slice(node.pos, node.end) : undefined,
    isProgram: isProgram(shell, node),
    async body(child: Shell) {
      if (!shell.options.monitor) child.setDescriptor(0, openFile(child, '/dev/null', 0));
      child.isSpent = (node.type === 'Command' || node.type === 'Redirected') && node.redirects.length > 0;
      return node.type === 'AndOr' || node.type === 'Pipeline'
        ? runPipelineNode(child, node)
        : runCommandChecked(child, node);
    },
  };
  const job = await startJob(shell, request, true);
  shell.lastBackground = job.pid;
  if (controlsJobs(shell)) await shell.write(2, `[${job.id}] ${job.pid}\n`);
  return 0;
}

function startCoprocess(): never {
  throw new ShellError('coproc: co-processes are not supported by this shell', 2);
}

async function substitute(shell: Shell, script: ParsedScript | undefined, text: string): Promise<string> {
  if (!script) return '';
  const file = onlyRead(script);
  const capture = new CaptureChannel(shell.os);
  const child = shell.copy();
  child.traceDepth++;
  child.setDescriptor(1, capture);
  if (!shell.options.posix) child.options.errexit = false;
  if (script.source !== undefined) {
    child.base = shell.line() - 1;
    child.source = script.source;
  }
  const error = script.errors?.[0];
  const status = await runSubshell(child, async () => {
    if (error)
      throw new ShellError(
        `command substitution: ${parseScript(text.slice(2, -1)).error?.message ?? error.message}`,
        1,
      );
    if (!file) return runList(child, script.commands);
    await redirect(child, file.redirects);
    return runWords(run, child, ['cat'], { functions: false });
  });
  shell.substitutionStatus = status;
  shell.status = status;
  if (shell.signal.aborted) throw new Killed((shell.signal.reason as Killed).signal);
  return decodeText(await capture.bytes())
    .replaceAll('\0', '')
    .replace(/\n+$/, '');
}

/** `$(< file)`. */
function onlyRead(script: ParsedScript): Command | undefined {
  const command = script.commands.length === 1 ? script.commands[0]!.command : undefined;
  return command?.type === 'Command' &&
    !command.name &&
    command.prefix.length === 1 &&
    command.prefix[0]!.type === 'Redirect' &&
    command.prefix[0]!.operator === '<'
    ? command
    : undefined;
}

async function processSubstitution(shell: Shell, operator: '<' | '>', script: ParsedScript): Promise<string> {
  const [read, write] = openPipe(shell);
  const ours = new DescriptorChannel(shell.os, operator === '<' ? read : write);
  const theirs: Channel = new DescriptorChannel(shell.os, operator === '<' ? write : read);
  const child = shell.copy();
  child.setDescriptor(operator === '<' ? 1 : 0, theirs);
  const task = runSubshell(child, () => runList(child, script.commands));
  if (operator === '>') {
    shell.substitutions.add(task);
    void task.finally(() => shell.substitutions.delete(task));
  }
  let fd = 63;
  while (shell.fds.has(fd)) fd--;
  shell.setDescriptor(fd, ours);
  shell.openSubstitutions.push(fd);
  return `/dev/fd/${fd}`;
}

async function runText(shell: Shell, text: string, label?: string, base = 0): Promise<number> {
  const parsed = parseScript(text);
  const saved = { source: shell.source, position: shell.position, base: shell.base };
  if (parsed.error?.message === '') parsed.error = undefined;
  if (parsed.error) {
    const line = base + parsed.error.line;
    const name = label ?? shell.errorName();
    const middle = label === undefined ? 'eval: ' : '';
    // At the prompt there is but one line, and it stands there.
    if (shell.interactive && label !== undefined && shell.callStack.length === 0) {
      await shell.write(2, `${name}: ${parsed.error.message}\n`);
      return 2;
    }
    await shell.write(2, `${name}: ${middle}line ${line}: ${parsed.error.message}\n`);
    if (/unexpected token/.test(parsed.error.message))
      await shell.write(2, `${name}: ${middle}line ${line}: \`${text.split('\n')[parsed.error.line - 1] ?? ''}'\n`);
    return 2;
  }
  shell.source = text;
  shell.base = base;
  try {
    return await runLines(shell, parse(text).commands, text);
  } finally {
    Object.assign(shell, saved);
  }
}
