// `client` of OpenCode's plugins. There is no server here: what plugins use it for most, to log and to tell the person something, is done; all else
// rejects by name when it is called, as a server that can't be reached would.

interface Said {
  service?: unknown;
  level?: unknown;
  title?: unknown;
  message?: unknown;
  body?: Said;
}

/** `note`: what the person is told of the plugin; the log is the process's own. */
export function pluginClient(note: (text: string) => void): object {
  const done = async () => ({ data: true, error: undefined });
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  const known: Record<string, (request?: Said) => Promise<unknown>> = {
    'client.app.log': (request) => {
      const { service, level, message } = request?.body ?? request ?? {};
      const line = [textOf(service), textOf(message)].filter((part) => part !== '').join(': ');
      if (level === 'error' || level === 'warn') note(line);
      else console.error(line);
      return done();
    },
    'client.tui.showToast': (request) => {
      const { title, message } = request?.body ?? request ?? {};
      note([textOf(title), textOf(message)].filter((part) => part !== '').join(': '));
      return done();
    },
  };
  return at('client', known);
}

/** The member of that path: it may be asked for members, and called. `then` and symbols are asked by the language itself. */
function at(path: string, known: Record<string, (request?: Said) => Promise<unknown>>): object {
  return new Proxy(() => {}, {
    get: (_target, key) => (typeof key === 'symbol' || key === 'then' ? undefined : at(`${path}.${key}`, known)),
    set: () => {
      throw new Error(`${path} can’t be changed in Cloche.`);
    },
    apply: (_target, _this, [request]) => known[path]?.(request as Said) ?? Promise.reject(notHere(path)),
  });
}

function notHere(path: string): Error {
  return new Error(`${path} is not available in Cloche: plugins have no OpenCode server to talk to.`);
}
