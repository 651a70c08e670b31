// For tests: a network that the platform says is away.
import { vi } from 'vitest';

/** The platform says that there is no network; returns how it comes back. *Contract:* the test ends with `vi.unstubAllGlobals()`. */
export function withoutNetwork(): () => void {
  const target = new EventTarget();
  const navigator = { onLine: false };
  vi.stubGlobal('navigator', navigator);
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target));
  return () => {
    navigator.onLine = true;
    target.dispatchEvent(new Event('online'));
  };
}
