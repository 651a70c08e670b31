// The environment that a sandbox's processes begin with when the caller says nothing else.

/** Linux's usual variables for a login as root in `cwd`; `terminal` adds TERM and the colours that xterm.js shows. */
export function defaultEnvironment(cwd: string, terminal: boolean): Record<string, string> {
  return {
    PATH: `${cwd}/node_modules/.bin:/usr/local/bin:/usr/bin:/bin`,
    HOME: '/root',
    USER: 'root',
    LOGNAME: 'root',
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    PWD: cwd,
    TMPDIR: '/tmp',
    // Angular's pool of threads: a thread that blocks cannot be given the ports and the shared memory that it sends.
    PISCINA_DISABLE_ATOMICS: '1',
    ...(terminal ? { TERM: 'xterm-256color', COLORTERM: 'truecolor' } : {}),
  };
}
