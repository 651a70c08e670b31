// Remembers every Proxy that is made in the realm, because util.inspect and util.types must see through them and the language does not let anyone.

const details = new WeakMap<object, { target: unknown; handler: unknown }>();
const NativeProxy = Proxy;

/** Target and handler of a proxy (null, null when revoked); undefined for anything else. */
export function detailsOf(value: object): { target: unknown; handler: unknown } | undefined {
  return details.get(value);
}

/** Replaces the global Proxy by one that remembers. */
export function trackProxies(scope: typeof globalThis): void {
  const remember = (proxy: object, target: unknown, handler: unknown): object => {
    details.set(proxy, { target, handler });
    return proxy;
  };
  const Tracked: any = {
    Proxy: function (target: object, handler: ProxyHandler<object>) {
      if (!new.target) throw new TypeError("Constructor Proxy requires 'new'");
      return remember(new NativeProxy(target, handler), target, handler);
    },
  }.Proxy;
  Object.defineProperty(Tracked, 'length', { value: 2 });
  Object.defineProperty(Tracked, 'prototype', { value: undefined, writable: false });
  const revocable = (target: object, handler: ProxyHandler<object>) => {
    const { proxy, revoke } = NativeProxy.revocable(target, handler);
    remember(proxy, target, handler);
    return {
      proxy,
      revoke: () => {
        revoke();
        remember(proxy, null, null);
      },
    };
  };
  Object.defineProperty(Tracked, 'revocable', { value: revocable, writable: true, configurable: true, enumerable: false });
  Object.defineProperty(scope, 'Proxy', { value: Tracked, writable: true, configurable: true, enumerable: false });
}
