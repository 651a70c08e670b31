// Runs the shell (and the applets, which are the same program under other names) as a builtin of a process.
import type { Realm } from './realm';

/** Starts `program` (`sh`, `bash`, `ls` …) from the shell's bundle, which is fetched synchronously once per process. */
export function runShell(realm: Realm, program: string, argv: string[], bundleUrl: string): void {
  const { environment } = realm;
  const { browser, state } = environment;
  const request = new browser.XMLHttpRequest();
  request.open('GET', bundleUrl, false);
  request.send();
  if (request.status !== 200) throw new Error(`Could not load the shell: ${bundleUrl} answered ${request.status}`);
  state.argv = argv;
  state.title = program;
  realm.startWith((process, requireBuiltin, internalBinding) => {
    requireBuiltin('internal/process/pre_execution').prepareMainThreadExecution(false);
    requireBuiltin('internal/process/pre_execution').markBootstrapComplete();
    const module = { exports: {} as any };
    const requireNode = (id: string): unknown => requireBuiltin(id.replace(/^node:/, ''));
    const compiled = browser.evaluate(
      `(function (exports, require, module, process) {${request.responseText}\n})\n//# sourceURL=node:cloche/shell`,
    );
    compiled(module.exports, requireNode, module, process);
    module.exports.main({ program, words: argv, environment: { ...state.env } }, internalBinding('cloche'));
  });
}
