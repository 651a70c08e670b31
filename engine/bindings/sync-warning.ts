// Warnings that C++ gives: at once, as what comes next may end the process.
import type { ProcessEnvironment } from '../process/environment';

type Warn = (warning: string, type?: string, code?: string) => void;

const given = new WeakMap<ProcessEnvironment, Warn>();

/** Takes lib's emitWarningSync. */
export function setSyncWarning(environment: ProcessEnvironment, warn: Warn): void {
  given.set(environment, warn);
}

/** node::ProcessEmitWarning: writes `text` as a warning of the process before it returns. */
export function warnNow(environment: ProcessEnvironment, text: string): void {
  given.get(environment)?.(text);
}
