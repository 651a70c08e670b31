// The os binding: honest values of a virtual machine. What a tab can measure is measured, the rest describes the sandbox.
import type { Binding } from '../process/environment';

export const HOSTNAME = 'cloche';
const ESRCH = -3;

export const os: Binding = (environment) => {
  const { dumped, browser, state, errorName } = environment;
  const priorities = new Map<number, number>();
  const idleMs = () => Math.floor(browser.performanceNow());
  const fail = (context: Record<string, unknown>, errno: number, syscall: string): void => {
    const [code, message] = errorName(errno);
    Object.assign(context, { errno, code, message, syscall });
  };
  const isAlive = (pid: number): boolean =>
    pid === 0 || pid === state.pid || environment.processes.all().some((process) => process.pid === pid);
  return Object.assign(dumped('os'), {
    getHostname: () => HOSTNAME,
    /** A tab cannot see the load: zeros, as on Windows. */
    getLoadAvg(out: Float64Array) {
      out.fill(0);
    },
    getUptime: () => Math.floor(browser.performanceNow() / 10) / 100,
    // The memory of this machine, the sandbox's own: how large it can get, and what of that is free.
    getTotalMem: () => environment.tree.usage().capacityBytes,
    getFreeMem: () => Math.max(0, environment.tree.usage().capacityBytes - environment.tree.usage().bytes),
    getCPUs: () =>
      Array.from({ length: browser.hardwareConcurrency }, () => ['Virtual CPU', 0, 0, 0, 0, idleMs(), 0]).flat(),
    getInterfaceAddresses: () => [
      ...['lo', '127.0.0.1', '255.0.0.0', 'IPv4', '00:00:00:00:00:00', true, -1],
      ...['lo', '::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'IPv6', '00:00:00:00:00:00', true, 0],
    ],
    getHomeDirectory: () => state.env.HOME ?? '/root',
    getUserInfo(options: { encoding?: string } | null) {
      const user = { uid: 0, gid: 0, username: 'root', homedir: '/root', shell: '/bin/sh' };
      if (options?.encoding !== 'buffer') return user;
      const { Buffer } = environment.requireBuiltin('buffer');
      return {
        ...user,
        username: Buffer.from(user.username),
        homedir: Buffer.from(user.homedir),
        shell: Buffer.from(user.shell),
      };
    },
    setPriority(pid: number, priority: number, context: Record<string, unknown>) {
      const errno = !isAlive(pid) ? ESRCH : 0;
      if (errno < 0) fail(context, errno, 'uv_os_setpriority');
      else priorities.set(pid || state.pid, priority);
      return errno;
    },
    getPriority(pid: number, context: Record<string, unknown>) {
      if (isAlive(pid)) return priorities.get(pid || state.pid) ?? 0;
      fail(context, ESRCH, 'uv_os_getpriority');
      return undefined;
    },
    getAvailableParallelism: () => browser.hardwareConcurrency,
    getOSInformation: () => ['Linux', '#1 SMP', '6.1.0-cloche', 'x86_64'],
  });
};
