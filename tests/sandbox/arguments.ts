// The command line of `npm run sandbox`.

export interface SandboxArguments {
  /** Folder of this machine that is copied to /home/project. */
  mount: string | undefined;
  cwd: string | undefined;
  timeoutMs: number;
  json: boolean;
  serve: boolean;
  stop: boolean;
  verbose: boolean;
  assets: string | undefined;
  command: string[];
}

export const USAGE = `usage: npm run sandbox -- [options] -- COMMAND [ARGUMENTS…]
       npm run sandbox -- [options] -c 'SHELL LINE'

Runs a command in the engine in headless Chromium; streams and exit code are the command's.
  --mount DIR     copy DIR to /home/project first (replaces what is there)
  --cwd PATH      working directory in the sandbox (default /home/project)
  --timeout S     kill it after S seconds, exit code 124 (default 120)
  --json          print one JSON object instead: code, signal, durationMs, changedFiles, stdout, stderr
  --serve         keep a browser running for later calls (they find it by themselves); files stay between calls
  --stop          end the running browser
  --assets DIR    serve another engine folder than public/engine
  --verbose       show the browser's console
`;

/** Parses; throws an Error with what is wrong. */
export function parseArguments(args: string[]): SandboxArguments {
  const parsed: SandboxArguments = {
    mount: undefined,
    cwd: undefined,
    timeoutMs: 120_000,
    json: false,
    serve: false,
    stop: false,
    verbose: false,
    assets: undefined,
    command: [],
  };
  const rest = [...args];
  const next = (option: string): string => {
    const value = rest.shift();
    if (value === undefined) throw new Error(`${option} needs a value.`);
    return value;
  };
  for (let option = rest.shift(); option !== undefined; option = rest.shift()) {
    switch (option) {
      case '--mount':
        parsed.mount = next(option);
        break;
      case '--cwd':
        parsed.cwd = next(option);
        break;
      case '--timeout':
        parsed.timeoutMs = Number(next(option)) * 1000;
        if (!(parsed.timeoutMs > 0)) throw new Error('--timeout needs a number of seconds.');
        break;
      case '--assets':
        parsed.assets = next(option);
        break;
      case '--json':
      case '--serve':
      case '--stop':
      case '--verbose':
        parsed[option.slice(2) as 'json' | 'serve' | 'stop' | 'verbose'] = true;
        break;
      case '-c':
        parsed.command = ['bash', '-c', next(option), ...rest.splice(0)];
        break;
      case '--':
        parsed.command = rest.splice(0);
        break;
      default:
        if (option.startsWith('-')) throw new Error(`Unknown option ${option}.`);
        parsed.command = [option, ...rest.splice(0)];
    }
  }
  if (parsed.command.length === 0 && !parsed.serve && !parsed.stop) throw new Error('There is no command.');
  return parsed;
}
