// Which objects are module namespaces. Ours are ordinary objects with getters: util.types must know them, and their exports must look like the
// writable data that the language says they are (console.log(await import(…))).

export const namespaces = new WeakSet<object>();

/** Replaces the functions of the realm that tell descriptors. Call it before lib copies them into its primordials. */
export function describeNamespaces(): void {
  const { getOwnPropertyDescriptor: one, ownKeys } = Reflect;
  const { getOwnPropertyDescriptor: any, getOwnPropertyDescriptors: all } = Object;
  const asData = (target: unknown, found: PropertyDescriptor | undefined): PropertyDescriptor | undefined =>
    found?.get && found.configurable === false && namespaces.has(target as object)
      ? { value: found.get(), writable: true, enumerable: true, configurable: false }
      : found;
  const { getOwnPropertyDescriptor, getOwnPropertyDescriptors } = {
    getOwnPropertyDescriptor(target: object, key: PropertyKey) {
      return asData(target, any(target, key));
    },
    getOwnPropertyDescriptors(target: object) {
      const found = all(target);
      if (!namespaces.has(target)) return found;
      for (const key of ownKeys(found)) Object.assign(found, { [key]: asData(target, Reflect.get(found, key)) });
      return found;
    },
  };
  const { freeze, isFrozen } = Object;
  const changeable = (target: object): PropertyKey | undefined =>
    namespaces.has(target) ? ownKeys(target).find((key) => asData(target, any(target, key))?.writable) : undefined;
  const { freeze: freezeAny, isFrozen: isAnyFrozen } = {
    freeze(target: object) {
      const key = changeable(target);
      if (key !== undefined) throw new TypeError(`Cannot redefine property: ${String(key)}`);
      return freeze(target);
    },
    isFrozen: (target: object) => changeable(target) === undefined && isFrozen(target),
  };
  const define = (owner: object, name: string, value: Function): void =>
    void Object.defineProperty(owner, name, { configurable: true, writable: true, enumerable: false, value });
  const reflected = {
    getOwnPropertyDescriptor: (target: object, key: PropertyKey) => asData(target, one(target, key)),
  };
  define(Reflect, 'getOwnPropertyDescriptor', reflected.getOwnPropertyDescriptor);
  define(Object, 'getOwnPropertyDescriptor', Object.defineProperty(getOwnPropertyDescriptor, 'length', { value: 2 }));
  define(Object, 'getOwnPropertyDescriptors', getOwnPropertyDescriptors);
  define(Object, 'freeze', freezeAny);
  define(Object, 'isFrozen', isAnyFrozen);
}
