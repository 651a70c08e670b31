// options: the command line as lib reads it: the real binary's defaults, with this process's differences on top.
import type { Binding } from '../process/environment';

export const options: Binding = ({ dumped, dump, reader, state }) =>
  Object.assign(dumped('options'), {
    getCLIOptionsValues: () =>
      Object.assign(Object.create(null), reader.revive(dump.cliOptions, 'options'), state.options),
    getCLIOptionsInfo: () => reader.revive(dump.cliOptionsInfo, 'options'),
    getOptionsAsFlags: () =>
      Object.entries(state.options).flatMap(([name, value]) =>
        typeof value === 'boolean' ? (value ? [name] : []) : [`${name}=${String(value)}`],
      ),
    getEmbedderOptions: () => reader.revive(dump.embedderOptions, 'options'),
    getEnvOptionsInputType: () => reader.revive(dump.envOptionsInputType, 'options'),
  });
