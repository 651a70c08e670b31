// A project inside a link: packed, deflated, and written into the fragment, which browsers never send to a server. Nothing is stored anywhere.

import { readWhole } from '../std/read-whole';
import { fromBase64Url, toBase64Url } from './base64url';
import { pack, type SharedProject, unpack } from './pack';
import { ShareError, type ShareLimits, shareLimits } from './share-limits';

const version = 'v1.';

/** The fragment without `#`: `v1.<base64url of zlib of pack>`. It may be longer than `maxLinkChars`; the caller looks. */
export async function writeFragment(project: SharedProject, limits: ShareLimits = shareLimits): Promise<string> {
  return version + toBase64Url(await deflated(pack(project, limits)));
}

/** The whole address that opens a copy on the same site. */
export function shareAddress(origin: string, fragment: string): string {
  return `${origin}/s#${fragment}`;
}

/** The project of a fragment, with or without `#`. Rejects with a ShareError that says what is wrong; never unpacks more than the limit. */
export async function readFragment(fragment: string, limits: ShareLimits = shareLimits): Promise<SharedProject> {
  const text = fragment.replace(/^#/, '');
  if (text === '') throw new ShareError('The link is cut: what comes after # is the project, and it is missing.');
  if (text.length > limits.maxLinkChars)
    throw new ShareError(`The link is longer than ${limits.maxLinkChars.toLocaleString('en')} characters.`);
  const named = /^v(\d+)\./.exec(text);
  if (named === null) throw new ShareError('This link holds no Cloche project.');
  if (!text.startsWith(version))
    throw new ShareError(`This link was made by another version of Cloche (v${named[1]}); this one reads v1.`);
  const bytes = fromBase64Url(text.slice(version.length));
  if (bytes === undefined) throw new ShareError('The link is damaged: it holds characters that do not belong there.');
  return unpack(await inflated(bytes, limits.maxBytes), limits);
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Stops reading at the limit: a bomb costs no more than that. The checksum of zlib finds what was cut or changed. */
async function inflated(bytes: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const whole = await readWhole(stream, maxBytes).catch(() => {
    throw new ShareError('The link is damaged or was cut on its way. Ask for it again, or for the project as a zip.');
  });
  if (whole === undefined)
    throw new ShareError(`Unpacked, the project is larger than ${Math.round(maxBytes / 2 ** 20)} MB.`);
  return whole;
}
