// WebAssembly that is compiled in the background keeps the process alive, as node's platform waits for V8's tasks: the browser's own functions
// tell nobody that something is under way.
import type { EventLoop } from './environment';

/** Replaces what compiles asynchronously. What it gives settles one microtask later. */
export function installWasmWaits(loop: EventLoop): void {
  const { then } = Promise.prototype;
  for (const name of ['compile', 'instantiate'] as const) {
    const original = WebAssembly[name] as (...given: unknown[]) => Promise<unknown>;
    const method = {
      [name](...given: [unknown]): unknown {
        loop.startRequest();
        return Reflect.apply(then, Reflect.apply(original, WebAssembly, given), [
          (made: unknown) => {
            loop.endRequest();
            return made;
          },
          (error: unknown) => {
            loop.endRequest();
            throw error;
          },
        ]);
      },
    };
    const value = method[name] as Function;
    Object.defineProperty(value, 'length', { value: original.length, configurable: true });
    Object.defineProperty(WebAssembly, name, { value });
  }
}
