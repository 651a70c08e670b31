// A number with its noun, as a person writes it.

/** `1 line`, `2 lines`, `1,000 entries`: the plural is `one` with an s where it is not given. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
