// The changes to Node's lib, each one line for one line (positions in stack traces must hold) with its reason. A patch that no longer
// matches exactly once fails the build.

export interface LibPatch {
  id: string;
  find: string;
  replace: string;
  reason: string;
}

const ONE_CALLBACK =
  'Between two callbacks Node drains the microtasks itself; a browser drains them only when the task has ended. So each call runs one callback and the loop calls again.';

const SMALLER_STACK =
  'A worker’s stack is half of Node’s: it holds 63,000 arguments, not 125,000. What overflowed ended a fetch of a data: URL without a word.';
/** Of what is given to a function as its arguments, piece by piece. */
const smallerPieces = (id: string, find: string, replace: string): LibPatch => ({
  id,
  find,
  replace,
  reason: SMALLER_STACK,
});

export const LIB_PATCHES: LibPatch[] = [
  smallerPieces('internal/deps/undici/undici', 'if ((2 << 15) - 1 > length) {', 'if ((2 << 13) - 1 > length) {'),
  smallerPieces('internal/deps/undici/undici', 'let addition = (2 << 15) - 1;', 'let addition = (2 << 13) - 1;'),
  smallerPieces('internal/data_url', 'if ((2 << 15) - 1 > length) {', 'if ((2 << 13) - 1 > length) {'),
  smallerPieces('internal/data_url', 'let addition = (2 << 15) - 1;', 'let addition = (2 << 13) - 1;'),
  smallerPieces('internal/per_context/primordials', 'let end = 0x10000;', 'let end = 0x4000;'),
  smallerPieces('internal/per_context/primordials', 'end += 0x10000;', 'end += 0x4000;'),
  {
    id: 'internal/timers',
    find: `      if (ranAtLeastOneTimer)
        runNextTicks();`,
    replace: `      if (ranAtLeastOneTimer)
        return;`,
    reason: ONE_CALLBACK,
  },
  {
    id: 'internal/timers',
    find: `      if (ranAtLeastOneList)
        runNextTicks();`,
    replace: `      if (ranAtLeastOneList)
        return (nextExpiry = list.expiry, timeoutInfo[0] > 0 ? nextExpiry : -nextExpiry);`,
    reason: ONE_CALLBACK,
  },
  {
    id: 'internal/timers',
    find: '    let immediate = queue.head;',
    replace: '    let immediate = queue.resumeAfter ? queue.resumeAfter._idleNext : queue.head;',
    reason: `${ONE_CALLBACK} The rest of the queue is found through the immediate that ran last, which clearImmediate keeps linked.`,
  },
  {
    id: 'internal/timers',
    find: '    let prevImmediate;',
    replace: '    let prevImmediate = queue.resumeAfter; queue.resumeAfter = undefined;',
    reason: ONE_CALLBACK,
  },
  {
    id: 'internal/timers',
    find: `      if (ranAtLeastOneImmediate)
        runNextTicks();`,
    replace: `      if (ranAtLeastOneImmediate)
        return void (outstandingQueue.resumeAfter = prevImmediate);`,
    reason: ONE_CALLBACK,
  },
  {
    id: 'inspector',
    find: `if (!hasInspector)
  throw new ERR_INSPECTOR_NOT_AVAILABLE();`,
    replace: `void hasInspector;
`,
    reason:
      'A Node without an inspector refuses the module itself. Programs (Next, Nuxt) load it at their start only to ask url(), so here it loads, answers as with no debugger attached, and refuses what needs one (engine/bindings/static.ts).',
  },
];

/** Applies the patches of one builtin; throws when one does not match exactly once or changes the number of lines. */
export function patchSource(id: string, source: string): string {
  let patched = source;
  for (const patch of LIB_PATCHES) {
    if (patch.id !== id) continue;
    const parts = patched.split(patch.find);
    if (parts.length !== 2)
      throw new Error(`lib patch for ${id} matches ${parts.length - 1} times, not once: ${patch.find}`);
    if (patch.find.split('\n').length !== patch.replace.split('\n').length)
      throw new Error(`lib patch for ${id} changes line numbers`);
    patched = parts.join(patch.replace);
  }
  return patched;
}
