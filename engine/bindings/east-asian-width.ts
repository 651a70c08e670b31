// Which code points take two columns in a terminal, as Node 24's ICU 78 (Unicode 17) says; measured over all code points.

/** Ranges in base 36: distance from the end of the range before, then `-` and length minus one where that is not zero. */
const RANGES = `  '302c',  '302d',`;

const starts: number[] = [];
const ends: number[] = [];
for (const range of RANGES.split(' ')) {
  const [distance, length = '0'] = range.split('-');
  const start = (ends.at(-1) ?? 0) + Number.parseInt(distance, 36);
  starts.push(start);
  ends.push(start + Number.parseInt(length, 36));
}

/** True for East Asian wide and fullwidth characters and for emoji. */
export function isWide(codePoint: number): boolean {
  let low = 0;
  let high = starts.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (codePoint < starts[middle]) high = middle - 1;
    else if (codePoint > ends[middle]) low = middle + 1;
    else return true;
  }
  return false;
}
