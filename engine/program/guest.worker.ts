// The worker of a program (code mode): compiles it, gives it `tools` and `console`, and tells how it ended. What is hidden here is hidden so that the
// program meets a clear error; that nothing can be reached is the page's policy.
import { compileProgram, describeError } from './compile';
import { printingConsole, textOf } from './printed';
import { programTools } from './program-tools';
import type { ProgramAnswer, ProgramStart, ProgramWord } from './words';

const absent = [
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'importScripts', 'Worker', 'SharedWorker'],
  ...['indexedDB', 'caches', 'navigator', 'BroadcastChannel', 'postMessage', 'close', 'onmessage', 'name', 'location'],
];

addEventListener(
  'message',
  (event: MessageEvent<ProgramStart>) => {
    const port = event.ports[0]!;
    for (const name of absent)
      Object.defineProperty(globalThis, name, { value: undefined, writable: true, configurable: true });
    void run(event.data, port);
  },
  { once: true },
);

async function run({ code, tools, maxValueChars, maxPrintedChars }: ProgramStart, port: MessagePort): Promise<void> {
  const say = (word: ProgramWord) => port.postMessage(word);
  const waiting = new Map<number, { resolve(value: unknown): void; refuse(message: string): void }>();
  let calls = 0;
  port.onmessage = ({ data }: MessageEvent<ProgramAnswer>) => {
    const call = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.ok) call?.resolve(JSON.parse(data.value));
    else call?.refuse(data.message);
  };
  const call = (tool: string, input: unknown) => {
    const answer = new Promise<unknown>((resolve, reject) => {
      const text = JSON.stringify(input) ?? '{}';
      const id = ++calls;
      // Made here, so that it knows the line of the call.
      const error = Object.assign(new Error(), { name: 'ToolError' });
      const refuse = (message: string) => reject(Object.assign(error, { message }));
      waiting.set(id, { resolve, refuse });
      say({ type: 'call', id, tool, input: text });
    });
    // One that is never awaited must not end the program when it fails.
    answer.catch(() => {});
    return answer;
  };
  const console = printingConsole((text) => say({ type: 'print', text }), maxPrintedChars);
  try {
    let value = await compileProgram(code)(programTools(tools, call), console);
    // Models like to wrap all of it: `async () => { … }`.
    if (typeof value === 'function') value = await (value as () => unknown)();
    if (value === undefined) return say({ type: 'done' });
    const text = textOf(value, 1);
    if (text.length > maxValueChars)
      throw new RangeError(
        `The value has ${text.length} characters, more than ${maxValueChars}. Return less: filter, count or slice it.`,
      );
    say({ type: 'done', text });
  } catch (error) {
    say({ type: 'failed', message: describeError(error, code) });
  }
}
