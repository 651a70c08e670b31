// Applying an action to each operand of a file tool.
import { errorText } from '../execute/control';
import { complain, resolvePath, type Tool, UsageError } from './tool';

/** Runs `each` on the operands; a thrown error becomes a message and status 1. */
export async function each(
  tool: Tool,
  names: string[],
  verb: (name: string) => string,
  run: (name: string, file: string) => void | Promise<void>,
): Promise<number> {
  let status = 0;
  for (const name of names) {
    try {
      await run(name, resolvePath(tool, name));
    } catch (error) {
      if (error instanceof UsageError) throw error;
      await complain(tool, `${verb(name)}: ${name === '' ? 'No such file or directory' : errorText(error)}`);
      status = 1;
    }
  }
  return status;
}

export function need(names: string[], count = 1): void {
  if (names.length < count)
    throw new UsageError(
      names.length === 0 ? 'missing operand' : `missing destination file operand after '${names[0]}'`,
    );
}
