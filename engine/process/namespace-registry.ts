// Which objects are module namespaces: ours are ordinary objects, and util.types must know them.

export const namespaces = new WeakSet<object>();
