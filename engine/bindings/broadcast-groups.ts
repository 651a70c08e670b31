// BroadcastChannel: members of one name in this thread, and through the kernel those in the process's other threads. Not through the browser's channel:
// that one begins to hear some time after it was made, so what another thread, told of it, says at once would be lost.
import type { ProcessEnvironment } from '../process/environment';
import { fromRemote, type PortQueue, type RemoteMessage, toRemote } from './port-queue';

export class BroadcastGroups {
  private readonly environment: ProcessEnvironment;
  private readonly groups = new Map<string, Set<PortQueue>>();

  constructor(environment: ProcessEnvironment) {
    this.environment = environment;
    environment.onKernel('broadcast', ({ name, message }: { name: string; message: RemoteMessage }) => {
      for (const member of this.groups.get(name) ?? []) member.deliver(fromRemote(message));
    });
  }

  /** Makes `core` a member of the channel `name` until it is closed. */
  join(name: string, core: PortQueue): void {
    const { state, post } = this.environment;
    const members = this.groups.get(name) ?? new Set<PortQueue>();
    this.groups.set(name, members.add(core));
    core.group = {
      send: (from, message, copyFor) => {
        for (const member of members) if (member !== from) member.deliver(copyFor());
        if (state.threadShare) post({ type: 'broadcast', name, message: toRemote(message, []) });
      },
      leave: (member) => {
        members.delete(member);
        if (members.size === 0) this.groups.delete(name);
      },
    };
  }
}
