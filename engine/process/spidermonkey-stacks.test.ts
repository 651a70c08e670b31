// Stacks as Firefox 153 wrote them, read as V8's; and V8's facility over them, with the formatters that packages bring.
import { afterEach, expect, test } from 'vitest';
import { sitesOf, v8Stacks } from './spidermonkey-stacks';

afterEach(() => void Reflect.deleteProperty(Error, 'prepareStackTrace'));

const shown = (...lines: string[]) => sitesOf(`${lines.join('\n')}\n`).map(String);

test('functions have the names that V8 would give, as far as the text tells', () => {
  expect(
    shown(
      'Foo@/home/project/a.js:2:40',
      'get g@/home/project/a.js:2:162',
      'named/<@/home/project/a.js:4:43',
      'vw/C<@https://sandbox/process.js:83:6018',
      'Old.prototype.pm@/home/project/node_modules/@scope/b/a.js:6:89',
      '@node:internal/main:23:4',
      'anonymous@/home/project/a.js line 6 > eval line 8 > Function:3:8',
    ),
  ).toEqual([
    'Foo (/home/project/a.js:2:40)',
    'get g (/home/project/a.js:2:162)',
    '/home/project/a.js:4:43',
    'C (https://sandbox/process.js:83:6018)',
    'Old.pm (/home/project/node_modules/@scope/b/a.js:6:89)',
    'node:internal/main:23:4',
    'anonymous (<anonymous>:3:8)',
  ]);
});

test('what awaits is shown; what had returned by then, and what began it all, is not', () => {
  expect(
    shown('two@/a.js:7:102', 'async*one@/a.js:7:51', 'async*main@/a.js:18:24', 'caller@/a.js:20:1', '@/a.js:23:4'),
  ).toEqual(['two (/a.js:7:102)', 'async one (/a.js:7:51)', 'async main (/a.js:18:24)']);
  expect(
    shown('then1@/a.js:8:219', 'promise callback*th/</<@/a.js:8:193', 'setTimeout handler*th/<@/a.js:8:1'),
  ).toEqual(['then1 (/a.js:8:219)']);
});

test('WebAssembly is a script of its own', () => {
  const [site] = sitesOf('parse@https://s/p.js line 3 > WebAssembly.Module:wasm-function[7]:0x1f\n');
  expect(site.getScriptNameOrSourceURL()).toBe('wasm://wasm/https://s/p.js line 3 > WebAssembly.Module');
  expect(site.getColumnNumber()).toBe(0x20);
});

/** Errors whose native text is known; as a browser, it knows nothing else. */
function stacks(text: string) {
  const errors = new WeakSet<object>();
  const { stack, captureStackTrace } = v8Stacks({
    read: (error) => (errors.has(error) ? text : undefined),
    capture: () => text,
  });
  const known = <Value extends Error>(error: Value): Value => {
    errors.add(error);
    return Object.defineProperty(error, 'stack', { ...stack, configurable: true });
  };
  return { known, captureStackTrace };
}

test('a stack is written once, when it is first read, with the name of the class', () => {
  const { known } = stacks('f@/a.js:1:2\n');
  class Late extends TypeError {}
  const error = known(new Late('why'));
  error.name = 'Given later';
  expect(error.stack).toBe('TypeError: why\n    at f (/a.js:1:2)');
  error.message = 'another';
  expect(error.stack).toBe('TypeError: why\n    at f (/a.js:1:2)');
  error.stack = 'mine';
  expect(Object.getOwnPropertyDescriptor(error, 'stack')).toMatchObject({ value: 'mine', enumerable: false });
});

test('a formatter gets call sites, as depd asks for them', () => {
  const { captureStackTrace, known } = stacks('f@/a.js:1:2\ng@/b.js:3:4\n');
  (Error as any).prepareStackTrace = (_error: unknown, trace: any[]) => trace;
  const target: { stack?: any } = {};
  captureStackTrace(target);
  expect(target.stack.map((site: any) => [site.getFileName(), site.getLineNumber(), site.isNative()])).toEqual([
    ['/a.js', 1, false],
    ['/b.js', 3, false],
  ]);
  (Error as any).prepareStackTrace = (error: Error) => `read inside: ${error.stack}`;
  expect(known(new Error('x')).stack).toBe('read inside: undefined');
});
