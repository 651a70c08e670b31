// cat, tac, rev, nl, tee, yes: copying lines and bytes.
import fs from 'node:fs';
import { DescriptorChannel } from '../io/channel';
import { Output } from '../io/streams';
import { byteText, encodeText } from '../io/text';
import { lastValue, parseOptions } from './options';
import { type Applet, complain, eachInput, fileError, resolvePath } from './tool';

/** cat [-nbsETAvet]. */
export const cat: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'nbsETAvetu', {
    number: 'n',
    'number-nonblank': 'b',
    'squeeze-blank': 's',
    'show-ends': 'E',
    'show-tabs': 'T',
    'show-all': 'A',
    'show-nonprinting': 'v',
  });
  const ends = flags.has('E') || flags.has('A') || flags.has('e');
  const tabs = flags.has('T') || flags.has('A') || flags.has('t');
  const control = flags.has('v') || flags.has('A') || flags.has('e') || flags.has('t');
  const numbered = flags.has('n') || flags.has('b');
  if (!ends && !tabs && !control && !numbered && !flags.has('s')) {
    return eachInput(tool, operands, async (input) => {
      for await (const chunk of input.chunks()) {
        await tool.stdout.write(chunk);
        await tool.stdout.flush();
      }
    });
  }
  let count = 0;
  let blank = false;
  return eachInput(tool, operands, async (input) => {
    for await (const { lines, ended } of input.batches()) {
      for (const line of lines) {
        if (flags.has('s') && line === '' && blank) continue;
        blank = line === '';
        let text = line;
        if (control) text = byteText(text).replace(/[\x00-\x08\x0b-\x1f\x7f-\xff]/g, visibleByte);
        if (tabs) text = text.replaceAll('\t', '^I');
        const number = numbered && !(flags.has('b') && line === '') ? `${String(++count).padStart(6)}\t` : '';
        await tool.stdout.write(`${number}${text}${ended ? `${ends ? '$' : ''}\n` : ''}`);
      }
    }
  });
};

/** `^A`, `^?`, `M-a`. */
function visibleByte(byte: string): string {
  const code = byte.charCodeAt(0);
  if (code >= 128) {
    const low = String.fromCharCode(code - 128);
    return `M-${/[\x00-\x1f\x7f]/.test(low) ? visibleByte(low) : low}`;
  }
  return code === 127 ? '^?' : `^${String.fromCharCode(code + 64)}`;
}

/** tac. */
export const tac: Applet = async (tool) => {
  const { operands } = parseOptions(tool.args, '');
  return eachInput(tool, operands, async (input) => {
    const text = await input.text();
    const lines = text.split(/(?<=\n)/);
    for (const line of lines.reverse()) await tool.stdout.write(line);
  });
};

/** rev. */
export const rev: Applet = async (tool) => {
  const { operands } = parseOptions(tool.args, '');
  return eachInput(tool, operands, async (input) => {
    for await (const { lines, ended } of input.batches())
      for (const line of lines) await tool.stdout.write([...line].reverse().join('') + (ended ? '\n' : ''));
  });
};

/** nl [-b a|t|n] [-w n] [-s sep] [-v start] [-i step] [-n ln|rn|rz]. */
export const nl: Applet = async (tool) => {
  const parsed = parseOptions(tool.args, 'b:w:s:v:i:n:', {
    'body-numbering=': 'b',
    'number-width=': 'w',
    'number-separator=': 's',
    'starting-line-number=': 'v',
    'line-increment=': 'i',
    'number-format=': 'n',
  });
  const style = lastValue(parsed, 'b') ?? 't';
  const width = Number(lastValue(parsed, 'w') ?? 6);
  const separator = lastValue(parsed, 's') ?? '\t';
  const format = lastValue(parsed, 'n') ?? 'rn';
  let number = Number(lastValue(parsed, 'v') ?? 1);
  const step = Number(lastValue(parsed, 'i') ?? 1);
  return eachInput(tool, parsed.operands, async (input) => {
    for await (const { lines } of input.batches()) {
      for (const line of lines) {
        const counts = style === 'a' || (style === 't' && line !== '');
        const text = String(number);
        const cell =
          format === 'ln' ? text.padEnd(width) : format === 'rz' ? text.padStart(width, '0') : text.padStart(width);
        await tool.stdout.write(
          counts ? `${cell}${separator}${line}\n` : `${' '.repeat(width + separator.length)}${line}\n`,
        );
        if (counts) number += step;
      }
    }
  });
};

/** tee [-a] files. */
export const tee: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'ai', { append: 'a', 'ignore-interrupts': 'i' });
  let status = 0;
  const outputs: Output[] = [];
  for (const name of operands) {
    try {
      outputs.push(
        new Output(
          new DescriptorChannel(
            tool.os,
            fs.openSync(resolvePath(tool, name), flags.has('a') ? 'a' : 'w', 0o666 & ~tool.umask),
          ),
          tool.signal,
        ),
      );
    } catch (error) {
      await complain(tool, fileError(name, error));
      status = 1;
    }
  }
  try {
    for await (const chunk of tool.stdin.chunks()) {
      for (const output of [tool.stdout, ...outputs]) {
        await output.write(chunk);
        await output.flush();
      }
    }
  } finally {
    for (const output of outputs) output.channel.release();
  }
  return status;
};

/** yes [text]. */
export const yes: Applet = async (tool) => {
  const line = `${tool.args.length > 0 ? tool.args.join(' ') : 'y'}\n`;
  const block = encodeText(line.repeat(Math.max(1, Math.floor(8192 / line.length))));
  for (;;) {
    await tool.stdout.write(block);
    await tool.stdout.flush();
    await new Promise((resolve) => setImmediate(resolve));
  }
};
