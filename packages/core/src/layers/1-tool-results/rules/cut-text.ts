const encoder = new TextEncoder();

/** The beginning of a text in at most so many bytes of UTF-8: whole lines where one fits, else whole code points. */
export function firstLines(text: string, maxBytes: number): string {
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.min(maxBytes, text.length * 3)));
  if (read === text.length) return text;
  const end = text.lastIndexOf("\n", read);
  return text.slice(0, end > 0 ? end : read);
}

/** The end of a text in at most so many bytes of UTF-8: whole lines where one fits, else whole code points. */
export function lastLines(text: string, maxBytes: number): string {
  const start = suffixStart(text, maxBytes);
  if (start === 0 || text[start - 1] === "\n") return text.slice(start);
  const lineEnd = text.indexOf("\n", start);
  return text.slice(lineEnd === -1 || lineEnd === text.length - 1 ? start : lineEnd + 1);
}

export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** Where the longest suffix of whole code points begins that has at most so many bytes. */
function suffixStart(text: string, maxBytes: number): number {
  let start = text.length;
  for (let bytes = 0; start > 0; ) {
    const isPair = start > 1 && (text.codePointAt(start - 2) ?? 0) > 0xffff;
    const next = start - (isPair ? 2 : 1);
    bytes += bytesOf(text.slice(next, start));
    if (bytes > maxBytes) return start;
    start = next;
  }
  return start;
}
