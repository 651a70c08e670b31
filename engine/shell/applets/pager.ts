// less, more.
import { parseOptions } from './options';
import { type Applet, eachInput } from './tool';

/** less, more: page by page on a terminal (space, enter, q), otherwise as cat. */
export const less: Applet = async (tool) => {
  const { operands } = parseOptions(tool.args, 'RSNFXeEirs');
  const parts: string[] = [];
  const status = await eachInput(tool, operands, async (input) => void parts.push(await input.text()));
  const text = parts.join('');
  const size = tool.stdout.isTerminal ? tool.os.terminalSize(1) : undefined;
  const keys = operands.length > 0 && tool.stdin.channel.isTerminal();
  const lines = text.replace(/\n$/, '').split('\n');
  if (!size || !keys || lines.length < size.rows) {
    await tool.stdout.write(text);
    return status;
  }
  process.stdin.setRawMode(true);
  try {
    for (let at = 0, step = size.rows - 1; at < lines.length; ) {
      await tool.stdout.write(`\r\x1b[K${lines.slice(at, at + step).join('\r\n')}\r\n`);
      at += step;
      if (at >= lines.length) break;
      await tool.stdout.write('\x1b[7m:\x1b[0m');
      await tool.stdout.flush();
      const key = Buffer.from((await tool.stdin.chunk()) ?? Buffer.from('q')).toString();
      if (key === 'q' || key === '\x03' || key === '\x04') break;
      step = key === '\r' || key === 'j' || key === '\x1b[B' ? 1 : size.rows - 1;
    }
    await tool.stdout.write('\r\x1b[K');
    await tool.stdout.flush();
  } finally {
    process.stdin.setRawMode(false);
  }
  return status;
};
