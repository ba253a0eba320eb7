import { describe, expect, it } from "vitest";
import { imageFacts } from "./media-facts.ts";

describe("the facts of an image", () => {
  it("come from its own bytes, whatever lies behind them in the memory that small buffers share", () => {
    const neighbour = Buffer.allocUnsafe(8);
    const behind = new Uint8Array(neighbour.buffer, neighbour.byteOffset + 8);
    // As the rest of a TGA's head, this would be a picture of 65,535 lines.
    behind.set(behind.map((_, index) => (index % 8 === 4 || index % 8 === 5 ? 0 : 0xff)));
    const source = { type: "base64" as const, media_type: "image/png", data: "AAAA" };
    expect(imageFacts({ type: "image", source })).toEqual({
      bytes: 4,
      sidePixels: 0,
      pixels: 0,
    });
  });
});
