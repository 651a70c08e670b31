// jobs, wait, kill, fg, bg, disown, times, ulimit, umask.
import os from 'node:os';
import { ShellError, signalName, signalNumber } from '../execute/control';
import { resumeJob, signalJob, waitInForeground } from '../execute/foreground';
import { jobLine } from '../execute/job-line';
import type { Job } from '../execute/jobs';
import { runPendingTraps } from '../execute/runner';
import type { Shell } from '../state';
import { type Builtin, builtinOptions } from './types';

async function jobs(shell: Shell, args: string[]): Promise<number> {
  const { options } = builtinOptions('jobs', args, 'lnprs');
  for (const job of shell.jobs.list()) {
    if ((options.has('r') && (job.ended || job.stopped)) || (options.has('s') && !job.stopped)) continue;
    job.reported = true;
    await shell.write(1, options.has('p') ? `${job.pid}\n` : jobLine(shell, job, options.has('l')));
    if (job.ended) shell.jobs.remove(job);
  }
  return 0;
}

/** The job that an operand of wait, kill, fg means. */
function jobOf(shell: Shell, name: string, operand: string): Job | undefined {
  if (!operand.startsWith('%')) return shell.jobs.find(Number(operand));
  const job = shell.jobs.bySpec(operand);
  if (!job) throw new ShellError(`${name}: ${operand}: no such job`, name === 'wait' ? 127 : 1);
  return job;
}

/** Waits for a promise; a trapped signal or the death of this task ends the wait. */
async function interruptible(shell: Shell, promise: Promise<number>): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    const stop = () => reject(shell.signal.reason);
    shell.signal.addEventListener('abort', stop, { once: true });
    shell.onPending = () => {
      const name = shell.pendingSignals[0]!;
      void runPendingTraps(shell).then(() => resolve(128 + signalNumber(name)), reject);
    };
    promise.then(resolve, reject).finally(() => {
      shell.signal.removeEventListener('abort', stop);
      shell.onPending = undefined;
    });
  });
}

async function wait(shell: Shell, args: string[]): Promise<number> {
  const { options, rest } = builtinOptions('wait', args, 'fnp:');
  if (options.has('n')) {
    const chosen =
      rest.length > 0
        ? rest.map((operand) => jobOf(shell, 'wait', operand)).filter((job) => job !== undefined)
        : shell.jobs.list();
    if (chosen.length === 0) return 127;
    const first =
      chosen.find((job) => job.ended) ?? (await Promise.race(chosen.map((job) => job.finished.then(() => job))));
    const status = await interruptible(shell, first.finished);
    shell.jobs.remove(first);
    return status;
  }
  if (rest.length === 0) {
    const all = shell.jobs.all();
    await interruptible(
      shell,
      Promise.all([...all.map((job) => job.finished)]).then(() => 0),
    );
    for (const job of shell.jobs.list()) if (job.ended && !shell.interactive) shell.jobs.remove(job);
    return 0;
  }
  let status = 0;
  for (const operand of rest) {
    if (!/^(%.*|\d+)$/.test(operand)) {
      await shell.complain(`wait: \`${operand}': not a pid or valid job spec`);
      status = 1;
      continue;
    }
    const job = jobOf(shell, 'wait', operand);
    if (job) {
      status = await interruptible(shell, job.finished);
      if (job.ended) shell.jobs.remove(job);
    } else if (shell.jobs.past(Number(operand)) !== undefined) status = shell.jobs.past(Number(operand))!;
    else {
      await shell.complain(`wait: pid ${operand} is not a child of this shell`);
      status = 127;
    }
  }
  return status;
}

async function kill(shell: Shell, args: string[]): Promise<number> {
  let signal: NodeJS.Signals | 0 = 'SIGTERM';
  const rest = [...args];
  const usage = 'kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]';
  const first = rest[0];
  if (first === '-l' || first === '-L') return listSignals(shell, rest.slice(1));
  if (first?.startsWith('-') && first !== '--') {
    rest.shift();
    const text = first === '-s' || first === '-n' ? rest.shift() : first.slice(1);
    const named = text === '0' ? 0 : text === undefined ? undefined : signalName(text);
    if (named === undefined) throw new ShellError(`kill: ${text}: invalid signal specification`);
    signal = named;
  }
  if (rest[0] === '--') rest.shift();
  if (rest.length === 0) throw new ShellError(usage, 2);
  let status = 0;
  for (const operand of rest) {
    try {
      killOne(shell, operand, signal);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A shell that kills itself unwinds by an exception of its own.
      if (!(error instanceof ShellError) && code !== 'EPERM' && code !== 'ESRCH') throw error;
      const reason = code === 'EPERM' ? 'Operation not permitted' : 'No such process';
      await shell.complain(error instanceof ShellError ? error.message : `kill: (${operand}) - ${reason}`);
      status = 1;
    }
  }
  await new Promise((resolve) => setImmediate(resolve));
  return status;
}

