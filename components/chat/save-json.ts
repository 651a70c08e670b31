// A JSON file for the person's downloads.
import { saveBlob } from '../files/save-blob';

/** Hands it to the browser's downloads, indented for reading. */
export function saveJson(name: string, value: unknown): void {
  saveBlob(name, new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`));
}
