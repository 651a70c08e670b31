// Bytes that all workers share and that are fetched once, when the first of them asks. Who asks may block until they are there: the fetching is done in
// another worker, and `require()` cannot wait in any other way.

/** `state` has one word, a STATE. Both lie in shared memory. */
export interface SharedText {
  /** What it is, for an error. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly state: Int32Array;
}

const STATE = { absent: 0, asked: 1, there: 2, failed: 3 } as const;

/** A text that is there. */
export function presentText(name: string, content: Uint8Array): SharedText {
  const text = emptyText(name, content.length);
  text.bytes.set(content);
  Atomics.store(text.state, 0, STATE.there);
  return text;
}

/** A text of `length` bytes that `load` is asked for once somebody asks; after a failure the next who asks has it tried again. Only for a worker that never blocks. */
export function offerText(name: string, length: number, load: () => Promise<Uint8Array>): SharedText {
  const text = emptyText(name, length);
  const serve = async (): Promise<void> => {
    for (;;) {
      await whenAsked(text.state);
      let next: number = STATE.there;
      try {
        text.bytes.set(await load());
      } catch {
        next = STATE.failed;
      }
      Atomics.store(text.state, 0, next);
      Atomics.notify(text.state, 0);
      if (next === STATE.there) return;
    }
  };
  void serve();
  return text;
}

/** Makes it come, without waiting. */
export function askForText({ state }: SharedText): void {
  const seen = Atomics.load(state, 0);
  if (seen !== STATE.absent && seen !== STATE.failed) return;
  if (Atomics.compareExchange(state, 0, seen, STATE.asked) === seen) Atomics.notify(state, 0);
}

/** The bytes, blocking until they are there; throws an Error that names the text when it could not be had. */
export function takeText(text: SharedText): Uint8Array {
  askForText(text);
  while (Atomics.load(text.state, 0) === STATE.asked) Atomics.wait(text.state, 0, STATE.asked);
  if (Atomics.load(text.state, 0) !== STATE.there)
    throw new Error(`Could not load a part of Node's library: ${text.name}`);
  return text.bytes;
}

function emptyText(name: string, length: number): SharedText {
  return {
    name,
    bytes: new Uint8Array(new SharedArrayBuffer(length)),
    state: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
}

async function whenAsked(state: Int32Array): Promise<void> {
  for (let seen = Atomics.load(state, 0); seen !== STATE.asked; seen = Atomics.load(state, 0)) {
    const wait = Atomics.waitAsync(state, 0, seen);
    if (wait.async) await wait.value;
  }
}
