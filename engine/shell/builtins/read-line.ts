// Reading one line from a descriptor without taking a byte too many: what follows belongs to the next command.
import { shareGate } from '../io/gate';
import { TextReader } from '../io/text';
import type { Shell } from '../state';

/** When reading stops. */
export interface ReadLimits {
  /** Instead of newline; empty: NUL. */
  delimiter?: string;
  /** At most so many characters. */
  characters?: number;
  /** Do not stop at the delimiter before that. */
  exact?: boolean;
  timeoutMs?: number;
  /** A backslash quotes the next character and takes a newline away; it counts for nothing itself. */
  escapes?: boolean;
}

/** The text without its delimiter. `ended`: the input was over before one came. */
export interface Line {
  text: string;
  ended: boolean;
  timedOut: boolean;
}

/** Reads up to the delimiter. Quoting backslashes stay in the text. */
export async function readLine(shell: Shell, fd: number, limits: ReadLimits): Promise<Line> {
  const channel = shell.fds.get(fd);
  if (!channel) throw Object.assign(new Error('EBADF: bad file descriptor, read'), { code: 'EBADF' });
  const stop = limits.delimiter === undefined ? 10 : limits.delimiter === '' ? 0 : limits.delimiter.charCodeAt(0);
  const byte = new Uint8Array(1);
  const decoder = new TextReader();
  let text = '';
  let bytes: number[] = [];
  const timer = new AbortController();
  const signal = limits.timeoutMs === undefined ? shell.signal : AbortSignal.any([shell.signal, timer.signal]);
  shareGate(shell.signal, signal);
  const clock = limits.timeoutMs === undefined ? undefined : setTimeout(() => timer.abort(), limits.timeoutMs);
  let escaped = false;
  let quotes = 0;
  const flush = () => {
    text += decoder.write(Uint8Array.from(bytes));
    bytes = [];
  };
  try {
    for (;;) {
      const read = channel.read(byte, signal);
      const count = typeof read === 'number' ? read : await read;
      if (count === 0) {
        flush();
        return { text: text + decoder.end(), ended: true, timedOut: false };
      }
      if (escaped && byte[0] === 10) {
        escaped = false;
        bytes.pop();
        continue;
      }
      if (byte[0] === stop && !limits.exact && !escaped) break;
      bytes.push(byte[0]!);
      if (limits.escapes && !escaped && byte[0] === 92) {
        escaped = true;
        continue;
      }
      if (escaped) quotes++;
      escaped = false;
      if (limits.characters !== undefined || bytes.length > 4096) flush();
      if (limits.characters !== undefined && [...text].length - quotes >= limits.characters) break;
    }
    flush();
    return { text: text + decoder.end(), ended: false, timedOut: false };
  } catch (error) {
    if (!timer.signal.aborted || shell.signal.aborted) throw error;
    flush();
    return { text: text + decoder.end(), ended: true, timedOut: true };
  } finally {
    clearTimeout(clock);
  }
}
