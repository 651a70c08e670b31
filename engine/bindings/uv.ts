// The uv binding: names and messages of libuv's errors, from the dumped table.
import type { Binding } from '../process/environment';

export const uv: Binding = ({ dumped, dump, reader }) => {
  const errors: Map<number, [string, string]> = reader.revive(dump.errorMap, 'uv');
  return Object.assign(dumped('uv'), {
    errname: (errno: number) => errors.get(errno)?.[0] ?? `Unknown system error ${errno}`,
    getErrorMap: () => new Map(errors),
    getErrorMessage: (errno: number) => errors.get(errno)?.[1] ?? `Unknown system error ${errno}`,
  });
};
