// What functions of jq may ask of the interpreter.
import type { Filter } from './jq-tree';

/** What natives may ask of the interpreter. */
export interface JqHost {
  run(filter: Filter, value: unknown, scope: unknown): Generator<unknown>;
  paths(filter: Filter, value: unknown, scope: unknown): Generator<unknown[]>;
  inputs: { next(): unknown; left(): boolean };
  environment: Record<string, string>;
  debug(text: string): void;
}
