export type TextEncoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be";

const marks: readonly (readonly [TextEncoding, readonly number[]])[] = [
  ["utf-8-bom", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** By the byte order mark; without one it is UTF-8. */
export function encodingOf(head: Uint8Array): TextEncoding {
  const found = marks.find(([, mark]) => mark.every((byte, at) => head[at] === byte));
  return found ? found[0] : "utf-8";
}

export function markOf(encoding: TextEncoding): Uint8Array {
  return Uint8Array.from(marks.find(([name]) => name === encoding)?.[1] ?? []);
}

/** Decodes piece by piece, without the byte order mark. What is no text becomes U+FFFD. */
export function createTextDecoder(encoding: TextEncoding): InstanceType<typeof TextDecoder> {
  return new TextDecoder(encoding === "utf-8-bom" ? "utf-8" : encoding);
}

/** The same text as bytes, byte order mark included. */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array {
  const isWide = encoding === "utf-16le" || encoding === "utf-16be";
  const bytes = Buffer.from(text, isWide ? "utf16le" : "utf8");
  return Buffer.concat([markOf(encoding), encoding === "utf-16be" ? bytes.swap16() : bytes]);
}
