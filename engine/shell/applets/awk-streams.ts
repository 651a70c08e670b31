// The files and commands that an awk program reads from and writes to.
import fs from 'node:fs';
import { CaptureChannel, type Channel, DescriptorChannel } from '../io/channel';
import { Input, Output } from '../io/streams';
import { Records } from './awk-records';
import { openInput, resolvePath, type Tool } from './tool';

/** Open streams by name; a command and a file of one name are told apart for input, as awk's close() does not. */
export class Streams {
  readonly tool: Tool;
  readonly outputs = new Map<string, { output: Output; finish(): Promise<number> }>();

  readonly inputs = new Map<string, Records>();

  async flush(): Promise<void> {
    await this.tool.stdout.flush();
    for (const { output } of this.outputs.values()) await output.flush();
  }

  async commandOutput(command: string): Promise<{ input: Input; close(): void }> {
    await this.flush();
    const capture = new CaptureChannel(this.tool.os);
    await this.tool.run(['sh', '-c', command], { stdout: capture });
    capture.release();
    const bytes = await capture.bytes();
    let given = false;
    const channel = {
      read(into: Uint8Array) {
        if (given && bytes.length <= position) return 0;
        given = true;
        const part = bytes.subarray(position, position + into.length);
        into.set(part);
        position += part.length;
        return part.length;
      },
    };
    let position = 0;
    return { input: new Input(channel as unknown as Channel, this.tool.signal), close() {} };
  }

  async outputFor(kind: '>' | '>>' | '|', name: string): Promise<Output> {
    if (kind !== '|' && name === '/dev/stdout') return this.tool.stdout;
    if (kind !== '|' && name === '/dev/stderr') return this.tool.stderr;
    const known = this.outputs.get(name);
    if (known) return known.output;
    if (kind === '|') {
      await this.tool.stdout.flush();
      const [read, write] = this.tool.os.pipe();
      const reader = new DescriptorChannel(this.tool.os, read);
      const output = new Output(new DescriptorChannel(this.tool.os, write), this.tool.signal);
      const done = this.tool.run(['sh', '-c', name], { stdin: reader });
      reader.release();
      const finish = async () => {
        await this.tool.stdout.flush();
        output.channel.release();
        return done;
      };
      this.outputs.set(name, { output, finish });
      return output;
    }
    const fd = fs.openSync(resolvePath(this.tool, name), kind === '>' ? 'w' : 'a', 0o666 & ~this.tool.umask);
    const output = new Output(new DescriptorChannel(this.tool.os, fd), this.tool.signal);
    this.outputs.set(name, {
      output,
      finish: async () => {
        output.channel.release();
        return 0;
      },
    });
    return output;
  }

  async close(name: string): Promise<number> {
    for (const key of [`file:${name}`, `command:${name}`]) {
      this.inputs.get(key)?.close();
      this.inputs.delete(key);
    }
    const known = this.outputs.get(name);
    if (!known) return -1;
    this.outputs.delete(name);
    await known.output.flush();
    return known.finish();
  }

  constructor(tool: Tool) {
    this.tool = tool;
  }

  /** The next record of a file or of a command's output; throws when it cannot be opened. */
  async nextRecord(from: 'file' | 'command', name: string, separator: string): Promise<string | undefined> {
    const key = `${from}:${name}`;
    let records = this.inputs.get(key);
    if (!records) {
      records = new Records(from === 'file' ? openInput(this.tool, name) : await this.commandOutput(name));
      this.inputs.set(key, records);
    }
    return records.next(separator);
  }

  /** Closes everything. */
  async closeAll(): Promise<void> {
    for (const key of [...this.outputs.keys()]) await this.close(key);
    for (const records of this.inputs.values()) records.close();
  }
}
