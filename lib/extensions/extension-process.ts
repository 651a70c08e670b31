// The process in the sandbox that holds one file of a project. One file, one process: what crashes or hangs takes only its own file away.
import { lineReader } from '../registry/mcp/line-reader';
import type { FilePolicy, Process, Sandbox } from '../sandbox/sandbox';
import { parseJson } from '../std/json';
import { abortError, sleep } from '../std/signals';
import { ToolError } from '../tools/tool';
import { firstLine, lastLine, nameOf, pump, wordsFor } from './process-words';
import {
  type CallOrigin,
  type ForeignAsk,
  type FromProgram,
  type Loaded,
  maxLineBytes,
  nodeArguments,
  protocolVersion,
  type ToProgram,
} from './protocol';

/** What is asked of the file. */
export type ExtensionRequest =
  | { type: 'call'; tool: string; args: unknown; origin: CallOrigin }
  | { type: 'hook'; name: string; input: unknown; output: unknown };

export interface RequestOptions {
  signal?: AbortSignal;
  /** The process is ended when it takes longer; waiting for the person does not count. */
  timeoutMs: number;
  onUpdate?(update: { title?: string; metadata?: Record<string, unknown> }): void;
  /** Resolves when the person allows it, rejects with the words of the refusal. */
  onAsk?(request: ForeignAsk): Promise<void>;
}

/** A live process. */
export interface ExtensionProcess {
  readonly loaded: Loaded;
  /** Rejects with a ToolError when the file threw, was too slow or its process ended, with an AbortError when the signal aborts. */
  request(request: ExtensionRequest, options: RequestOptions): Promise<unknown>;
  /** A request that nobody waits for. */
  notify(request: ExtensionRequest, timeoutMs: number): void;
  /** Resolves when no call that was stopped is still at it: false when the process has ended by then. */
  calm(): Promise<boolean>;
  /** Lets it end by itself for a moment, then ends it. */
  end(): Promise<void>;
}

export interface StartOptions {
  sandbox: Sandbox;
  /** The text of the program (guest/host.ts, bundled). */
  program: string;
  kind: 'tool' | 'plugin';
  /** An absolute path, or a package. */
  target: string;
  text?: string;
  config: Record<string, unknown>;
  policy?: FilePolicy;
  loadTimeoutMs: number;
  /** It ended while it was wanted; `why`: a clause in words. `stopped`: because the person stopped a call, which says nothing about the file. */
  onEnd(why: string, stopped: boolean): void;
  onProblem(message: string): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  options: RequestOptions;
  pause(): void;
  resume(): void;
}

/** How long a call that was stopped may take to agree. */
const abortGraceMs = 400;
const endGraceMs = 500;
const logTail = 2000;

