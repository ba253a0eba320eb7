/** Cuts a stream of the Postgres protocol into its messages, whatever pieces it comes in. */
export function framesOf(): (bytes: Buffer) => readonly Buffer[] {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes]);
    const frames: Buffer[] = [];
    let at = 0;
    while (rest.length - at >= 5) {
      const end = at + 1 + rest.readInt32BE(at + 1);
      if (end > rest.length) break;
      frames.push(rest.subarray(at, end));
      at = end;
    }
    rest = rest.subarray(at);
    return frames;
  };
}
