// placeholder until the line editor
import type { Shell } from '../state';
export async function runInteractive(shell: Shell): Promise<number> {
  return shell.status;
}
