// The bounds of a link, for those who make one and for those who open one. What opens must bear the worst that anybody can write.

export interface ShareLimits {
  /** Characters of the fragment. Browsers take about two million; below this, all of them and most programs do. */
  maxLinkChars: number;
  maxFiles: number;
  /** Unpacked bytes of all files and names together. */
  maxBytes: number;
  /** Path segments. */
  maxDepth: number;
  /** UTF-8 bytes of one segment. */
  maxNameBytes: number;
  /** UTF-8 bytes of a whole path. */
  maxPathBytes: number;
}

export const shareLimits: ShareLimits = {
  maxLinkChars: 500_000,
  maxFiles: 2000,
  maxBytes: 16 * 2 ** 20,
  maxDepth: 32,
  maxNameBytes: 255,
  maxPathBytes: 1024,
};

/** From this length on, some chat programs and mailers cut a link. */
export const longLinkChars = 8000;

/** Why a link can't be made or opened, in words for the person. */
export class ShareError extends Error {
  override readonly name = 'ShareError';
}