function killOne(shell: Shell, operand: string, signal: NodeJS.Signals | 0): void {
  if (!/^(%.*|-?\d+)$/.test(operand)) throw new ShellError(`kill: ${operand}: arguments must be process or job IDs`);
  const job = jobOf(shell, 'kill', operand);
  if (job?.internal || (job && operand.startsWith('%'))) {
    if (job.ended) throw Object.assign(new Error('ESRCH'), { code: 'ESRCH' });
    if (signal !== 0) signalJob(job, signal);
    // A stopped job could not end.
    if (job.stopped && (signal === 'SIGTERM' || signal === 'SIGHUP')) signalJob(job, 'SIGCONT');
    return;
  }
  const pid = Number(operand);
  if (pid === shell.pid && signal !== 0 && shell.traps.has(signal)) {
    shell.pendingSignals.push(signal);
    shell.onPending?.();
    return;
  }
  process.kill(pid, signal);
}

async function listSignals(shell: Shell, operands: string[]): Promise<number> {
  if (operands.length === 0) {
    const names = Object.entries(os.constants.signals).sort((a, b) => a[1] - b[1]);
    const rows = names.map(([name, number]) => `${String(number).padStart(2)}) ${name}`);
    for (let i = 0; i < rows.length; i += 5) await shell.write(1, `${rows.slice(i, i + 5).join('\t')}\n`);
    return 0;
  }
  let status = 0;
  for (const operand of operands) {
    if (operand === '0') {
      await shell.write(1, 'EXIT\n');
      continue;
    }
    const name = signalName(/^\d+$/.test(operand) && Number(operand) > 128 ? String(Number(operand) - 128) : operand);
    if (!name) {
      await shell.complain(`kill: ${operand}: invalid signal specification`);
      status = 1;
    } else await shell.write(1, `${/^\d+$/.test(operand) ? name.slice(3) : signalNumber(name)}\n`);
  }
  return status;
}

/** The job that fg and bg mean: `%1`, a command's beginning, or the current one. */
function chosenJob(shell: Shell, name: string, operand: string | undefined): Job {
  if (!shell.options.monitor) throw new ShellError(`${name}: no job control`);
  const spec = operand === undefined ? '%' : operand.startsWith('%') ? operand : `%${operand}`;
  const job = shell.jobs.bySpec(spec);
  if (!job || job.ended) throw new ShellError(`${name}: ${operand ?? 'current'}: no such job`);
  return job;
}

async function foreground(shell: Shell, args: string[]): Promise<number> {
  const job = chosenJob(shell, 'fg', args[0]);
  await shell.write(1, `${job.command}\n`);
  resumeJob(shell, job, true);
  return waitInForeground(shell, job);
}

/** What `u=rwx,g-w` makes of the bits that are allowed. */
function symbolicMask(text: string, allowed: number): number {
  for (const clause of text.split(',')) {
    const match = clause.match(/^([ugoa]*)(.?)(.*)$/s)!;
    const [, who, operator, letters] = match as unknown as [string, string, string, string];
    if (!'+-='.includes(operator) || operator === '')
      throw new ShellError(`umask: \`${operator || ','}': invalid symbolic mode operator`);
    const wrong = letters.match(/[^rwxX]/);
    if (wrong) throw new ShellError(`umask: \`${wrong[0]}': invalid symbolic mode character`);
    const bits = [...letters].reduce((sum, letter) => sum | { r: 4, w: 2, x: 1, X: 1 }[letter as 'r'], 0);
    for (const [class_, shift] of [
      ['u', 6],
      ['g', 3],
      ['o', 0],
    ] as const) {
      if (who !== '' && !who.includes('a') && !who.includes(class_)) continue;
      if (operator === '+') allowed |= bits << shift;
      else if (operator === '-') allowed &= ~(bits << shift);
      else allowed = (allowed & ~(7 << shift)) | (bits << shift);
    }
  }
  return allowed;
}

