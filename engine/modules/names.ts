// The names that rewritten code uses, and how what it says more than its source is taken out again. The first letter is U+0269.

export const NAME = {
  namespace: '\u0269ns',
  meta: '\u0269meta',
  import: '\u0269mport',
  completion: '\u0269completion',
  /** Throws when the script is to be interrupted (interrupt.ts). */
  stop: '\u0269stop',
  /** What the text given to a direct `eval` goes through (dynamic-code.ts). */
  code: '\u0269eval',
  /** What `Promise` in `new Promise(…)` goes through. */
  promise: '\u0269promise',
  /** The run of an async function (activation.ts), undefined until it waits. */
  run: '\u0269run',
  begin: '\u0269begin',
  /** Begins a run whose promise nobody claims: a module's, a generator's. */
  quiet: '\u0269quiet',
  wait: '\u0269wait',
  /** Begins a run of an async generator, and what stands around its `yield`, `yield*` and behind both (async-iteration.ts). */
  generates: '\u0269generates',
  yields: '\u0269yields',
  delegates: '\u0269delegates',
  goesOn: '\u0269goesOn',
  /** Waits for what may be a promise somebody else has. */
  hold: '\u0269hold',
  /** Waits as `for await` does. */
  each: '\u0269each',
  resume: '\u0269resume',
  /** Goes on behind `hold`. */
  told: '\u0269told',
  restore: '\u0269restore',
  caught: '\u0269caught',
  finally: '\u0269finally',
  error: '\u0269error',
  /** What a run returns where a `finally` may still change it. */
  kept: '\u0269kept',
  returns: '\u0269returns',
  throws: '\u0269throws',
  /** Takes the promise that a call gave. */
  claim: '\u0269claim',
  /** An async function whose promises the caller of `map` gets. */
  mapped: '\u0269mapped',
  /** A call whose promise nobody takes. */
  drop: '\u0269drop',
} as const;

/** Ends what was inserted where its own text would not tell. */
export const END = '/*\u0269*/';

/** Stands behind what has taken the place of `text`. */
export function original(text: string): string {
  return `/*\u0269${text}*/`;
}
