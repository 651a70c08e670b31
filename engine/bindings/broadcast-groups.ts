// BroadcastChannel: members of one name in this thread, and through the browser's channel those in the process's other threads.
import type { ProcessEnvironment } from '../process/environment';
import type { Message } from './message-clone';
import { fromRemote, type PortGroup, type PortQueue, toRemote } from './port-queue';

interface Group {
  members: Set<PortQueue>;
  /** To other threads; undefined while the process has only one. */
  channel: BroadcastChannel | undefined;
}

export class BroadcastGroups {
  private readonly environment: ProcessEnvironment;
  private readonly groups = new Map<string, Group>();

  constructor(environment: ProcessEnvironment) {
    this.environment = environment;
  }

  /** Makes `core` a member of the channel `name` until it is closed. */
  join(name: string, core: PortQueue): void {
    const group: Group = this.groups.get(name) ?? { members: new Set(), channel: undefined };
    this.groups.set(name, group);
    group.members.add(core);
    this.connect(name, group);
    const portGroup: PortGroup = {
      send: (from, message, copyFor) => {
        for (const member of group.members) if (member !== from) member.deliver(copyFor());
        this.connect(name, group)?.postMessage(toRemote(message, []));
      },
      leave: (member) => {
        group.members.delete(member);
        if (group.members.size > 0) return;
        group.channel?.close();
        this.groups.delete(name);
      },
    };
    core.group = portGroup;
  }

  /** Called when the process gets its first thread: members that are there already must hear it. */
  connectAll(): void {
    for (const [name, group] of this.groups) this.connect(name, group);
  }

  private connect(name: string, group: Group): BroadcastChannel | undefined {
    const share = this.environment.state.threadShare;
    if (!share || group.channel) return group.channel;
    const channel = new this.environment.browser.BroadcastChannel(`${share.token}:${name}`);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      for (const member of group.members) member.deliver(fromRemote(data));
    };
    group.channel = channel;
    return channel;
  }
}
