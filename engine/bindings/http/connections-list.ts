// ConnectionsList: the parsers of a server, so that it can close the idle ones and those whose request takes too long.

/** What the list knows of a parser. */
export interface TimedParser {
  /** When its message began in milliseconds, 0 while it is idle. */
  messageStartMs: number;
  headersCompleted: boolean;
}

/** A list that reads the clock `now`. */
export function createConnectionsList(now: () => number) {
  return class ConnectionsList {
    readonly #all = new Set<TimedParser>();
    readonly #active = new Set<TimedParser>();

    all(): TimedParser[] {
      return inOrder(this.#all);
    }

    idle(): TimedParser[] {
      return inOrder(this.#all).filter(({ messageStartMs }) => messageStartMs === 0);
    }

    active(): TimedParser[] {
      return inOrder(this.#active);
    }

    /** Those beyond a limit (milliseconds, 0: none), which then count as active no more. */
    expired(headersTimeout: number, requestTimeout: number): TimedParser[] {
      let headersMs = headersTimeout;
      let requestMs = requestTimeout;
      if (requestMs > 0 && headersMs > requestMs) [headersMs, requestMs] = [requestMs, headersMs];
      const time = now();
      const late = inOrder(this.#active).filter(
        ({ headersCompleted, messageStartMs }) =>
          (!headersCompleted && headersMs > 0 && messageStartMs < time - headersMs) ||
          (requestMs > 0 && messageStartMs < time - requestMs),
      );
      for (const parser of late) this.#active.delete(parser);
      return late;
    }

    add(parser: TimedParser, isActive: boolean): void {
      this.#all.add(parser);
      if (isActive) this.#active.add(parser);
    }

    delete(parser: TimedParser): void {
      this.#all.delete(parser);
      this.#active.delete(parser);
    }
  };
}

function inOrder(parsers: Set<TimedParser>): TimedParser[] {
  return [...parsers].sort((a, b) => a.messageStartMs - b.messageStartMs);
}
