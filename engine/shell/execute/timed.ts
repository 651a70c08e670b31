// The `time` keyword.
import type { Shell } from '../state';

/** Runs the body and prints its wall time; the CPU times are those of the shell's own process. */
export async function timed(shell: Shell, posix: boolean, body: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  try {
    return await body();
  } finally {
    const used = process.cpuUsage(cpu);
    const row = (seconds: number) =>
      posix ? seconds.toFixed(2) : `${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(3)}s`;
    const separator = posix ? ' ' : '\t';
    const lines = [
      ['real', (performance.now() - start) / 1000],
      ['user', used.user / 1e6],
      ['sys', used.system / 1e6],
    ] as const;
    await shell.write(
      2,
      `${posix ? '' : '\n'}${lines.map(([name, seconds]) => `${name}${separator}${row(seconds)}\n`).join('')}`,
    );
  }
}
