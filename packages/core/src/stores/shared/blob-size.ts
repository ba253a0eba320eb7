export const maxBlobBytes = 1024 ** 3;

/** As an editor counts them: an unfinished last line is one, nothing is none. */
export function countLines(bytes: Uint8Array): number {
  const newline = 0x0a;
  let lines = bytes.length > 0 && bytes[bytes.length - 1] !== newline ? 1 : 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
}
