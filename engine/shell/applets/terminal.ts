// stty, tput, reset: what scripts ask of the terminal.
import type { TerminalModes } from '../../ipc/types';
import { COOKED, RAW } from '../os';
import { type Applet, complain, UsageError } from './tool';

const MODES: Record<string, keyof TerminalModes> = {
  icanon: 'canonical',
  echo: 'echo',
  isig: 'signals',
  icrnl: 'returnsNewline',
};

function describe(modes: TerminalModes): string {
  return Object.entries(MODES)
    .map(([name, mode]) => `${modes[mode] ? '' : '-'}${name}`)
    .join(' ');
}

/** stty [-a] [-g] [size] [setting…]: the settings that this terminal has. */
export const stty: Applet = async (tool) => {
  const fd = tool.stdin.channel.isTerminal() ? tool.stdin.channel.descriptor() : -1;
  const modes = fd < 0 ? undefined : tool.os.terminalModes(fd);
  const size = fd < 0 ? undefined : tool.os.terminalSize(fd);
  if (!modes || !size) {
    await complain(tool, "'standard input': Inappropriate ioctl for device");
    return 1;
  }
  if (tool.args.length === 0 || tool.args[0] === '-a') {
    if (tool.args[0] === '-a')
      await tool.stdout.write(`speed 38400 baud; rows ${size.rows}; columns ${size.columns}; line = 0;\n`);
    await tool.stdout.write(`${describe(modes)} opost onlcr\n`);
    return 0;
  }
  for (const word of tool.args) {
    const name = word.replace(/^-/, '');
    const saved = /^cloche:([01]{4})$/.exec(word);
    if (word === 'size') await tool.stdout.write(`${size.rows} ${size.columns}\n`);
    else if (word === '-g')
      await tool.stdout.write(
        `cloche:${Object.values(MODES)
          .map((mode) => Number(modes[mode]))
          .join('')}\n`,
      );
    else if (saved) {
      const values = Object.values(MODES).map((mode, at) => [mode, saved[1]![at] === '1']);
      tool.os.setTerminalModes(fd, Object.fromEntries(values));
    } else if (word === 'sane' || word === 'cooked' || word === '-raw') tool.os.setTerminalModes(fd, COOKED);
    else if (word === 'raw' || word === '-cooked') tool.os.setTerminalModes(fd, { ...RAW, echo: modes.echo });
    else if (name === 'cbreak') tool.os.setTerminalModes(fd, { canonical: name !== word });
    else if (Object.hasOwn(MODES, name)) tool.os.setTerminalModes(fd, { [MODES[name]!]: name === word });
    else throw new UsageError(`invalid argument ‘${word}’`);
  }
  return 0;
};

const color = (base: number, number: number) =>
  number < 8 ? `\x1b[${base}${number}m` : number < 16 ? `\x1b[${base + 6}${number - 8}m` : `\x1b[${base}8;5;${number}m`;

/** Capabilities of xterm-256color by name; arguments are numbers. */
const CAPABILITIES: Record<string, string | ((...numbers: number[]) => string)> = {
  bold: '\x1b[1m',
  dim: '\x1b[2m',
  sitm: '\x1b[3m',
  ritm: '\x1b[23m',
  smul: '\x1b[4m',
  rmul: '\x1b[24m',
  blink: '\x1b[5m',
  rev: '\x1b[7m',
  smso: '\x1b[7m',
  rmso: '\x1b[27m',
  invis: '\x1b[8m',
  sgr0: '\x1b(B\x1b[m',
  op: '\x1b[39;49m',
  clear: '\x1b[H\x1b[2J\x1b[3J',
  el: '\x1b[K',
  el1: '\x1b[1K',
  ed: '\x1b[J',
  home: '\x1b[H',
  cr: '\r',
  bel: '\x07',
  civis: '\x1b[?25l',
  cnorm: '\x1b[?12l\x1b[?25h',
  smcup: '\x1b[?1049h\x1b[22;0;0t',
  rmcup: '\x1b[?1049l\x1b[23;0;0t',
  sc: '\x1b7',
  rc: '\x1b8',
  cuu1: '\x1b[A',
  cud1: '\n',
  cuf1: '\x1b[C',
  cub1: '\b',
  setaf: (number = 0) => color(3, number),
  setab: (number = 0) => color(4, number),
  cup: (row = 0, column = 0) => `\x1b[${row + 1};${column + 1}H`,
  cuu: (count = 1) => `\x1b[${count}A`,
  cud: (count = 1) => `\x1b[${count}B`,
  cuf: (count = 1) => `\x1b[${count}C`,
  cub: (count = 1) => `\x1b[${count}D`,
};

/** tput capability [number…]. */
export const tput: Applet = async (tool) => {
  const [name, ...rest] = tool.args[0] === '-T' ? tool.args.slice(2) : tool.args;
  if (name === undefined) throw new UsageError('usage: tput capname [parm...]', 2);
  const size = () => [1, 2, 0].map((fd) => tool.os.terminalSize(fd)).find((found) => found);
  if (name === 'cols' || name === 'lines') {
    const { columns, rows } = size() ?? { columns: 80, rows: 24 };
    await tool.stdout.write(`${name === 'cols' ? columns : rows}\n`);
    return 0;
  }
  if (name === 'colors') {
    await tool.stdout.write('256\n');
    return 0;
  }
  if (name === 'longname') {
    await tool.stdout.write('xterm with 256 colors');
    return 0;
  }
  const capability = name === 'init' || name === 'reset' ? '\x1b[!p\x1b[?3;4l\x1b[4l\x1b>' : CAPABILITIES[name];
  if (capability === undefined) throw new UsageError(`unknown terminfo capability '${name}'`, 4);
  await tool.stdout.write(typeof capability === 'string' ? capability : capability(...rest.map(Number)));
  return 0;
};

/** reset: a terminal that shows and echoes again. */
export const reset: Applet = async (tool) => {
  if (tool.stdin.channel.isTerminal()) tool.os.setTerminalModes(tool.stdin.channel.descriptor(), COOKED);
  await tool.stdout.write('\x1bc');
  return 0;
};
