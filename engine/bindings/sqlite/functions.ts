// The person's own functions inside of SQL, and the authorizer. One C function of each kind serves all of them: which one is meant is the number
// that SQLite keeps for it (its `pApp`).
import type { Connection } from './connection';
import type { SqliteLibrary } from './library';
import { argumentSource, invalidType, optionReader, readValue, setResult } from './values';

const UTF8 = 1;
const DETERMINISTIC = 0x800;
const DIRECT_ONLY = 0x80000;
const DENY = 1;

interface Registered {
  connection: Connection;
  useBigInts: boolean;
  run(...args: unknown[]): unknown;
}

interface Aggregate {
  connection: Connection;
  useBigInts: boolean;
  start: unknown;
  step: Function;
  inverse: Function | undefined;
  result: Function | undefined;
}

type Authorizer = { connection: Connection; run: Function };

/** What DatabaseSync's function, aggregate and setAuthorizer need; made once, with the library. */
export function userFunctions(library: SqliteLibrary) {
  const { c, memory, text, pointerTo, withStrings } = library;
  const kept = new Map<number, Registered | Aggregate | Authorizer>();
  const accumulators = new Map<number, { value: unknown; isWindow: boolean }>();
  let last = 0;
  const keep = (what: Registered | Aggregate | Authorizer): number => {
    kept.set(++last, what);
    return last;
  };
  const ofContext = <Kind>(context: number): Kind => kept.get(c.sqlite3_user_data(context)) as Kind;
  const argumentsOf = (count: number, values: number, useBigInts: boolean): unknown[] =>
    Array.from({ length: count }, (_, index) =>
      readValue(library, argumentSource(library, memory.u32(values + index * 4)), useBigInts),
    );
  const fail = (context: number): void => withStrings([''], (address) => c.sqlite3_result_error(context, address, 0));
  const guarded = (connection: Connection, context: number, run: () => void): void =>
    connection.guard(run, () => fail(context));

  /** The aggregate's state for this group of rows, which SQLite keeps the number of. */
  const accumulatorOf = (context: number, aggregate: Aggregate) => {
    const place = c.sqlite3_aggregate_context(context, 4);
    const number = memory.u32(place);
    const found = accumulators.get(number);
    if (found) return { number, accumulator: found };
    const { start } = aggregate;
    const accumulator = { value: typeof start === 'function' ? start() : start, isWindow: false };
    memory.setU32(place, ++last);
    accumulators.set(last, accumulator);
    return { number: last, accumulator };
  };
  const stepping = (pick: (aggregate: Aggregate) => Function) => (context: number, count: number, values: number) => {
    const aggregate = ofContext<Aggregate>(context);
    guarded(aggregate.connection, context, () => {
      const { accumulator } = accumulatorOf(context, aggregate);
      accumulator.value = pick(aggregate)(accumulator.value, ...argumentsOf(count, values, aggregate.useBigInts));
    });
  };
  const giving = (isFinal: boolean) => (context: number) => {
    const aggregate = ofContext<Aggregate>(context);
    guarded(aggregate.connection, context, () => {
      const { number, accumulator } = accumulatorOf(context, aggregate);
      if (isFinal) accumulators.delete(number);
      if (!isFinal) accumulator.isWindow = true;
      else if (accumulator.isWindow) return;
      setResult(library, context, aggregate.result ? aggregate.result(accumulator.value) : accumulator.value);
    });
  };

  const pointers = {
    call: pointerTo(
      (context, count, values) => {
        const { connection, useBigInts, run } = ofContext<Registered>(context);
        guarded(connection, context, () => setResult(library, context, run(...argumentsOf(count, values, useBigInts))));
      },
      3,
      false,
    ),
    step: pointerTo(
      stepping((aggregate) => aggregate.step),
      3,
      false,
    ),
    inverse: pointerTo(
      stepping((aggregate) => aggregate.inverse as Function),
      3,
      false,
    ),
    value: pointerTo(giving(false), 1, false),
    final: pointerTo(giving(true), 1, false),
    forget: pointerTo((number) => void kept.delete(number), 1, false),
    authorize: pointerTo(
      (number, action, ...names) => {
        const { connection, run } = kept.get(number) as Authorizer;
        const refuse = (Type: typeof TypeError | typeof RangeError, message: string): never => {
          throw new Type(message);
        };
        return connection.guard(
          () => {
            const answer = run(action, ...names.map((address) => text(address)));
            if (typeof answer !== 'number' || !Number.isInteger(answer))
              return refuse(TypeError, 'Authorizer callback must return an integer authorization code');
            if (![0, DENY, 2].includes(answer))
              return refuse(RangeError, 'Authorizer callback returned a invalid authorization code');
            return answer;
          },
          () => DENY,
        );
      },
      6,
      true,
    ),
  };

  return {
    define(connection: Connection, name: unknown, ...rest: unknown[]): void {
      connection.opened();
      if (typeof name !== 'string') throw invalidType('The "name" argument must be a string.');
      const run = rest.length < 2 ? rest[0] : rest[1];
      if (rest.length >= 2 && (typeof rest[0] !== 'object' || rest[0] === null))
        throw invalidType('The "options" argument must be an object.');
      const options = optionReader(rest.length < 2 ? undefined : rest[0]);
      const useBigInts = options.boolean('useBigIntArguments', false);
      const isVariadic = options.boolean('varargs', false);
      const flags =
        (options.boolean('deterministic', false) ? DETERMINISTIC : 0) |
        (options.boolean('directOnly', false) ? DIRECT_ONLY : 0);
      if (typeof run !== 'function') throw invalidType('The "function" argument must be a function.');
      const { call, forget } = pointers;
      const count = isVariadic ? -1 : run.length;
      const app = keep({ connection, useBigInts, run: run as Registered['run'] });
      const result = withStrings([name], (at) =>
        c.sqlite3_create_function_v2(connection.db, at, count, UTF8 | flags, app, call, 0, 0, forget),
      );
      connection.check(result);
    },
    aggregate(connection: Connection, name: unknown, given: unknown): void {
      connection.opened();
      if (typeof name !== 'string') throw invalidType('The "name" argument must be a string.');
      if (typeof given !== 'object' || given === null) throw invalidType('The "options" argument must be an object.');
      const options = optionReader(given);
      const { start } = given as { start?: unknown };
      if (start === undefined)
        throw invalidType('The "options.start" argument must be a function or a primitive value.');
      const step = options.callback('step');
      if (!step) throw invalidType('The "options.step" argument must be a function.');
      const result = options.callback('result');
      const useBigInts = options.boolean('useBigIntArguments', false);
      const isVariadic = options.boolean('varargs', false);
      const flags = options.boolean('directOnly', false) ? DIRECT_ONLY : 0;
      const inverse = options.callback('inverse');
      const count = isVariadic ? -1 : Math.max(step.length, inverse?.length ?? 0) - 1;
      const app = keep({ connection, useBigInts, start, step, inverse, result });
      const window = inverse ? [pointers.value, pointers.inverse] : [0, 0];
      const made = withStrings([name], (at) =>
        c.sqlite3_create_window_function(
          connection.db,
          at,
          Math.max(count, -1),
          UTF8 | flags,
          app,
          pointers.step,
          pointers.final,
          ...window,
          pointers.forget,
        ),
      );
      connection.check(made);
    },
    setAuthorizer(connection: Connection, run: unknown): void {
      connection.opened();
      if (run !== null && typeof run !== 'function')
        throw invalidType('The "callback" argument must be a function or null.');
      const app = run === null ? 0 : keep({ connection, run });
      c.sqlite3_set_authorizer(connection.db, run === null ? 0 : pointers.authorize, app);
    },
  };
}

export type UserFunctions = ReturnType<typeof userFunctions>;
