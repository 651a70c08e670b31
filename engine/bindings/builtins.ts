// builtins: hands lib's own sources to its loader.
import type { Binding } from '../process/environment';

export const builtins: Binding = ({ builtins: sources, dump, browser, realm }) => ({
  builtinIds: dump.builtinIds,
  config: dump.config,
  natives: new browser.Proxy({} as Record<string, string>, {
    get: (_, id) => (typeof id === 'string' ? sources.source(id) : undefined),
    has: (_, id) => typeof id === 'string' && sources.source(id) !== undefined,
    ownKeys: () => dump.builtinIds,
    getOwnPropertyDescriptor: (_, id) => ({ configurable: true, enumerable: true, value: sources.source(String(id)) }),
  }),
  compileFunction: (id: string) => sources.compile(id),
  setInternalLoaders(internalBinding: (name: string) => any, requireBuiltin: (id: string) => any) {
    realm.internalBinding = internalBinding;
    realm.requireBuiltin = requireBuiltin;
  },
  hasCachedBuiltins: () => true,
});
