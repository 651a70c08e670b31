// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are programs
// Code mode without a session: the language, the budgets, and programs that don't keep to the rules.
import { describe, expect, test, vi } from 'vitest';
import { boundResult } from './bound-result';
import { type CallFromProgram, type ExecuteOptions, executeTool } from './execute';
import { programClock } from './program-clock';
import { programErrors } from './program-host';
import type { SettledCall } from './run-tool';
import { outcome, type TestContext, toolContext } from './testing';
import { threadPlace } from './testing-program';

const answer = (value: unknown): SettledCall => ({ state: 'done', value, result: { title: '', output: '' } });

interface World {
  names?: string[];
  callTool?: (call: CallFromProgram) => Promise<SettledCall> | SettledCall;
  budget?: ExecuteOptions['budget'];
  context?: TestContext;
}

/** Runs a program; `echo` answers with its input, other tools as told. */
async function run(code: string, { names = ['echo'], callTool, budget, context }: World = {}) {
  const calls: CallFromProgram[] = [];
  const tool = executeTool({
    tools: names.map((name) => ({ name, declaration: `tools.${name}(input: { text: string }): Promise<string>` })),
    catalogue: '',
    startPlace: threadPlace,
    callTool: async (call) => {
      calls.push(call);
      return callTool === undefined ? answer(JSON.parse(call.inputText)) : callTool(call);
    },
    ...(budget === undefined ? {} : { budget }),
  });
  const output = await outcome(tool, { code }, context ?? (await toolContext()));
  return { output, calls };
}

describe('the language', () => {
  test.each<[string, string, string]>([
    ['return', 'return 1 + 1', '2'],
    ['a last expression', 'const a = 20;\na + 22', '42'],
    ['an expression that goes over lines', '[1, 2]\n  .map((n) => n * 2)', '[\n 2,\n 4\n]'],
    ['a loop at the end is no expression', 'let n = 0;\nfor (const i of [1, 2])\n  n += i', '/returned nothing/'],
    ['a string is itself', 'return "a\\nb"', 'a\nb'],
    ['an object literal alone', '{ a: 1, b: [2] }', '{\n "a": 1,\n "b": [\n  2\n ]\n}'],
    ['a block is a block', '{ let a = 1; }', '/returned nothing/'],
    ['a wrapped program', 'async () => { const { x } = await tools.echo({ x: 5 }); return x; }', '5'],
    ['a function that is called', '(async () => 7)()', '7'],
    ['await in the last expression', 'await tools.echo({ deep: [{ a: null }] })', '/"deep"/'],
    ['a comment after the end', 'return 3 // that is all', '3'],
    ['a comment after an expression', '3 // that is all', '3'],
    [
      'what JSON has no word for',
      'return { big: 10n, map: new Map([["k", new Set([1])]]), e: new Error("no") }',
      '/"10n"/',
    ],
    ['undefined', 'return undefined', '/returned nothing and printed nothing/'],
    ['null', 'return null', 'null'],
    [
      'printed only',
      'console.log("a", { b: 1 }, [2]); console.error("c")',
      '(It returned nothing.)\n\nPrinted:\na {"b":1} [2]\nc',
    ],
    ['both', 'console.log("seen"); return 1', '1\n\nPrinted:\nseen'],
    [
      'regular things',
      'const { a, ...rest } = { a: 1, b: 2 }; return `${a}${rest.b}${[3].at(-1)}${new Date(0).getUTCFullYear()}`',
      '1231970',
    ],
  ])('%s', async (_name, code, expected) => {
    const { output } = await run(code);
    const pattern = /^\/(.*)\/$/.exec(expected)?.[1];
    if (pattern === undefined) expect(output).toBe(expected);
    else expect(output).toMatch(new RegExp(pattern));
  });

  test.each<[string, string, RegExp]>([
    ['a syntax error', 'const a = 1;\nconst b = ;', /^!SyntaxError: Unexpected token \(line 2: const b = ;\)\./],
    ['types', 'const a: string = "x"', /^!SyntaxError: .*line 1/],
    ['an import', 'import fs from "node:fs"', /^!SyntaxError: .*There is nothing to import: call tools\./],
    ['an exception', 'const x = 1;\n\nx.y.z()', /^!TypeError: Cannot read .*\(line 3: x\.y\.z\(\)\)/],
    ['a thrown string', 'throw "no"', /^!It threw no/],
    ['what contains itself', 'const a = {}; a.a = a; return a', /^!TypeError: Converting circular/],
    ['an unknown tool', 'await tools.ech({})', /^!TypeError: There is no tool "ech" for programs\..*line 1/],
    [
      'printed before it failed',
      'console.log("so far"); throw new Error("no")',
      /^!Error: no .*\n\nPrinted before:\nso far$/,
    ],
    ['assigning to nothing', 'a = 1', /^!ReferenceError: a is not defined/],
    ['fetch', 'await fetch("https://example.org")', /^!TypeError: fetch is not a function/],
  ])('%s', async (_name, code, expected) => expect((await run(code)).output).toMatch(expected));
});

