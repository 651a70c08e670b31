// No browser tells a worker anything of its JavaScript heap. The figures that Node would give are 0, and a program that asks for them is told so once.
import type { ProcessEnvironment } from '../process/environment';

const told = new WeakSet<ProcessEnvironment>();
const toldOfUsage = new WeakSet<ProcessEnvironment>();

/** Warns, the first time in a process, that most of what `process.resourceUsage()` answers is 0. */
export function sayUsageUnknown(environment: ProcessEnvironment): void {
  if (toldOfUsage.has(environment)) return;
  toldOfUsage.add(environment);
  environment.process.emitWarning(
    'process.resourceUsage(): a browser counts no page faults, file operations or context switches of a program. Those figures are 0 here; maxRSS is the memory of the sandbox.',
    { code: 'CLOCHE_USAGE_UNKNOWN' },
  );
}

/** Warns, the first time in a process, that what `asked` answers of the heap is 0. */
export function sayHeapUnknown(environment: ProcessEnvironment, asked: string): void {
  if (told.has(environment)) return;
  told.add(environment);
  environment.process.emitWarning(
    `${asked}: a browser tells a program nothing of its JavaScript heap. Figures of it are 0 here; the rest counts the memory of the sandbox.`,
    { code: 'CLOCHE_HEAP_UNKNOWN' },
  );
}
