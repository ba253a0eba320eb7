/** The size of an image, from its first bytes. */
export interface ImageDimensions {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly width: number;
  readonly height: number;
}

/** Enough for the headers of PNG, GIF and WebP; a JPEG's size may stand behind large metadata. */
const headerCharacters = 64;

/** Width and height of an image in base64, read from its header; `null` when it is none of the four kinds. */
export function imageDimensions(base64: string): ImageDimensions | null {
  const head = Buffer.from(base64.slice(0, headerCharacters), "base64");
  const text = head.toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n") && head.length >= 24)
    return { mediaType: "image/png", width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  if (/^GIF8[79]a/.test(text) && head.length >= 10)
    return { mediaType: "image/gif", width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP" && head.length >= 30) return webp(head);
  if (text.startsWith("\xff\xd8\xff")) return jpeg(Buffer.from(base64, "base64"));
  return null;
}

function webp(head: Buffer): ImageDimensions | null {
  const mediaType = "image/webp";
  const kind = head.toString("latin1", 12, 16);
  if (kind === "VP8X")
    return { mediaType, width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
  if (kind === "VP8L") {
    const bits = head.readUInt32LE(21);
    return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind !== "VP8 ") return null;
  return { mediaType, width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
}

/** Walks the segments up to the frame header, which has the size. */
function jpeg(bytes: Buffer): ImageDimensions | null {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] as number;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame)
      return {
        mediaType: "image/jpeg",
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
