// Runs the shell (and the applets, which are the same program under other names) as a builtin of a process.
import type { Realm } from './realm';
import { isFirstRun } from './worker-reuse';

/** Compiles the shell's bundle. It takes longer than starting a program, so a worker does it while it waits in the pool. */
export function compileShell({ environment: { browser } }: Realm, source: Uint8Array): Function {
  // A copy: browsers decode no shared memory.
  const text = new browser.TextDecoder().decode(source.slice());
  return browser.evaluate(
    `(function (exports, require, module, process) {${text}\n})\n//# sourceURL=node:cloche/shell`,
  );
}

/** Starts `program` (`sh`, `bash`, `ls` …) from the compiled bundle. */
export function runShell(realm: Realm, program: string, argv: string[], compiled: Function): void {
  const { state } = realm.environment;
  state.argv = argv;
  state.title = program;
  realm.startWith((process, requireBuiltin, internalBinding) => {
    if (isFirstRun()) {
      requireBuiltin('internal/process/pre_execution').prepareMainThreadExecution(false);
      requireBuiltin('internal/process/pre_execution').markBootstrapComplete();
    }
    const module = { exports: {} as any };
    const requireNode = (id: string): unknown => requireBuiltin(id.replace(/^node:/, ''));
    compiled(module.exports, requireNode, module, process);
    module.exports.main({ program, words: argv, environment: { ...state.env } }, internalBinding('cloche'));
  });
}
