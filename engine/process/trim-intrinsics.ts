// A browser's language is newer than that of Node's V8. What Node lacks goes, so that a program that finds it here does not fail there; what browsers
// have dropped since then comes back.

/** `intrinsics` as in Dump. Before primordials are captured, after the engine has taken what it uses itself. */
export function trimIntrinsics(intrinsics: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(intrinsics)) {
    let object: any = globalThis;
    for (const name of path.split('.')) object = object?.[name];
    if (object === undefined || object === null) continue;
    const known = new Set(text.split(' '));
    for (const name of Object.getOwnPropertyNames(object)) if (!known.has(name)) Reflect.deleteProperty(object, name);
  }
  restoreLocaleFacts(intrinsics['Intl.Locale.prototype']);
}

/** Getters of Intl.Locale whose newer form is a method. */
function restoreLocaleFacts(names: string | undefined): void {
  const { prototype } = Intl.Locale as any;
  for (const name of names?.split(' ') ?? []) {
    const method = prototype[`get${name[0].toUpperCase()}${name.slice(1)}`];
    if (name in prototype || typeof method !== 'function') continue;
    const { get } = Object.getOwnPropertyDescriptor(
      {
        get [name]() {
          return Reflect.apply(method, this, []);
        },
      },
      name,
    ) as PropertyDescriptor;
    Object.defineProperty(prototype, name, { get, set: undefined, enumerable: false, configurable: true });
  }
}
