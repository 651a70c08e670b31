// What a stack trace hides: the engine and its HTTP parser, never a guest's WebAssembly.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallSite } from './source-site';
import { StackTraces } from './stack-trace';

const ENGINE = 'https://sandbox/process.js';
const PARSER = 'wasm://wasm/aaaa';
const GUESTS = 'wasm://wasm/bbbb';
const GUEST = '/home/project/a.js';

const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
beforeEach(() => void Reflect.deleteProperty(Error, 'prepareStackTrace'));
afterEach(() => {
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  if (before) Object.defineProperty(Error, 'prepareStackTrace', before);
});

const sites = (...scripts: string[]): CallSite[] =>
  scripts.map((script) => ({
    getLineNumber: () => 1,
    getColumnNumber: () => 1,
    getFunctionName: () => 'f',
    getScriptNameOrSourceURL: () => script,
    isEval: () => false,
    toString: () => `f (${script}:1:1)`,
  }));
const shown = (traces: StackTraces, ...scripts: string[]) =>
  traces.adapt(sites(...scripts)).map((site) => site.getScriptNameOrSourceURL());

/** Traces that have met the parser, as on its first message. */
function taught(): StackTraces {
  const traces = new StackTraces(ENGINE, (_id, _line, column) => column);
  (Error as any).prepareStackTrace = (_error: unknown, trace: CallSite[]) => trace;
  traces.install();
  const hook = (Error as any).prepareStackTrace;
  Object.defineProperty(Error, 'prepareStackTrace', {
    configurable: true,
    value: () => hook(new Error('x'), sites(ENGINE, PARSER, ENGINE)),
  });
  traces.learnWasm();
  return traces;
}

test('the parser is hidden, also where the limit cuts the trace inside it', () => {
  const traces = taught();
  expect(shown(traces, GUEST, ENGINE, PARSER, PARSER, ENGINE, GUEST)).toEqual([GUEST, GUEST]);
  expect(shown(traces, GUEST, ENGINE, PARSER, PARSER)).toEqual([GUEST]);
});

test('a guest’s WebAssembly that called the engine is shown', () => {
  const traces = taught();
  expect(shown(traces, ENGINE, GUESTS, GUEST)).toEqual([GUESTS, GUEST]);
  expect(shown(traces, ENGINE, GUESTS, GUESTS)).toEqual([GUESTS, GUESTS]);
});

test('a frame of V8’s own texts has no script at all: a string that becomes too long is an error as any other, not a crash', () => {
  const traces = taught();
  const nowhere = { ...sites('x')[0], getScriptNameOrSourceURL: () => undefined } as unknown as CallSite;
  expect(traces.adapt([nowhere, ...sites(GUEST)]).map((site) => site.toString())).toEqual([
    'f (x:1:1)',
    `f (${GUEST}:1:1)`,
  ]);
});

test('a formatter that was read can be put back', () => {
  const traces = new StackTraces(ENGINE, (_id, _line, column) => column);
  (Error as any).prepareStackTrace = () => 'lib’s own';
  traces.install();
  traces.setCallback((_global, error, trace) => {
    const { prepareStackTrace } = Error as any;
    return prepareStackTrace(error, trace);
  });
  (Error as any).prepareStackTrace = () => 'the guest’s';
  const kept = (Error as any).prepareStackTrace;
  (Error as any).prepareStackTrace = (_error: unknown, trace: CallSite[]) => trace;
  (Error as any).prepareStackTrace = kept;
  expect((Error as any).prepareStackTrace(new Error('x'), [])).toBe('the guest’s');
});

test('a formatter that calls the one before it reaches it', () => {
  const traces = new StackTraces(ENGINE, (_id, _line, column) => column);
  (Error as any).prepareStackTrace = () => 'lib’s own';
  traces.install();
  traces.setCallback((_global, error, trace) => (Error as any).prepareStackTrace(error, trace));
  (Error as any).prepareStackTrace = () => 'first';
  const first = (Error as any).prepareStackTrace;
  (Error as any).prepareStackTrace = (error: unknown, trace: CallSite[]) => `second, ${first(error, trace)}`;
  expect((Error as any).prepareStackTrace(new Error('x'), [])).toBe('second, first');
});
