// The `time` keyword, and the format of what it prints.
import type { Shell } from '../state';

const STANDARD = '\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS';
const POSIX = 'real %2R\nuser %2U\nsys %2S';

/** Runs the body and prints its wall time as TIMEFORMAT says; the CPU times are those of the shell's own process. */
export async function timed(shell: Shell, posix: boolean, body: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  try {
    return await body();
  } finally {
    const used = process.cpuUsage(cpu);
    const times = { R: performance.now() - start, U: used.user / 1000, S: used.system / 1000 };
    const format = posix ? POSIX : (shell.vars.get('TIMEFORMAT') ?? STANDARD);
    if (format !== '') await print(shell, format, times);
  }
}

async function print(shell: Shell, format: string, times: Record<'R' | 'U' | 'S', number>): Promise<void> {
  let wrong: string | undefined;
  const text = format.replace(/%(%|P|(\d?)(l?)([RUS])|\d?l?([\s\S]?))/g, (_, all, places, long, which, other) => {
    if (all === '%') return '%';
    if (all === 'P') return percentage(times);
    if (which) return duration(times[which as 'R'], places === '' ? 3 : Math.min(3, Number(places)), long === 'l');
    wrong ??= other;
    return '';
  });
  if (wrong === undefined) await shell.write(2, `${text}\n`);
  else await shell.complain(`TIMEFORMAT: \`${wrong}': invalid format character`);
}

function percentage({ R, U, S }: Record<'R' | 'U' | 'S', number>): string {
  return (R > 0 ? Math.min(100, ((U + S) * 100) / R) : 0).toFixed(2);
}

/** Digits after the point are cut, not rounded. */
function duration(ms: number, places: number, long: boolean): string {
  const whole = Math.floor(ms / 1000);
  const fraction =
    places === 0
      ? ''
      : `.${String(Math.floor(ms % 1000))
          .padStart(3, '0')
          .slice(0, places)}`;
  return long ? `${Math.floor(whole / 60)}m${whole % 60}${fraction}s` : `${whole}${fraction}`;
}
