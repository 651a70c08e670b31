// The whole of an operand, as bytes.
import { openInput, type Tool } from './tool';

export async function readBytes(tool: Tool, name: string): Promise<Buffer> {
  const { input, close } = openInput(tool, name);
  try {
    return await input.bytes();
  } finally {
    close();
  }
}
