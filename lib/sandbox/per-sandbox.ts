// Things of which there is one per computer. A sandbox is handed on in views (one that records writes, one that is read-only); all of them share
// its ports, and that is what tells that they are the same.
import type { Sandbox } from './sandbox';

/** A function that makes its thing once for each computer, whichever view of it is given. */
export function perSandbox<Thing>(create: (sandbox: Sandbox) => Thing): (sandbox: Sandbox) => Thing {
  const things = new WeakMap<Sandbox['ports'], Thing>();
  return (sandbox) => {
    let thing = things.get(sandbox.ports);
    if (thing === undefined) {
      thing = create(sandbox);
      things.set(sandbox.ports, thing);
    }
    return thing;
  };
}
