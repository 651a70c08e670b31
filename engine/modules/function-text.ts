// The text of a function as it was written: programs show it, and send it elsewhere (bundlers put it into pages), where nothing of the engine is.
import { END, NAME } from './names';

const pattern = (text: string): string => text.replace(/[/*+?.()[\]{}^$|]/g, '\\$&');
const [end, run, kept] = [pattern(END), NAME.run, NAME.kept];

/** What rewriting inserts (async-functions.ts, rewrite.ts), longer things first. */
const INSERTED = [
  // Around a function's body.
  `[;{]let ${run}(?:,${kept}|=${NAME.generates}\\(\\))?;(?:try\\{)?(?:return (?:${NAME.returns})?\\(|${end})`,
  `;(?:${kept}=void 0;)?${NAME.returns}\\(void 0,${run}\\);(?:\\}catch\\(${NAME.error}\\)[^\\n]*?)?${end}`,
  `,${run}\\);(?:\\}catch\\(${NAME.error}\\)[^\\n]*?)?${end}\\}`,
  // Around its returns, yields, awaits and what it catches.
  ` ${NAME.yields}\\(void 0,${run}\\)${end}`,
  ` (?:${NAME.returns}\\(void 0,${run}\\)|\\(${kept}=\\[${NAME.claim}\\(void 0\\)${end}\\]\\)\\[0\\]${end})${end}`,
  `\\(${kept}=\\[`,
  `\\]\\)\\[0\\]${end}`,
  `,${run}(?:\\?\\?=(?:${NAME.begin}|${NAME.quiet})\\(\\))?\\)`,
  `;${NAME.caught}\\(${run},[^)]*\\);`,
  `;${NAME.finally}\\(${run}\\);`,
  `${NAME.restore}\\(${run}\\);`,
  `\\(${NAME.error}\\)`,
  // Around calls and other expressions.
  `(?:${end})?(?:${[NAME.resume, NAME.told, NAME.wait, NAME.hold, NAME.each, NAME.yields, NAME.delegates, NAME.goesOn, NAME.returns, NAME.claim, NAME.drop, NAME.mapped, NAME.code].join('|')})\\(`,
  `\\(${NAME.promise}\\(`,
  `${end}\\)`,
  // Between statements.
  `;${end}`,
  `[(){}]${end}`,
].join('|');

const NAMESPACE = `${NAME.namespace}\\d+(?:\\.[\\w$]+|\\["[^\\n]*?"\\])?`;

/** What stands in the place of references to imports (import-references.ts), and the original in it. */
const REPLACED = [
  `[\\p{ID_Continue}$]+:${NAMESPACE}/\\*\u0269:([^*]+)\\*/`,
  `(?:\\(0,)?${NAMESPACE}\\)?/\\*\u0269([^*:]+)\\*/`,
].join('|');

/** Takes what rewriting inserted out of a text, and puts back what it replaced. */
export function writtenText(text: string): string {
  if (!text.includes('\u0269')) return text;
  return text
    .replace(new RegExp(REPLACED, 'gu'), (_, shorthand, name) => shorthand ?? name)
    .replace(new RegExp(INSERTED, 'g'), '')
    .replaceAll(NAME.meta, 'import.meta')
    .replace(new RegExp(`${NAME.import}(?:in)?\\d*`, 'g'), 'import');
}

/** Replaces `Function.prototype.toString`. Before primordials are captured. */
export function installFunctionText(): void {
  const { apply } = Reflect;
  const original = Function.prototype.toString;
  const { toString } = {
    toString(this: unknown): string {
      return writtenText(apply(original, this === toString ? original : this, []));
    },
  };
  Object.defineProperty(Function.prototype, 'toString', {
    value: toString,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}
