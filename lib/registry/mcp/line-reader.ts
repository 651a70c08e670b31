// Bytes into lines, for messages that end with a newline. A line may come in any number of pieces and has a limit.

/**
 * Feed it bytes; it calls back with each whole line, without its end. A line that is longer than `maxBytes` is given in pieces, or (`whole`) *throws* an
 * Error.
 */
export function lineReader(
  onLine: (line: string) => void,
  maxBytes: number,
  tooLong: 'whole' | 'pieces' = 'whole',
): (bytes: Uint8Array) => void {
  let pieces: Uint8Array[] = [];
  let length = 0;
  return (bytes) => {
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      pieces.push(bytes.subarray(from, at));
      const line = joined(pieces);
      pieces = [];
      length = 0;
      from = at + 1;
      onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    }
    // A copy: the giver may use its buffer again.
    if (from < bytes.length) pieces.push(bytes.slice(from));
    length += bytes.length - from;
    if (length <= maxBytes) return;
    if (tooLong === 'whole') throw new Error(`A message is longer than ${maxBytes} bytes.`);
    onLine(joined(pieces));
    pieces = [];
    length = 0;
  };
}

function joined(pieces: Uint8Array[]): string {
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
}
