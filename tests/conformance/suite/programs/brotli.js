// Brotli: what Node has compressed, round trips in every form, chunks of any size, and the errors.
const zlib = require('node:zlib');
const { pipeline } = require('node:stream/promises');
const { Readable } = require('node:stream');
const text = Buffer.from('the quick brown fox é€😀 '.repeat(2000));
const packed = Buffer.from('G1/q+C0SeA5lP3Hk72O2GoQOEF7jYaaKS8FP1jIbLrS3HGSSB7OFbTpKC6Rr+MMBhO0zAA==', 'base64');
const big = Buffer.alloc(3_000_000);
for (let index = 0, seed = 1; index < big.length; index++) { seed = (seed * 1103515245 + 12345) & 0x7fffffff; big[index] = index % 3 ? seed >> 20 : 65; }
async function main() {
  console.log(zlib.brotliDecompressSync(packed).equals(text));
  for (const quality of [0, 5, 11, undefined]) {
    const params = quality === undefined ? {} : { [zlib.constants.BROTLI_PARAM_QUALITY]: quality };
    const small = zlib.brotliCompressSync(text, { params });
    console.log(quality, small.length < 2000, zlib.brotliDecompressSync(small).equals(text));
  }
  const large = zlib.brotliCompressSync(big, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });
  console.log(large.length < big.length, zlib.brotliDecompressSync(large).equals(big));
  const promised = await new Promise((resolve, reject) => zlib.brotliCompress(text, (error, data) => (error ? reject(error) : zlib.brotliDecompress(data, (bad, back) => (bad ? reject(bad) : resolve(back))))));
  console.log(promised.equals(text));
  const chunks = [];
  await pipeline(Readable.from(Array.from(packed, (byte) => Buffer.of(byte))), zlib.createBrotliDecompress({ chunkSize: 100 }), async (source) => { for await (const chunk of source) chunks.push(chunk); });
  console.log(Buffer.concat(chunks).equals(text));
  const out = [];
  await pipeline(Readable.from([text.subarray(0, 7), text.subarray(7, 30000), text.subarray(30000)]), zlib.createBrotliCompress(), zlib.createBrotliDecompress(), async (source) => { for await (const chunk of source) out.push(chunk); });
  console.log(Buffer.concat(out).equals(text));
  console.log(zlib.brotliDecompressSync(zlib.brotliCompressSync('')).length);
  for (const bad of [packed.subarray(0, 20), Buffer.from('not brotli at all'), Buffer.alloc(0)]) {
    try { console.log(zlib.brotliDecompressSync(bad).length); } catch (error) { console.log(error.name, error.code, error.errno, error.message); }
  }
  zlib.brotliDecompress(Buffer.from([255, 255, 255]), (error) => console.log(error.code, error.message));
}
main();