async function umask(shell: Shell, args: string[]): Promise<number> {
  const { options, rest } = builtinOptions('umask', args, 'pS');
  const text = rest[0];
  if (text === undefined) {
    const octal = shell.umask.toString(8).padStart(4, '0');
    const letters = [6, 3, 0].map(
      (shift, at) =>
        `${'ugo'[at]}=${['r', 'w', 'x'].filter((_, bit) => !((shell.umask >> shift) & (4 >> bit))).join('')}`,
    );
    const shown = options.has('S') ? letters.join(',') : octal;
    await shell.write(1, `${options.has('p') ? `umask ${options.has('S') ? '-S ' : ''}` : ''}${shown}\n`);
    return 0;
  }
  if (/^\d/.test(text)) {
    if (!/^[0-7]+$/.test(text) || Number.parseInt(text, 8) > 0o7777)
      throw new ShellError(`umask: ${text}: octal number out of range`);
    shell.umask = Number.parseInt(text, 8) & 0o777;
  } else shell.umask = 0o777 & ~symbolicMask(text, 0o777 & ~shell.umask);
  return 0;
}

async function ulimit(shell: Shell, args: string[]): Promise<number> {
  const rows: [string, string, string, string][] = [
    ['c', 'core file size', '(blocks, -c)', '0'],
    ['n', 'open files', '(-n)', '1024'],
    ['s', 'stack size', '(kbytes, -s)', '8192'],
    ['u', 'max user processes', '(-u)', 'unlimited'],
    ['v', 'virtual memory', '(kbytes, -v)', 'unlimited'],
    ['f', 'file size', '(blocks, -f)', 'unlimited'],
  ];
  const letters = args.flatMap((word) => (word.startsWith('-') ? [...word.slice(1)] : []));
  const wanted = args.find((word) => !word.startsWith('-'));
  if (letters.includes('a')) {
    for (const [, label, unit, value] of rows)
      await shell.write(1, `${label}${unit.padStart(44 - label.length)} ${value}\n`);
    return 0;
  }
  const letter = letters.findLast((one) => !/[HS]/.test(one)) ?? 'f';
  const row = rows.find(([key]) => key === letter);
  if (!row) throw new ShellError(`ulimit: -${letter}: invalid option`, 2);
  const [, label, , value] = row;
  if (wanted === undefined) await shell.write(1, `${value}\n`);
  else if (wanted !== value && !/^(hard|soft)$/.test(wanted)) {
    if (!/^(\d+|unlimited)$/.test(wanted)) throw new ShellError(`ulimit: ${wanted}: invalid number`);
    // The limits of the tab are not for a shell to move.
    throw new ShellError(`ulimit: ${label}: cannot modify limit: Operation not permitted`);
  }
  return 0;
}

/** Builtins of this file by name. */
export const PROCESS_BUILTINS: Record<string, Builtin> = {
  jobs,
  wait,
  kill,
  fg: foreground,
  async bg(shell, args) {
    const job = chosenJob(shell, 'bg', args[0]);
    if (!job.stopped) {
      await shell.complain(`bg: job ${job.id} already in background`);
      return 0;
    }
    const mark = job === shell.jobs.recent()[0] ? '+' : job === shell.jobs.recent()[1] ? '-' : ' ';
    resumeJob(shell, job, false);
    await shell.write(1, `[${job.id}]${mark} ${job.command} &\n`);
    return 0;
  },
  disown(shell, args) {
    const { options, rest } = builtinOptions('disown', args, 'ahr');
    const chosen = options.has('a')
      ? shell.jobs.list()
      : (rest.length > 0 ? rest : ['%']).map((operand) => jobOf(shell, 'disown', operand));
    for (const job of chosen) if (job && !options.has('h')) job.disowned = true;
    return 0;
  },
  umask,
  ulimit,
  async times(shell) {
    const usage = process.cpuUsage();
    const row = (micros: number) => `${Math.floor(micros / 6e7)}m${((micros / 1e6) % 60).toFixed(3)}s`;
    await shell.write(1, `${row(usage.user)} ${row(usage.system)}\n0m0.000s 0m0.000s\n`);
    return 0;
  },
};
