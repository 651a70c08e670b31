// A database of the browser that can't be opened or written says so in words that name neither what is wrong nor what to do ("The user denied permission to
// access the database", "Internal error opening backing store"), or says nothing at all: a broken one may leave the question open for ever.

/**
 * What to tell instead of an error of opening or writing a database: what it is, and what to do. Errors that are not the browser's own faults stay as they
 * are. `host`: the page's, with its port; asked only where it is needed.
 */
export function namedBlock(error: unknown, host: () => string): unknown {
  const { name = '', message = '' } = (error ?? {}) as Partial<Error>;
  const isDenied = name === 'SecurityError' || (name === 'UnknownError' && /denied|permission/i.test(message));
  const words = isDenied
    ? `The browser blocks site data (cookies and storage) for ${host()}. Projects and conversations are kept in the browser and nowhere else. Allow site data for this address in the browser’s settings, then reload this page.`
    : name === 'QuotaExceededError'
      ? `The browser has no more room for ${host()}. Delete projects or conversations that you no longer need, or free space on this device, then try again.`
      : name === 'UnknownError'
        ? `The browser can’t use its database for ${host()}: ${message || 'it does not say why'} Nothing was changed. Restart the browser, then try again; a full disk does this too.`
        : undefined;
  return words === undefined ? error : new Error(words, { cause: error });
}

/** How long a database may take to open: many times what a busy machine needs. */
const OPENING_MS = 20_000;

/** What `opening` gives; rejects when that takes too long. A database that comes after that is closed. */
export function openedInTime<T extends { close(): void }>(opening: Promise<T>, host: () => string): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(
        new Error(
          `The browser’s database for ${host()} does not answer. Nothing was changed. Close other tabs of this address or restart the browser, then try again.`,
        ),
      );
    }, OPENING_MS);
    opening
      .then((database) => (isLate ? database.close() : resolve(database)), reject)
      .finally(() => clearTimeout(timer));
  });
}
