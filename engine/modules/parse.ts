// The one place that parses guest source. acorn: small, exact positions, ESTree.
import { type Options, Parser, tokTypes } from 'acorn';

/** Source of this size and more is parsed only where `isWorthParsing`: the syntax tree of a compiler takes longer than the compiler. */
const LONG = 2_000_000;
/** A long dependency has fewer async functions than one in so many characters when it hardly waits. */
const HARDLY_WAITS = 100_000;

const ASYNC_FUNCTIONS =
  /(?<=(?:[=(,:?{};>!&|[\n]|\b(?:return|default|await|static|export))\s*)\basync\b\s*(?:function\b|\(|\*|[\w$#[]+\s*(?:=>|\())/g;

/** Whether a script is to be rewritten by its tree. Where not, AsyncLocalStorage does not follow its awaits. */
export function isWorthParsing(source: string, name: string): boolean {
  if (source.length < LONG || /\beval\s*\(/.test(source)) return true;
  const least = isDependency(name) ? source.length / HARDLY_WAITS : 1;
  let count = 0;
  for (const _ of source.matchAll(ASYNC_FUNCTIONS)) if (++count >= least) return true;
  return false;
}

/** Whether a script is a package's, by its path or URL: not the program's own. */
export function isDependency(name: string): boolean {
  return name.includes('/node_modules/');
}

/** From this many names on a list is asked through a set. */
const MANY_NAMES = 16;

/** Names that a scope declares. acorn asks a list for every name that comes to it, and a bundle has thousands at its top. */
class NameList extends Array<string> {
  private known: Set<string> | undefined;

  override push(name: string): number {
    this.known?.add(name);
    return super.push(name);
  }

  override indexOf(name: string): number {
    if (this.length >= MANY_NAMES) {
      this.known ??= new Set(this);
      if (!this.known.has(name)) return -1;
    }
    return super.indexOf(name);
  }
}

/** A scope as acorn keeps it. */
interface Scope {
  var: string[];
  lexical: string[];
  functions: string[];
}

const GuestParser = Parser.extend((base: any) => {
  return class extends base {
    enterScope(flags: number): void {
      super.enterScope(flags);
      const { scopeStack } = this as unknown as { scopeStack: Scope[] };
      // The file itself, and the function around all of a bundle.
      if (scopeStack.length > 2) return;
      const scope = scopeStack.at(-1)!;
      scope.var = new NameList();
      scope.lexical = new NameList();
      scope.functions = new NameList();
    }

    /** To its end only: whether it means something is for the compiler, which reads it anyway, to say. */
    readRegexp(): unknown {
      const { input } = this;
      const start = this.pos;
      let isEscaped = false;
      let isInClass = false;
      for (; ; this.pos++) {
        const unit = input[this.pos];
        if (unit === undefined || /[\n\r\u2028\u2029]/.test(unit)) this.raise(start, 'Unterminated regular expression');
        if (isEscaped) isEscaped = false;
        else if (unit === '\\') isEscaped = true;
        else if (unit === '[') isInClass = true;
        else if (unit === ']') isInClass = false;
        else if (unit === '/' && !isInClass) break;
      }
      const pattern = input.slice(start, this.pos++);
      const flags = this.readWord1();
      return this.finishToken(tokTypes.regexp, { pattern, flags, value: null });
    }
  } as typeof base;
});

const SHARED: Partial<Options> = { ecmaVersion: 'latest', allowHashBang: true };
const SCRIPT = {
  ...SHARED,
  sourceType: 'script',
  allowReturnOutsideFunction: true,
  allowSuperOutsideMethod: true,
} as Options;

/** Why acorn does not parse a source: its words, and where. */
export interface Refusal {
  message: string;
  /** UTF-16 units from the start. */
  position: number;
  /** 1-based. */
  line: number;
  column: number;
}

/** What acorn threw, read; undefined for what is no refusal of it. */
export function refusalIn(error: unknown): Refusal | undefined {
  const { message, pos, loc } = error as SyntaxError & { pos?: number; loc?: { line: number; column: number } };
  if (pos === undefined || !loc) return undefined;
  return { message: message.replace(/ \(\d+:\d+\)$/, ''), position: pos, line: loc.line, column: loc.column + 1 };
}

/** Why a script does not parse; undefined where it does, or where acorn breaks on it in another way. */
export function scriptRefusal(source: string): Refusal | undefined {
  try {
    GuestParser.parse(source, SCRIPT);
    return undefined;
  } catch (error) {
    return refusalIn(error);
  }
}

/** A module's syntax tree; throws acorn's SyntaxError. */
export function parseModule(source: string): any {
  return GuestParser.parse(source, { ...SHARED, sourceType: 'module' } as Options);
}

/** A CommonJS module's or script's syntax tree, or undefined when acorn refuses it (the compiler then says why). */
export function parseScript(source: string): any {
  try {
    return GuestParser.parse(source, SCRIPT);
  } catch {
    return undefined;
  }
}