describe('calls', () => {
  test('inputs and values go as JSON, in parallel, in order of their ids', async () => {
    const { output, calls } = await run(
      'const all = await Promise.all([1, 2, 3].map((n) => tools.echo({ n })));\nreturn all.map((one) => one.n)',
    );
    expect(JSON.parse(output)).toEqual([1, 2, 3]);
    expect(calls.map((call) => [call.callId, call.number, call.tool, call.inputText])).toEqual([
      ['call_1', 1, 'echo', '{"n":1}'],
      ['call_1', 2, 'echo', '{"n":2}'],
      ['call_1', 3, 'echo', '{"n":3}'],
    ]);
  });
  test('a tool that says no can be caught; one that is not caught names the line and what was done', async () => {
    const callTool = (call: CallFromProgram): SettledCall =>
      call.number === 2 ? { state: 'error', message: 'There is no b.txt.' } : answer('fine');
    expect(
      (await run('await tools.echo({});\ntry { await tools.echo({}) } catch (e) { return e.message }', { callTool }))
        .output,
    ).toBe('There is no b.txt.');
    expect((await run('await tools.echo({});\nawait tools.echo({})', { callTool })).output).toBe(
      '!ToolError: There is no b.txt. (line 2: await tools.echo({}))\nBy then it had called echo (1); what these did stays done.',
    );
  });
  test('a refusal without a word, and a broken world, are not the program’s to catch', async () => {
    const program = 'try { await tools.echo({}) } catch {}\nreturn "went on"';
    const refused = await run(program, {
      callTool: () => ({ state: 'error', message: 'The person refused this call.', stopsTurn: true }),
    });
    expect(refused.output).toBe('!The person refused this call.');
    const cause = new Error('the sandbox is gone');
    await expect(run(program, { callTool: () => ({ state: 'error', message: 'x', cause }) })).rejects.toBe(cause);
  });
  test('odd names of tools are names like any other', async () => {
    const names = [
      'constructor',
      '__proto__',
      'then',
      'toString',
      'all_get-sum',
      'hasOwnProperty',
      '0',
      'find',
      'class',
    ];
    const program = `const seen = {};
for (const name of Object.keys(tools)) seen['t:' + name] = await tools[name]({ name });
return Object.values(seen).map((one) => one.name).sort()`;
    expect(JSON.parse((await run(program, { names })).output)).toEqual([...names].sort());
  });
  test('tools can be searched, listed and printed, and not changed', async () => {
    const names = ['github_create_issue', 'github_list_issues', 'echo'];
    expect(
      JSON.parse((await run('return tools.$find("create an issue").map((one) => one.name)', { names })).output),
    ).toEqual(['github_create_issue', 'github_list_issues']);
    expect((await run('tools.echo = () => 1', { names })).output).toMatch(/^!TypeError: /);
    expect((await run('console.log(tools); return String(Object.keys(tools))', { names })).output).toMatch(
      /^github_create_issue,github_list_issues,echo\n\nPrinted:/,
    );
  });
  test('calls that nobody waits for are stopped, and said to be', async () => {
    const stopped: string[] = [];
    const callTool = (call: CallFromProgram) =>
      new Promise<SettledCall>((resolve) =>
        call.signal.addEventListener('abort', () => {
          stopped.push(call.inputText);
          resolve({ state: 'interrupted' });
        }),
      );
    const { output } = await run('tools.echo({ n: 1 }); tools.echo({ n: 2 }); return "over"', { callTool });
    expect(output).toBe('over\n\n(2 calls were not waited for and stopped at the end. Use await or Promise.all.)');
    expect(stopped).toEqual(['{"n":1}', '{"n":2}']);
  });
  test('images don’t enter the program; the call as a whole shows them', async () => {
    const media = [{ bytes: new Uint8Array(3), mediaType: 'image/png', name: 'a.png' }];
    const context = await toolContext();
    const tool = executeTool({
      tools: [{ name: 'read', declaration: '' }],
      catalogue: '',
      startPlace: threadPlace,
      callTool: async () => ({ state: 'done', value: 'It is a PNG image.', result: { title: '', output: '', media } }),
    });
    const result = await tool.execute({ code: 'return [await tools.read({}), await tools.read({})]' }, context);
    expect(result.media).toHaveLength(2);
    expect(result.output).toBe('[\n "It is a PNG image.",\n "It is a PNG image."\n]');
  });
  test('the card shows each call with its title and state', async () => {
    const context = await toolContext();
    await run('await tools.echo({}); try { await tools.echo({}) } catch {}', {
      context,
      callTool: (call) => {
        call.report({ kind: 'running' });
        call.report({ kind: 'update', title: `title ${call.number}` });
        return call.number === 1 ? answer(1) : { state: 'error', message: 'no' };
      },
    });
    const last = context.updates.at(-1) as { meta: unknown };
    expect(last.meta).toEqual({
      calls: 2,
      list: [
        { tool: 'echo', title: 'title 1', state: 'done' },
        { tool: 'echo', title: 'title 2', state: 'error' },
      ],
    });
  });
});

