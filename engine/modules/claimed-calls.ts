// Which calls may give the promise of an async function to somebody who keeps it: only those are asked for it (promise-claims.ts). Other calls stay as
// they are written, so they cost what they cost.

/** Decides by what a source says of the names it calls. */
export interface CallNames {
  mayBePromise: (call: any) => boolean;
  /** Whether the call lets `map` or the like call an async function, its last argument, for each promise of an array. */
  isMapping: (call: any) => boolean;
}

/** Methods of the language that give no promise, and `require`. */
const NEVER = new Set(
  `require push pop shift unshift slice splice concat join reverse sort indexOf lastIndexOf includes keys values entries fill some every has add set
   delete clear charAt charCodeAt codePointAt split trim trimStart trimEnd toLowerCase toUpperCase padStart padEnd repeat replace replaceAll substring
   substr startsWith endsWith toString toFixed valueOf localeCompare normalize match matchAll test floor ceil round abs min max pow sqrt random sin cos
   tan log2 log10 exp trunc sign hypot atan2 imul clz32 freeze isFrozen assign create defineProperty defineProperties getPrototypeOf setPrototypeOf
   getOwnPropertyNames getOwnPropertyDescriptor hasOwnProperty hasOwn fromEntries isArray isInteger isNaN isFinite parseInt parseFloat parse stringify
   fromCharCode fromCodePoint now getTime toISOString byteLength subarray isBuffer alloc allocUnsafe readUInt8 writeUInt8 readUInt32LE writeUInt32LE
   next return throw bind postMessage`.split(/\s+/),
);

/** How far before `async` the name of what is made so may begin. */
const NAME_REACH = 300;

const KEYWORDS = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'typeof', 'function', 'with', 'void']);

/** Whether a text may call something that gives a promise: told from its words, since parsing it costs more than compiling it. */
export function callsSomething(source: string): boolean {
  for (const [whole, name] of source.matchAll(/(?:\bfunction\b\s*\*?\s*)?([\w$]+)\s*\(|[\])]\s*\(|[\w$)\]]`/g))
    if (!whole.startsWith('function') && (name === undefined || !(KEYWORDS.has(name) || NEVER.has(name)))) return true;
  return false;
}

/** Everything that may give one is asked for it in a program's own files; in a dependency's, only names that it declares async itself. */
export function callNames(source: string, isDependency: boolean): CallNames {
  const asyncNames = new Set<string>();
  for (const [, name] of source.matchAll(/\basync\s+(?:function\s+)?([\w$]+)\s*\(/g)) asyncNames.add(name as string);
  for (const { index } of source.matchAll(/\basync\b/g)) {
    const before = /([\w$]+)\s*[=:]\s*$/.exec(source.slice(Math.max(0, index - NAME_REACH), index));
    if (before) asyncNames.add(before[1]!);
  }
  const syncNames = new Set<string>();
  if (!isDependency) {
    for (const [, name] of source.matchAll(/\bfunction\s*\*?\s*([\w$]+)\s*\(/g)) syncNames.add(name as string);
    for (const [, name] of source.matchAll(/\b(?:const|let|var)\s+([\w$]+)\s*=/g)) syncNames.delete(name as string);
    for (const name of asyncNames) syncNames.delete(name);
  }
  const isNamed = (name: string, isMember: boolean): boolean => {
    if (asyncNames.has(name)) return true;
    return !isDependency && !NEVER.has(name) && (isMember || !syncNames.has(name));
  };
  return {
    isMapping({ callee, arguments: given }) {
      if (callee.type !== 'MemberExpression' || callee.computed) return false;
      if (given.length !== (callee.property.name === 'from' ? 2 : 1) || !/^(?:map|from)$/.test(callee.property.name))
        return false;
      const last = given[given.length - 1];
      return last.type === 'Identifier' ? asyncNames.has(last.name) : last.async === true && !last.generator;
    },
    mayBePromise(call) {
      const callee = call.type === 'ChainExpression' ? call.expression.callee : (call.callee ?? call.tag);
      if (!callee) return false;
      switch (callee.type) {
        case 'Identifier':
          return isNamed(callee.name, false);
        case 'MemberExpression':
          return callee.computed ? !isDependency : isNamed(callee.property.name, true);
        case 'FunctionExpression':
        case 'ArrowFunctionExpression':
          return callee.async && !callee.generator;
        case 'Super':
        case 'Import':
          return false;
        default:
          return !isDependency;
      }
    },
  };
}
