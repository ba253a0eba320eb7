import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pdfOf } from "../../../../../test/support/images.ts";
import { mediaFacts, pdfPages } from "./media-facts.ts";

const page = "<</Type /Page /Parent 2 0 R>>";

/** A file whose objects stand in a compressed stream, as programs write them since PDF 1.5. */
function compressed(objects: string): Buffer {
  const stream = deflateSync(Buffer.from(objects));
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.5\n9 0 obj <</Type /ObjStm /Filter /FlateDecode /Length ${stream.length}>>\nstream\n`,
    ),
    stream,
    Buffer.from("\nendstream endobj"),
  ]);
}

describe("the pages of a PDF", () => {
  it("are counted where they stand in the file", () => {
    expect([1, 7, 120].map((pages) => mediaFacts(pdfOf(pages)).pages)).toEqual([1, 7, 120]);
  });

  it("are counted in compressed streams of objects", () => {
    expect(pdfPages(compressed(`<</Type /Pages /Count 3>> ${page.repeat(3)}`))).toBe(3);
  });

  it("are not counted twice where a file was edited in place", () => {
    expect(pdfPages(Buffer.from(`<</Type /Pages /Count 2>> ${page.repeat(4)}`))).toBe(2);
  });

  it("are nobody's guess where the bytes do not say", () => {
    const broken = compressed(page);
    broken.fill(0, 80, 90);
    expect([Buffer.from(""), Buffer.from("no PDF"), broken].map(pdfPages)).toEqual([0, 0, 0]);
  });
});
