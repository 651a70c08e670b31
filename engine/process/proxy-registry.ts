// What a proxy wraps. The language hides it and util.inspect shows it, so the realm's Proxy constructor writes it down.

interface ProxyDetails {
  target: object | null;
  handler: object | null;
}

const details = new WeakMap<object, ProxyDetails>();

/** Target and handler of a proxy made since `trackProxies`; both null when it has been revoked; undefined for anything else. */
export function detailsOf(value: unknown): [target: object | null, handler: object | null] | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  const found = details.get(value);
  return found && [found.target, found.handler];
}

/** Replaces `scope.Proxy` by one that registers what it makes. Call it before any guest code runs. */
export function trackProxies(scope: { Proxy: ProxyConstructor }): void {
  const NativeProxy = scope.Proxy;
  const construct = Reflect.construct;
  const revocable = NativeProxy.revocable;
  function tracked(target: object, handler: ProxyHandler<object>): object {
    if (new.target === undefined) throw new TypeError("Constructor Proxy requires 'new'");
    const proxy = construct(NativeProxy, [target, handler]);
    details.set(proxy, { target, handler });
    return proxy;
  }
  const tracking = tracked as unknown as ProxyConstructor & { prototype: undefined };
  tracking.prototype = undefined;
  Object.defineProperty(tracking, 'name', { configurable: true, value: 'Proxy' });
  Object.defineProperty(tracking, 'revocable', {
    configurable: true,
    writable: true,
    enumerable: false,
    value: {
      revocable(target: object, handler: ProxyHandler<object>) {
        const made = revocable(target, handler);
        const entry: ProxyDetails = { target, handler };
        details.set(made.proxy, entry);
        const revoke = (): void => {
          made.revoke();
          entry.target = null;
          entry.handler = null;
        };
        return { proxy: made.proxy, revoke: Object.defineProperty(revoke, 'name', { value: '' }) };
      },
    }.revocable,
  });
  Object.defineProperty(scope, 'Proxy', { configurable: true, writable: true, enumerable: false, value: tracking });
}
