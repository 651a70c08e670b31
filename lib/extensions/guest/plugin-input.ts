// What a plugin is started with. There is no OpenCode server here: what needs one throws an error that names it, when it is used.
import { pluginClient } from './plugin-client';
import { shell } from './shell';

/** As OpenCode's `PluginInput`, for a project at `workdir`. `note`: what the person is told of the plugin. */
export function pluginInput(workdir: string, note: (text: string) => void): Record<string, unknown> {
  const missing = (name: string): never => {
    throw new Error(`${name} is not available in Cloche: plugins have no OpenCode server to talk to.`);
  };
  const input = {
    project: { id: workdir, worktree: workdir },
    directory: workdir,
    worktree: workdir,
    $: shell(workdir),
    client: pluginClient(note),
    experimental_workspace: absent('experimental_workspace', missing),
    get serverUrl(): never {
      return missing('serverUrl');
    },
  };
  return input;
}

/** An object that may be handed around and not used. `then` and symbols are asked by the language itself. */
function absent(name: string, missing: (name: string) => never): object {
  return new Proxy(
    {},
    {
      get: (_target, key) => (typeof key === 'symbol' || key === 'then' ? undefined : missing(`${name}.${key}`)),
      set: (_target, key) => missing(`${name}.${String(key)}`),
    },
  );
}