/** Starts it and waits until its file is loaded. Rejects with what went wrong, as a clause in words. */
export async function startExtensionProcess(options: StartOptions): Promise<ExtensionProcess> {
  const { sandbox, program, kind, target, text, config, policy, onEnd, onProblem } = options;
  const { workdir } = sandbox;
  const child: Process = await sandbox.spawn('node', nodeArguments(target), {
    cwd: workdir,
    env: { NO_COLOR: '1' },
    ...(policy === undefined ? {} : { policy }),
  });
  const writer = child.input.getWriter();
  writer.closed.catch(() => {});
  const key = `${crypto.randomUUID()}${crypto.randomUUID()}`;
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let log = '';
  /** Calls that were stopped and have not agreed yet. */
  let stopping = 0;
  const atPeace: (() => void)[] = [];
  /** Why it can't be asked any more. */
  let ended: string | undefined;
  let isWanted = true;
  let resolveLoad!: (loaded: Loaded) => void;
  let rejectLoad!: (error: Error) => void;
  const load = new Promise<Loaded>((resolve, reject) => {
    resolveLoad = resolve;
    rejectLoad = reject;
  });
  load.catch(() => {});

  const write = (bytes: Uint8Array | string) =>
    void writer.write(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes).catch(() => {});
  const tell = (message: ToProgram) => write(`${JSON.stringify(message)}\n`);

  /** Ends it; everybody who waits hears why. */
  function finish(why: string, stopped = false): void {
    if (ended !== undefined) return;
    ended = why;
    child.kill('SIGKILL');
    rejectLoad(new Error(why));
    for (const one of [...waiting.values()])
      one.reject(new ToolError(`The program of ${nameOf(target)} broke: ${why}.`));
    if (isWanted) onEnd(why, stopped);
    for (const resume of atPeace.splice(0)) resume();
  }

  function keepLog(part: string): void {
    log = (log + part).slice(-logTail);
  }

  function hear(line: string): void {
    const at = line.indexOf(`${key} `);
    if (at < 0) return line === '' ? undefined : keepLog(`${line}\n`);
    const json = parseJson(line.slice(at + key.length + 1));
    if (!json.ok) return finish('it said something that can’t be read');
    take(json.value as FromProgram);
  }

  function take(message: FromProgram): void {
    switch (message.type) {
      case 'loaded':
        if (message.version !== protocolVersion) return finish('the page is older than the server; reload the page');
        return resolveLoad(message);
      case 'broken':
        return finish(firstLine(message.message));
      case 'problem':
        return onProblem(firstLine(message.message));
      case 'result':
        return waiting.get(message.id)?.resolve(message.value);
      case 'failed':
        return waiting.get(message.id)?.reject(new ToolError(message.message.slice(0, 20_000)));
      case 'update':
        return waiting.get(message.id)?.options.onUpdate?.(message);
      case 'ask':
        return void answer(message);
    }
  }

  async function answer({ id, askId, request }: Extract<FromProgram, { type: 'ask' }>): Promise<void> {
    const one = waiting.get(id);
    if (one?.options.onAsk === undefined)
      return tell({ type: 'answer', askId, allowed: false, message: 'Nobody can be asked here.' });
    one.pause();
    const refusal = await one.options.onAsk(request).then(
      () => undefined,
      (error: Error) => error.message,
    );
    one.resume();
    tell({
      type: 'answer',
      askId,
      allowed: refusal === undefined,
      ...(refusal === undefined ? {} : { message: refusal }),
    });
  }

  void pump(child.output, lineReader(hear, maxLineBytes)).catch(() => finish('it said more at once than is allowed'));
  const decoder = new TextDecoder();
  const errors = pump(child.stderr, (bytes) => keepLog(decoder.decode(bytes, { stream: true }))).catch(() => {});
  void child.exit.then(async (how) => {
    // What it said last may still be on its way.
    await Promise.race([errors, sleep(100)]);
    finish(`its process ${wordsFor(how)}${lastLine(log)}`);
  });
  const bytes = new TextEncoder().encode(program);
  for (const part of [`${bytes.length}\n`, bytes]) write(part);
  tell({ type: 'load', key, kind, workdir, target, config, ...(text === undefined ? {} : { text }) });
  const timer = setTimeout(
    () => finish(`it was not loaded within ${options.loadTimeoutMs / 1000} s`),
    options.loadTimeoutMs,
  );
  const loaded = await load.finally(() => clearTimeout(timer));

  function request(what: ExtensionRequest, { signal, ...own }: RequestOptions): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(abortError(signal));
    if (ended !== undefined) return Promise.reject(new ToolError(`The program of ${nameOf(target)} broke: ${ended}.`));
    const id = nextId++;
    return new Promise((resolve, reject) => {
      const name = what.type === 'call' ? what.tool : what.name;
      const late = () => finish(`${name} did not answer within ${own.timeoutMs / 1000} s`);
      let timer = setTimeout(late, own.timeoutMs);
      const aborted = () => {
        tell({ type: 'abort', id });
        stopping++;
        const stubborn = setTimeout(() => finish(`${name} was stopped and did not end`, true), abortGraceMs);
        one.resolve = one.reject = () => {
          clearTimeout(stubborn);
          waiting.delete(id);
          if (--stopping === 0) for (const resume of atPeace.splice(0)) resume();
        };
        clearTimeout(timer);
        reject(abortError(signal));
      };
      signal?.addEventListener('abort', aborted, { once: true });
      const settled = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        waiting.delete(id);
      };
      const one: Waiting = {
        resolve: (value) => {
          settled();
          resolve(value);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
        options: own as RequestOptions,
        pause: () => clearTimeout(timer),
        resume: () => {
          clearTimeout(timer);
          if (waiting.has(id) && !signal?.aborted) timer = setTimeout(late, own.timeoutMs);
        },
      };
      waiting.set(id, one);
      tell({ ...what, id });
    });
  }

  return {
    loaded,
    request,
    notify: (what, timeoutMs) => void request(what, { timeoutMs }).catch((error: Error) => onProblem(error.message)),
    async calm() {
      if (stopping > 0 && ended === undefined) await new Promise<void>((resolve) => atPeace.push(resolve));
      return ended === undefined;
    },
    async end() {
      isWanted = false;
      if (ended !== undefined) return;
      tell({ type: 'end' });
      await Promise.race([child.exit, sleep(endGraceMs)]);
      finish('it was ended');
    },
  };
}
