import { deflateSync } from "node:zlib";
import type { ContentBlock } from "../../packages/core/src/spec/index.ts";

/** A red dot. */
export const onePixel: ContentBlock = {
  type: "image",
  source: {
    type: "base64",
    media_type: "image/png",
    data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
  },
};

export type ImageKind = "png" | "jpeg" | "gif" | "webp";

/** An image of this size whose bytes are other ones for every number; a PNG is whole, of the others there is the header. */
export function imageOf(
  width: number,
  height: number,
  number = 0,
  { kind = "png", bytes = 0 }: { readonly kind?: ImageKind; readonly bytes?: number } = {},
): ContentBlock {
  const head = { png, jpeg, gif, webp }[kind](width, height, number, bytes);
  const filled = kind === "png" ? head : Buffer.concat([head, Buffer.alloc(bytes)]);
  const source = { type: "base64" as const, media_type: `image/${kind}`, data: filled.toString("base64") };
  return { type: "image", source };
}

/** A PDF of so many pages, as plain as they come, filled up to so many bytes. */
export function pdfOf(pages: number, bytes = 0): ContentBlock {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`).join(" ");
  const objects = Array.from(
    { length: pages },
    (_, at) => `${at + 3} 0 obj <</Type/Page/Parent 2 0 R>> endobj`,
  );
  const file = [
    "%PDF-1.4",
    "1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj",
    `2 0 obj <</Type/Pages/Count ${pages}/Kids[${kids}]>> endobj`,
    ...objects,
    "trailer <</Root 1 0 R>>",
  ].join("\n");
  const data = Buffer.from(file.padEnd(bytes, "%")).toString("base64");
  return { type: "document", source: { type: "base64", media_type: "application/pdf", data } };
}

function png(width: number, height: number, number: number, bytes: number): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size[8] = 8;
  const rows = deflateSync(Buffer.alloc((width + 1) * Math.min(height, 64)));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", size),
    chunk("tEXt", Buffer.from(`number\0${number}`.padEnd(bytes, "x"))),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(name), content, Buffer.alloc(4)]);
}

function jpeg(width: number, height: number, number: number): Buffer {
  const frame = [0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3];
  const comment = [0xff, 0xfe, 0, 4, number >> 8, number & 255];
  const parts = [1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1];
  return Buffer.from([0xff, 0xd8, ...comment, ...frame, ...parts, 0xff, 0xd9]);
}

function gif(width: number, height: number, number: number): Buffer {
  const bytes = Buffer.alloc(15);
  bytes.write("GIF89a", "latin1");
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  bytes.writeUInt16LE(number, 13);
  return bytes;
}

function webp(width: number, height: number, number: number): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.write("RIFF", "latin1");
  bytes.writeUInt32LE(24, 4);
  bytes.write("WEBPVP8X", 8, "latin1");
  bytes.writeUInt32LE(10, 16);
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  bytes.writeUInt16LE(number, 30);
  return bytes;
}
