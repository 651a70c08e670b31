// Channels that C++ publishes to: there is no C++ here, so no channel is ever linked and the subscriber counts stay lib's own.
import type { Binding } from '../process/environment';

export const diagnosticsChannel: Binding = ({ dumped }) => {
  const binding = dumped('diagnostics_channel');
  return Object.assign(binding, {
    subscribers: new Uint32Array(binding.subscribers.length),
    linkNativeChannel() {},
  });
};