describe('a program that attacks', () => {
  const steal = `const ports = [];
const post = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function (...args) { ports.push(this); return post.apply(this, args); };
await tools.echo({ n: 1 });
const [port] = ports;
const forge = (word) => post.call(port, word);
`;
  test.each<[string, string]>([
    ['a call with an id of its own', "forge({ type: 'call', id: 77, tool: 'echo', input: '{}' })"],
    ['a call of the same id again', "forge({ type: 'call', id: 1, tool: 'echo', input: '{}' })"],
    ['an object that is no message', 'forge({ type: "result", ok: true })'],
    ['an input that is an object', "forge({ type: 'call', id: 2, tool: 'echo', input: { a: 1 } })"],
  ])('%s ends it', async (_name, code) => {
    const { output, calls } = await run(`${steal}${code};\nawait new Promise(() => {})`);
    expect(output).toMatch(/^!The program was stopped: it spoke to Cloche behind the back/);
    expect(calls).toHaveLength(1);
  });
  test('a call that looks like ours is judged like ours: a name that was not offered is refused', async () => {
    const { output, calls } = await run(
      `${steal}forge({ type: 'call', id: 2, tool: 'bash', input: '{"command":"rm -rf /"}' });\nawait new Promise((r) => setTimeout(r, 50)); return 'went on'`,
    );
    expect(output).toBe('went on');
    expect(calls.map((call) => call.tool)).toEqual(['echo']);
  });
  test.each<[string, string, string]>([
    ['a prototype with members', "Object.prototype.path = '/etc'; return (await tools.echo({ n: 1 })).n", '1'],
    ['an array’s prototype', 'Array.prototype.map = () => { throw 1 }; return [1].length', '1'],
    ['JSON replaced', "JSON.stringify = () => 'forged'; return { a: 1 }", 'forged'],
    ['promises replaced', 'Promise.prototype.then = undefined; return 1', ''],
    [
      '__proto__ in an input',
      `return Object.keys(await tools.echo(JSON.parse('{"__proto__":{"a":1}}')))`,
      '[\n "__proto__"\n]',
    ],
    [
      'a value that throws',
      'return {\n toJSON() { throw new Error("no") } }',
      '!Error: no (line 2: toJSON() { throw new Error("no") } })',
    ],
    ['a getter that never ends', 'return { get a() { for (;;) {} } }', ''],
    [
      'an exception that can’t be read',
      'throw Object.defineProperty(new Error("x"), "message", { get() { throw 1 } })',
      '!It threw something that can’t be read.',
    ],
    ['an exception that lies', 'throw Object.assign(new Error("x"), { stack: "program.js:99999" })', '!Error: x'],
  ])('%s hurts only itself', async (_name, code, expected) => {
    const { output } = await run(code, { budget: { wallMs: 3000 } });
    if (expected === '') expect(output).toMatch(/^!The program was stopped after|^1$/);
    else expect(output).toBe(expected);
    expect(JSON.stringify({}) + [1, 2].map(String)).toBe('{}1,2');
  });
});

