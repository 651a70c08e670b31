// A browser in which site data is forbidden (by the person, a policy, a private window) says so in words that name neither what is blocked nor for whom:
// "The user denied permission to access the database", "The operation is insecure".

/** What to tell instead of such an error of opening a database; any other error as it is. `host`: the page's, with its port; asked only where it is needed. */
export function namedBlock(error: unknown, host: () => string): unknown {
  const { name = '', message = '' } = (error ?? {}) as Partial<Error>;
  if (name !== 'SecurityError' && !(name === 'UnknownError' && /denied|permission/i.test(message))) return error;
  return new Error(
    `The browser blocks site data (cookies and storage) for ${host()}. Projects and conversations are kept in the browser and nowhere else. Allow site data for this address in the browser’s settings, then reload this page.`,
    { cause: error },
  );
}
