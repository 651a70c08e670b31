// Tables that are asked for names which strangers chose: a model's call may be to a tool `constructor`, a file may end in `.toString`.

/** The entries alone, without what every object has. */
export function byName<Value>(entries: Record<string, Value>): Record<string, Value> {
  return Object.assign(Object.create(null) as Record<string, Value>, entries);
}
