// `$` of OpenCode's plugins, which is Bun's shell: the commands that plugins run with it, by the sandbox's bash. Values are put in as single
// words; members of Bun's shell that are not here throw by name.
import { spawn } from 'node:child_process';

interface ShellOutput {
  exitCode: number;
  stdout: Buffer;
  stderr: Buffer;
  text(): string;
  json(): unknown;
}

/** A command that has not begun until somebody waits for it. */
interface ShellCommand extends PromiseLike<ShellOutput> {
  cwd(directory: string): ShellCommand;
  env(variables: Record<string, string>): ShellCommand;
  quiet(): ShellCommand;
  nothrow(): ShellCommand;
  throws(value: boolean): ShellCommand;
  text(): Promise<string>;
  json(): Promise<unknown>;
  lines(): AsyncGenerator<string>;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordOf).join(' ');
  if (typeof value === 'object' && value !== null && 'raw' in value) return String((value as { raw: unknown }).raw);
  if (typeof value === 'object' && value !== null)
    throw new Error('$: objects other than {raw} can’t be put into a command in Cloche.');
  return quoted(String(value));
}

/** The tag, for commands that begin in `workdir`. */
export function shell(workdir: string): (strings: TemplateStringsArray, ...values: unknown[]) => ShellCommand {
  const tag = (strings: TemplateStringsArray, ...values: unknown[]) =>
    command(
      strings.reduce((line, part, at) => line + wordOf(values[at - 1]) + part),
      workdir,
    );
  return new Proxy(tag, {
    get: (target, key) => {
      if (typeof key === 'symbol' || key in target) return Reflect.get(target, key);
      throw new Error(`$.${key} is not available in Cloche.`);
    },
  });
}

function command(line: string, workdir: string): ShellCommand {
  let cwd = workdir;
  let variables: Record<string, string> = {};
  let isThrowing = true;
  let running: Promise<ShellOutput> | undefined;
  const run = (): Promise<ShellOutput> => {
    running ??= finished(line, cwd, variables).then((output) => {
      if (isThrowing && output.exitCode !== 0)
        throw Object.assign(new Error(`Failed with exit code ${output.exitCode}: ${line}`), output);
      return output;
    });
    return running;
  };
  const self: ShellCommand = {
    cwd: (directory) => {
      cwd = directory;
      return self;
    },
    env: (added) => {
      variables = { ...variables, ...added };
      return self;
    },
    quiet: () => self,
    nothrow: () => self.throws(false),
    throws: (value) => {
      isThrowing = value;
      return self;
    },
    text: async () => (await run()).text(),
    json: async () => (await run()).json(),
    async *lines() {
      yield* (await run()).text().replace(/\n$/, '').split('\n');
    },
    // biome-ignore lint/suspicious/noThenProperty: a command is awaited, as in Bun.
    then: (resolve, reject) => run().then(resolve, reject),
  };
  return new Proxy(self, {
    get: (target, key) => {
      if (typeof key === 'symbol' || key in target) return Reflect.get(target, key);
      if (key === 'catch' || key === 'finally') return (listener: never) => run()[key](listener);
      throw new Error(`$\`…\`.${key} is not available in Cloche.`);
    },
  });
}

function finished(line: string, cwd: string, variables: Record<string, string>): Promise<ShellOutput> {
  return new Promise((resolve, reject) => {
    const words = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
    const child = spawn('bash', ['-c', words.join('') + line], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => err.push(bytes));
    child.once('error', reject);
    child.once('close', (code) => {
      const stdout = Buffer.concat(out);
      const text = () => stdout.toString('utf8');
      resolve({ exitCode: code ?? 1, stdout, stderr: Buffer.concat(err), text, json: () => JSON.parse(text()) });
    });
  });
}
