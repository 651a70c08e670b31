// Archives as people have them and as attackers make them.
import { zipSync } from 'fflate';

/** What the browser's file chooser takes. */
export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A zip named `name` with these entries; a name that ends in `/` is a directory. */
export function zipFile(name: string, entries: Record<string, Uint8Array | string>): ChosenFile {
  const bytes = Object.entries(entries).map(([path, contents]) => [
    path,
    typeof contents === 'string' ? new TextEncoder().encode(contents) : contents,
  ]);
  return { name, mimeType: 'application/zip', buffer: Buffer.from(zipSync(Object.fromEntries(bytes), { level: 1 })) };
}

/** A zip of about a thousandth of `bytes`, which unpacks to that many zeros. */
export function bomb(name: string, bytes: number): ChosenFile {
  return zipFile(name, { 'zeros.bin': new Uint8Array(bytes) });
}

/** A zip with so many empty files. */
export function flood(name: string, files: number): ChosenFile {
  const entries = Object.fromEntries(Array.from({ length: files }, (_, at) => [`f${at}`, new Uint8Array(0)]));
  return { name, mimeType: 'application/zip', buffer: Buffer.from(zipSync(entries, { level: 0 })) };
}
