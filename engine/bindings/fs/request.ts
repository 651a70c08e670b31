// How one fs call serves its three forms: synchronous (throws), callback (FSReqCallback) and promise (kUsePromises).

import { currentFrame } from '../../modules/context-frame';
import type { ProcessEnvironment } from '../../process/environment';
import { AsyncScopes } from '../async-scopes';

/** A negative errno as a value that travels by throw inside the fs binding only. */
export class Errno {
  readonly errno: number;
  constructor(errno: number) {
    this.errno = errno;
  }
}

/** Returns a non-negative result; throws an Errno for a negative one. */
export function check(result: number): number {
  if (result < 0) throw new Errno(result);
  return result;
}

/** Settles once: the synchronous value or error is known now, or comes later (pipes). */
type Outcome = { value: unknown } | { later: Promise<unknown> };

export interface CallShape {
  /** Index of the request argument. */
  request: number;
  syscall: string;
  /** Indexes of the path arguments, for the error. */
  paths?: number[];
  /** Refuses arguments of a wrong kind: such an error is thrown at once in every form of the call. */
  validate?: (...args: any[]) => void;
}

const decoder = new TextDecoder();
const originalThen = Promise.prototype.then;

export function pathText(path: unknown): string {
  return typeof path === 'string' ? path : decoder.decode(new Uint8Array(path as Uint8Array));
}

/** The resource of a call that gives a promise. */
class FSReqPromise {}

export class Requests {
  private readonly environment: ProcessEnvironment;
  readonly kUsePromises: symbol;

  constructor(environment: ProcessEnvironment) {
    this.environment = environment;
    this.kUsePromises = environment.symbols.fs_use_promises_symbol;
  }

  /** The exception for what an implementation threw. */
  exception(thrown: unknown, shape: CallShape, args: unknown[]): unknown {
    if (!(thrown instanceof Errno)) return thrown;
    const paths = (shape.paths ?? [])
      .map((index) => args[index])
      .filter((path) => path !== undefined && typeof path !== 'number');
    return this.environment.uvException(thrown.errno, shape.syscall, ...(paths.map(pathText) as [string?, string?]));
  }

  /** The same for a callback or a promise: no JavaScript runs when libuv answers, so its error has no frames. */
  private lateException(thrown: unknown, shape: CallShape, args: unknown[]): unknown {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      return this.exception(thrown, shape, args);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  /** Makes a binding function from a synchronous implementation and, where it could block, an asynchronous one. */
  define(
    shape: CallShape,
    run: (...args: any[]) => unknown,
    runLater?: (...args: any[]) => Promise<unknown> | undefined,
  ): (...args: any[]) => unknown {
    return (...args) => {
      shape.validate?.(...args);
      const request = args[shape.request];
      if (request === undefined) {
        try {
          return run(...args);
        } catch (thrown) {
          throw this.exception(thrown, shape, args);
        }
      }
      let outcome: Outcome;
      let failure: unknown;
      try {
        const later = runLater?.(...args);
        outcome = later ? { later } : { value: run(...args) };
      } catch (thrown) {
        failure = this.lateException(thrown, shape, args);
        outcome = { value: undefined };
      }
      return this.deliver(request, outcome, failure, (thrown) => this.lateException(thrown, shape, args));
    };
  }

  private deliver(
    request: any,
    outcome: Outcome,
    failure: unknown,
    exceptionOf: (thrown: unknown) => unknown,
  ): unknown {
    const { loop } = this.environment;
    const scopes = AsyncScopes.of(this.environment);
    if (request === this.kUsePromises) {
      return new Promise((resolve, reject) => {
        const ids = scopes.begin(new FSReqPromise(), 'FSREQPROMISE');
        const settle = (error: unknown, value: unknown): void =>
          loop.enqueue(() => scopes.finish(ids, () => (error === undefined ? resolve(value) : reject(error))));
        this.settle(outcome, failure, settle, exceptionOf);
      });
    }
    const frame = currentFrame();
    const ids = scopes.begin(request, 'FSREQCALLBACK');
    const settle = (error: unknown, value: unknown): void =>
      loop.enqueueIn(frame, () =>
        scopes.finish(ids, () => {
          if (error !== undefined) request.oncomplete(error);
          else if (value === undefined) request.oncomplete(null);
          else request.oncomplete(null, value);
        }),
      );
    this.settle(outcome, failure, settle, exceptionOf);
    return undefined;
  }

  private settle(
    outcome: Outcome,
    failure: unknown,
    settle: (error: unknown, value: unknown) => void,
    exceptionOf: (thrown: unknown) => unknown,
  ): void {
    if (failure !== undefined) settle(failure, undefined);
    else if ('value' in outcome) settle(undefined, outcome.value);
    else {
      const { loop } = this.environment;
      loop.startRequest();
      originalThen.call(
        outcome.later,
        (value) => {
          settle(undefined, value);
          loop.endRequest();
        },
        (thrown) => {
          settle(exceptionOf(thrown), undefined);
          loop.endRequest();
        },
      );
    }
  }
}
