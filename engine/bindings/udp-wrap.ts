// udp_wrap: a browser has no datagrams. Sockets can be made, because programs make them before they need them; using one fails with ENOTSUP.
import { ENOTSUP } from '../memory/errno';
import type { Binding } from '../process/environment';
import { HandleWrap } from './handle-wrap';

export const udpWrap: Binding = (environment) => {
  const binding = environment.dumped('udp_wrap');

  class UDP extends HandleWrap {
    readonly fd = -1;

    constructor() {
      super(environment);
    }

    recvStop(): number {
      return 0;
    }

    getSendQueueSize(): number {
      return 0;
    }

    getSendQueueCount(): number {
      return 0;
    }

    protected override dispose(): void {}
  }
  for (const name of Object.getOwnPropertyNames(binding.UDP.prototype)) {
    if (name in UDP.prototype || name === 'fd') continue;
    Object.defineProperty(UDP.prototype, name, { configurable: true, writable: true, value: () => ENOTSUP });
  }
  return { ...binding, UDP, SendWrap: class SendWrap {} };
};