describe('budgets', () => {
  test('a loop that never ends', async () => {
    expect((await run('for (;;) {}', { budget: { wallMs: 300 } })).output).toBe(`!${programErrors.wall(300)}`);
    expect((await run('await new Promise(() => {})', { budget: { wallMs: 100 } })).output).toMatch(
      /^!The program was stopped after/,
    );
  });
  test('the time in which the person is asked does not count, whoever else is asked', () => {
    vi.useFakeTimers();
    try {
      const isOver = vi.fn();
      const clock = programClock(1000, isOver);
      vi.advanceTimersByTime(600);
      const [one, two] = [clock.hold(), clock.hold()];
      vi.advanceTimersByTime(60_000);
      one();
      one();
      vi.advanceTimersByTime(60_000);
      two();
      vi.advanceTimersByTime(399);
      expect(isOver).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(isOver).toHaveBeenCalledOnce();
      const ended = programClock(10, isOver);
      const late = ended.hold();
      ended.end();
      late();
      vi.advanceTimersByTime(1000);
      expect(isOver).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });
  test('too many calls', async () => {
    const { output, calls } = await run('for (;;) await tools.echo({})', { budget: { calls: 5 } });
    expect(output).toMatch(
      /^!The program was stopped at its call 6: it may make 5\..*\nBy then it had called echo \(5\)/,
    );
    expect(calls).toHaveLength(5);
  });
  test('too many calls at once wait for each other', async () => {
    let running = 0;
    let most = 0;
    const callTool = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running--;
      return answer(1);
    };
    await run('return Promise.all(Array.from({ length: 30 }, () => tools.echo({})))', { callTool });
    expect(most).toBe(8);
  });
  test('a value that is too long, an answer that is too long, and ten megabytes that are not', async () => {
    expect((await run('return "x".repeat(10_000_000)')).output).toMatch(
      /^!RangeError: The value has 10000000 characters, more than/,
    );
    const callTool = () => answer('x'.repeat(11_000_000));
    expect((await run('await tools.echo({})', { callTool })).output).toMatch(
      /^!ToolError: The answer has 11000002 characters, more than/,
    );
    const long = await run('return (await tools.echo({})).slice(1)', { callTool: () => answer('x'.repeat(9_800_000)) });
    expect(long.output).toHaveLength(9_799_999);
    const shown = await boundResult({ title: '', output: long.output, cut: {} });
    expect(shown.output.length).toBeLessThan(60_000);
  });
  test('printing without end costs the rest of what is printed', async () => {
    const { output } = await run('for (let i = 0; i < 100_000; i++) console.log("line " + i); return "done"');
    expect(output).toMatch(/^done\n\nPrinted:\nline 0\n[\s\S]*\[… it printed more than 256000 characters …\]$/);
  });
  test('stop ends it at once, with its calls', async () => {
    const context = await toolContext();
    const begun = Promise.withResolvers<void>();
    let wasStopped = false;
    const callTool = (call: CallFromProgram) =>
      new Promise<SettledCall>((resolve) => {
        call.signal.addEventListener('abort', () => {
          wasStopped = true;
          resolve({ state: 'interrupted' });
        });
        begun.resolve();
      });
    const over = run('await tools.echo({})', { callTool, context }).catch((error: Error) => error.name);
    await begun.promise;
    context.stop.abort(new DOMException('Stopped', 'AbortError'));
    expect(await over).toBe('AbortError');
    expect(wasStopped).toBe(true);
  });
});
