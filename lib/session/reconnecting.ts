// A store whose connection the browser may close at any time: another tab made a newer version of its database, or the person removed this site's data.

type Call = (...given: unknown[]) => unknown;

/**
 * The methods of what `connect` resolves with; after `onClosed` was called, the next call connects again first. Rejects when the first connection fails, and a
 * call when its connection does. *Contract:* every method may be asynchronous.
 */
export async function reconnecting<Store extends object>(
  connect: (onClosed: () => void) => Promise<Store>,
): Promise<Store> {
  let current: Promise<Store> | undefined;
  const forget = () => {
    current = undefined;
  };
  const connected = (): Promise<Store> => {
    if (current === undefined) {
      current = connect(forget);
      current.catch(forget);
    }
    return current;
  };
  const first = await connected();
  const methods = Object.keys(first).map((name): [string, Call] => [
    name,
    async (...given) => ((await connected()) as Record<string, Call>)[name](...given),
  ]);
  return Object.fromEntries(methods) as Store;
}
