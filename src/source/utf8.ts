const NOTHING: Buffer = Buffer.alloc(0);

/** Bytes at the end that begin a character and do not finish it: 0 to 3. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

/** Cuts a stream of chunks between characters: each call gives whole characters, keeping the rest for the next; the last call says so. */
export function wholeCharacters(): (chunk: Buffer, last?: boolean) => Buffer {
  let kept = NOTHING;
  return (chunk, last = false) => {
    const bytes = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
    const cut = bytes.length - (last ? 0 : unfinished(bytes));
    kept = bytes.subarray(cut);
    return bytes.subarray(0, cut);
  };
}
