// Images as every provider takes them: really decoded, so that a broken file never gets into a conversation, and scaled down where they are too
// large. The browser decodes; where there is none, a test gives its own.

export interface FittedImage {
  bytes: Uint8Array;
  mediaType: string;
  width: number;
  height: number;
}

/** Rejects when the bytes are no image of that type that can be decoded. */
export type FitImage = (bytes: Uint8Array, mediaType: string) => Promise<FittedImage>;

/** The longest side of what is sent, and the most bytes of it as base64. */
export const maxSide = 2000;
export const maxBase64Bytes = 5 * 2 ** 20;
const maxBytes = Math.floor((maxBase64Bytes / 4) * 3);

/** Fits with the browser's decoder. An image that fits already keeps its bytes. */
export const fitInBrowser: FitImage = async (bytes, mediaType) => {
  const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: mediaType }));
  try {
    const { width, height } = bitmap;
    if (width === 0 || height === 0) throw new Error('the image is empty');
    if (Math.max(width, height) <= maxSide && bytes.length <= maxBytes) return { bytes, mediaType, width, height };
    for (let scale = Math.min(1, maxSide / Math.max(width, height)); ; scale *= 0.7) {
      const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
      for (const encoding of encodings(mediaType)) {
        const encoded = await drawn(bitmap, size, encoding);
        if (encoded.length <= maxBytes) return { bytes: encoded, mediaType: encoding.type, ...size };
      }
      if (Math.max(size.width, size.height) < 64) throw new Error('the image does not get small enough');
    }
  } finally {
    bitmap.close();
  }
};

/** Drawings and screenshots stay sharp while they are small enough; photographs have no transparency to lose. */
function encodings(mediaType: string): { type: string; quality?: number }[] {
  const lossy = [0.85, 0.6].map((quality) => ({ type: 'image/jpeg', quality }));
  return mediaType === 'image/jpeg' ? lossy : [{ type: 'image/png' }, ...lossy];
}

async function drawn(
  bitmap: ImageBitmap,
  { width, height }: { width: number; height: number },
  encoding: { type: string; quality?: number },
): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws no images');
  if (encoding.type === 'image/jpeg') {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return new Uint8Array(await (await canvas.convertToBlob(encoding)).arrayBuffer());
}
