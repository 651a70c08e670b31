// What rewriting does to a text can be taken out of it again, to the letter, and what it makes of it parses.
import { describe, expect, it } from 'vitest';
import { applyEdits } from './edits';
import { writtenText } from './function-text';
import { readShape } from './module-shape';
import { NAME } from './names';
import { parseModule, parseScript } from './parse';
import { rewrite } from './rewrite';

const SOURCES = [
  'async function f() { return }',
  'async function f() { "use strict"; await g(); return 1, await p; }',
  'const f = async (/* => */ a = (1)) /* x */ => /* y */ ({ a }); // =>',
  'const f = async x => async () => (await x, 1)',
  'async function f() { try { if (a) return; return await x } catch { b() } finally { await c } return 2 }',
  'async function f() { try { a() } catch ({ b }) { await b } try { a() } catch (e) { await e } }',
  'async function f() { for await (const a of (b, c)) d(a); for await (x of y) { break } }',
  'async function f() { function a() {} var a; function a() {} return a }',
  'async function* f() { yield g(); await (a, b) }',
  'async function* f() { "use strict"; const a = yield; yield* (b, c); try { return d() } finally { yield yield 1 } }',
  'async function*f(){yield\n[yield]}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source
  'const p = f(), q = a?.b() ?? c(), r = `${d()}`, s = e`${f()}`; g(h()); new Promise((a) => a(b()));',
  'class A { b = c(); async d() { return this.b() } static async e() { await using f = g(); return h() } }',
  // As a minifier writes it.
  'async function f(){for await(const x of[1])return[x];const y=await(async()=>3)(),z=await"a";try{return{y}}finally{await[z]}}',
  'async()=>{await[f()];return`t`};async()=>{return(await g()).x};async()=>{return!(await g())};async()=>{throw(await g())}',
  'list.map(async (x) => x); Array.from(a, f); async function f() {} eval("1"); import("fs"); go();',
];

describe('the text of a function', () => {
  it.each(SOURCES)('is as it was written: %s', (source) => {
    for (const isDependency of [true, false]) {
      const { text } = applyEdits(source, rewrite(parseScript(source), source, { isDependency }).edits);
      expect(writtenText(text)).toBe(source);
      expect(parseScript(text)).toBeDefined();
      // What is put in is a word of its own.
      expect(text).not.toMatch(/[\p{ID_Continue}$]\u0269/u);
    }
  });

  it.each([
    '() => a.b(c())',
    '() => new Promise',
    '() => (1, a())',
    '() => a ? b() : c()',
    '() => list.map(async (x) => x)',
    '() => eval(x)',
    'async () => await a()',
    'async () => a(b())',
    '(x = a()) => ({ x: b() })[c()]',
    'function () { return a() }',
  ])('ends where the engine says that the function ends: %s', (source) => {
    const script = `(${source})`;
    const { text } = applyEdits(script, rewrite(parseScript(script), script, { isDependency: false }).edits);
    expect(writtenText(String(new Function(`return ${text}`)()))).toBe(source);
  });

  it('keeps apart what stands on lines without semicolons', () => {
    const body = `'use strict'
      const f = function () {}
      a()
      a().b()
      a\`x\`
      if (x) a()
      else a()
      switch (x) { case 1: y
        a()
      }
      const g = () => { h
        a() }
      a() ? y : z
      ;a()
      a.b()
      new a()`;
    const source = `import { a } from 'x'\n${body}`;
    const program = parseModule(source);
    const { shape, edits } = readShape(program, source);
    for (const isDependency of [false, true]) {
      const { text } = applyEdits(source, [
        ...edits,
        ...rewrite(program, source, { imports: shape.imports, isDependency }).edits,
      ]);
      const kinds = (statements: any[]) =>
        statements.map(({ type }) => type).filter((type) => type !== 'EmptyStatement');
      expect(kinds(parseModule(text).body)).toEqual(kinds(program.body.slice(1)));
      expect(writtenText(text).trim()).toBe(body);
    }
  });

  it.each([
    'try { a() } catch (e) { b() }',
    'try { a() } finally { b() }',
    'async function* f() { try { yield a() } catch ({ b }) { c() } finally { d() } }',
    'for await (const a of b) c()',
  ])('uses no variable that it has not declared: %s', (source) => {
    for (const isDependency of [true, false]) {
      const program = parseModule(source);
      const { text } = applyEdits(source, rewrite(program, source, { isDependency }).edits);
      if (text.includes(NAME.run)) expect(text).toContain(`let ${NAME.run}`);
    }
  });

  it('has its imports back', () => {
    const source =
      "import d, { a, b as c } from 'x'; import * as n from 'y';\nexport async function f() { d(a); c(); n.z({ a, c: n }); return import.meta.url }";
    const program = parseModule(source);
    const { shape, edits } = readShape(program, source);
    const { text } = applyEdits(source, [...edits, ...rewrite(program, source, { imports: shape.imports }).edits]);
    expect(text).not.toContain('d(a)');
    expect(writtenText(text)).toContain('async function f() { d(a); c(); n.z({ a, c: n }); return import.meta.url }');
  });
});
