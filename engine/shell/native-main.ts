// The shell on a real Node: `node native.cjs bash -c '…'`. For development and tests only.
import { nativeOs } from './native-os';
import { runProgram } from './shell';

const [program = 'bash', ...rest] = process.argv.slice(2);
void runProgram(
  { program, words: [program, ...rest], environment: { ...process.env } as Record<string, string> },
  nativeOs(),
);
