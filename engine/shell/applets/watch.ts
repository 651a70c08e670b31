// watch: a command again and again, its output on a screen of its own.
import { killedBy } from '../execute/control';
import { columnsOf } from '../interactive/cells';
import { lastValue, parseOptions } from './options';
import { strftime } from './strftime';
import { type Applet, pause, UsageError } from './tool';

/** The main screen, which comes back at the end, and the other one. */
const OTHER_SCREEN = '\x1b[?1049h';
const MAIN_SCREEN = '\x1b[?1049l';

/** watch [-degtx] [-n seconds] command. It needs a terminal, and ends by Ctrl-C. */
export const watch: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    'ctegxn:',
    { 'no-title': 't', errexit: 'e', chgexit: 'g', exec: 'x', 'interval=': 'n', color: 'c' },
    { permute: false },
  );
  const words = parsed.operands;
  if (words.length === 0) throw new UsageError('no command given: watch [-cegtx] [-n seconds] command');
  const seconds = lastValue(parsed, 'n') ?? '2';
  if (!/^(\d+([.,]\d*)?|[.,]\d+)$/.test(seconds))
    throw new UsageError(`failed to parse argument: '${seconds}': Invalid argument`);
  const interval = Math.max(0.1, Number(seconds.replace(',', '.')));
  const { flags } = parsed;
  if (!tool.stdout.isTerminal) throw new UsageError('the output is no terminal, and there is nothing to show it on');
  const command = flags.has('x') ? words : ['sh', '-c', words.join(' ')];
  let before: string | undefined;
  await tool.stdout.write(OTHER_SCREEN);
  try {
    for (;;) {
      const { status, text } = await output(tool, command);
      const size = tool.os.terminalSize(1) ?? { columns: 80, rows: 24 };
      await tool.stdout.write(`\x1b[H\x1b[2J${flags.has('t') ? '' : title(interval, words.join(' '), size.columns)}`);
      const rows = text.split('\n').slice(0, size.rows - (flags.has('t') ? 0 : 2));
      await tool.stdout.write(`${rows.join('\r\n')}\x1b[${size.rows};${size.columns}H`);
      await tool.stdout.flush();
      if (flags.has('e') && status !== 0) return status;
      if (flags.has('g') && before !== undefined && text !== before) return 0;
      before = text;
      await pause(tool, interval * 1000);
    }
  } catch (error) {
    // Ctrl-C is how it is left, and no failure.
    if (tool.signal.aborted && killedBy(tool.signal).signal === 'SIGINT') return 0;
    throw error;
  } finally {
    await tool.stdout.channel.write(Buffer.from(MAIN_SCREEN), new AbortController().signal);
  }
};

function title(interval: number, command: string, columns: number): string {
  const left = `Every ${interval.toFixed(1)}s: ${command}`;
  const right = strftime('%a %b %e %H:%M:%S %Y', new Date());
  const gap = columns - columnsOf(left) - right.length;
  return `${gap > 0 ? `${left}${' '.repeat(gap)}${right}` : left.slice(0, columns)}\r\n\r\n`;
}

/** What a command writes to both of its outputs. */
async function output(tool: Parameters<Applet>[0], command: string[]): Promise<{ status: number; text: string }> {
  const [read, write] = tool.os.pipe();
  const { DescriptorChannel } = await import('../io/channel');
  const { Input } = await import('../io/streams');
  const [source, target] = [new DescriptorChannel(tool.os, read), new DescriptorChannel(tool.os, write)];
  const running = tool.run(command, { stdout: target, signal: tool.signal }).finally(() => target.release());
  try {
    const text = await new Input(source, tool.signal).text();
    return { status: Math.abs(await running), text };
  } finally {
    source.release();
  }
}
