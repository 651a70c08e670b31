// A process that ends while jobs inside its worker go on: from then on the worker is another process, a child of init.
import type { ProcessTable } from '../ipc/types';
import type { RunEnd } from './page-protocol';
import type { ProcessRecord } from './process-record';

/** What process-control.ts knows and does. */
interface Control {
  processes: ProcessTable;
  records: Map<number, ProcessRecord>;
  /** Jobs without a worker: pid → pid of the process that plays them. */
  jobs: Map<number, number>;
  /** Ends the process of a record. */
  settle(record: ProcessRecord, code: number, signal: number, told: RunEnd): void;
  fault(message: string): void;
}

const INIT_PID = 1;

/** What it was ends with its code as any other process; `pid` must be a fresh child of it. */
export function leaveFor(
  { pid, slot, code: given }: { pid: number; slot: number; code: number },
  record: ProcessRecord,
  { processes, records, jobs, settle, fault }: Control,
): void {
  const old = { ...record, ended: true };
  if (processes.find(pid) !== slot || processes.parentPidOf(slot) !== old.pid || records.has(pid))
    return fault(`Process ${old.pid} left for ${pid}, which is not its child.`);
  for (const { slot: child, pid: childPid } of processes.all())
    if (processes.parentPidOf(child) === old.pid) processes.setParent(child, childPid === pid ? INIT_PID : pid);
  for (const [job, owner] of jobs) if (owner === old.pid) jobs.set(job, pid);
  records.set(pid, Object.assign(record, { pid, slot, onEnd: undefined, starter: undefined }));
  const code = given & 0xff;
  settle(old, code, 0, { kind: 'exited', code });
}
