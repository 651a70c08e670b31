// The one place that parses guest source. acorn: small, exact positions, ESTree.
import { type Options, parse } from 'acorn';

/** Source of this size and more is compiled without a syntax tree: AsyncLocalStorage does not follow awaits in it. */
export const MAX_REWRITE_LENGTH = 2_000_000;

/** Whether a script is a package's, by its path or URL: not the program's own. */
export function isDependency(name: string): boolean {
  return name.includes('/node_modules/');
}

const SHARED: Partial<Options> = { ecmaVersion: 'latest', allowHashBang: true };

/** A module's syntax tree; throws acorn's SyntaxError. */
export function parseModule(source: string): any {
  return parse(source, { ...SHARED, sourceType: 'module' } as Options);
}

/** A CommonJS module's or script's syntax tree, or undefined when acorn refuses it (the compiler then says why). */
export function parseScript(source: string): any {
  try {
    return parse(source, {
      ...SHARED,
      sourceType: 'script',
      allowReturnOutsideFunction: true,
      allowSuperOutsideMethod: true,
    } as Options);
  } catch {
    return undefined;
  }
}
