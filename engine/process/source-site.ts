// A frame of a stack trace as real Node shows it: positions of the source, and none of the eval that a browser compiles with.

/** V8's CallSite; only what is adapted is typed. */
export interface CallSite {
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
  getFunctionName(): string | null;
  getScriptNameOrSourceURL(): string | null;
  isEval(): boolean;
  toString(): string;
}

const DELEGATED = `getThis getTypeName getFunction getMethodName getLineNumber isToplevel isNative
isConstructor isAsync isPromiseAll getPromiseIndex getScriptNameOrSourceURL getScriptHash getEnclosingColumnNumber getEnclosingLineNumber
getPosition`.split(/\s+/);

/**
 * V8 calls an anonymous function of evaluated code `eval`; real Node compiles without eval and shows what follows here. And a newer V8 than
 * Node's names one frame of the module loader otherwise.
 */
function asNodePrints(text: string): string {
  return text
    .replace('Module._extensions..js (node:', 'Object..js (node:')
    .replace(/^(async )?eval \((.*)\)$/, '$1$2')
    .replace(
      /^(async |new )?((?:[^\s(]+\.)?)eval(?: \[as ([^\]]+)\])?(?= \()/,
      (_, prefix = '', receiver, alias) => `${prefix}${receiver}${alias ?? '<anonymous>'}`,
    );
}

/** A call site as it would be if the script had been compiled from its source. Its methods are its prototype's: source-map-support looks there. */
export class SourceSite {
  readonly #site: CallSite;
  readonly #column: number;

  constructor(site: CallSite, column: number) {
    this.#site = site;
    this.#column = column;
  }

  getColumnNumber(): number {
    return this.#column;
  }

  getFileName(): string | null {
    return this.#site.getScriptNameOrSourceURL();
  }

  getFunctionName(): string | null {
    const name = this.#site.getFunctionName();
    // V8 of a later version infers a name from `__proto__: null` in a literal.
    return name === 'eval' || name?.endsWith('.__proto__') ? null : name;
  }

  isEval(): boolean {
    return false;
  }

  getEvalOrigin(): undefined {
    return undefined;
  }

  toString(): string {
    return asNodePrints(this.#site.toString().replace(/:(\d+):\d+(\)?)$/, `:$1:${this.#column}$2`));
  }

  static {
    Object.defineProperty(SourceSite, 'name', { value: 'CallSite' });
    for (const method of DELEGATED)
      Object.defineProperty(SourceSite.prototype, method, {
        configurable: true,
        writable: true,
        value(this: SourceSite, ...given: unknown[]) {
          return (this.#site as any)[method]?.(...given);
        },
      });
  }
}

/** How V8 shows its constructor of promises. */
export const PROMISE_FRAME = 'new Promise (<anonymous>)';

/** What V8 says of the frame of its own constructor of promises. */
const CONSTRUCTOR_FACTS: Record<string, unknown> = {
  ...{ getColumnNumber: null, getEnclosingColumnNumber: null, getEnclosingLineNumber: null, getEvalOrigin: undefined },
  ...{
    getFileName: null,
    getFunction: undefined,
    getFunctionName: 'Promise',
    getLineNumber: null,
    getMethodName: null,
  },
  ...{ getPosition: 0, getPromiseIndex: null, getScriptNameOrSourceURL: null, getScriptHash: '', getThis: undefined },
  ...{ getTypeName: null, isAsync: false, isConstructor: true, isEval: false, isNative: false, isPromiseAll: false },
  ...{ isToplevel: true, toString: PROMISE_FRAME },
};

/** The call site of `new Promise` where the engine's own constructor stands on the stack. */
export const promiseConstructorSite = Object.create(
  Object.fromEntries(Object.entries(CONSTRUCTOR_FACTS).map(([method, value]) => [method, () => value])),
) as CallSite;
