import { describe, expect, it } from "vitest";
import { imageDimensions } from "./image-dimensions.ts";

const base64 = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  ).toString("base64");
const zeros = (count: number) => new Array<number>(count).fill(0);

describe("imageDimensions", () => {
  it.each([
    ["a PNG", "image/png", base64("\x89PNG\r\n\x1a\n", zeros(4), "IHDR", [0, 0, 3, 32, 0, 0, 2, 88])],
    ["a GIF", "image/gif", base64("GIF89a", [32, 3, 88, 2])],
    ["a lossy WebP", "image/webp", base64("RIFF", zeros(4), "WEBPVP8 ", zeros(10), [32, 3, 88, 2])],
    [
      "a lossless WebP",
      "image/webp",
      base64("RIFF", zeros(4), "WEBPVP8L", zeros(4), [0x2f, 0x1f, 0xc3, 0x95, 0], zeros(6)),
    ],
    ["an extended WebP", "image/webp", base64("RIFF", zeros(4), "WEBPVP8X", zeros(8), [31, 3, 0, 87, 2, 0])],
    [
      "a JPEG behind metadata",
      "image/jpeg",
      base64([0xff, 0xd8, 0xff, 0xe0, 0, 200], zeros(198), [0xff, 0xc2, 0, 17, 8, 2, 88, 3, 32, 0]),
    ],
  ])("reads %s", (_, mediaType, data) => {
    expect(imageDimensions(data)).toEqual({ mediaType, width: 800, height: 600 });
  });

  it.each([
    "",
    "AAAA",
    base64("\x89PNG\r\n\x1a\n"),
    base64("RIFF", zeros(4), "WEBPVP9 ", zeros(30)),
    base64([0xff, 0xd8, 0xff]),
  ])("knows nothing of %j", (data) => expect(imageDimensions(data)).toBeNull());
});
