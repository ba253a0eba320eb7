import fc from "fast-check";
import { expect, it } from "vitest";
import { addFrequency, createPostingReader, createPostingWriter, frequencyIn } from "./postings.ts";
import type { Segment } from "./segment.ts";
import { compareBytes, compareTerms } from "./tokenizer.ts";

it("gives back the postings of each term", () => {
  const posting = fc.record({
    distance: fc.integer({ min: 1, max: 100_000 }),
    packed: fc.integer({ min: 1, max: 0x3fff }),
  });
  fc.assert(
    fc.property(fc.array(fc.array(posting, { maxLength: 300 }), { maxLength: 5 }), (terms) => {
      const writer = createPostingWriter();
      const postingOffsets = [0];
      const written = terms.map((postings) => {
        let document = -1;
        const rows = postings.map(({ distance, packed }) => {
          document += distance;
          writer.add(document, packed);
          return { document, packed };
        });
        writer.endTerm();
        postingOffsets.push(writer.length);
        return rows;
      });
      const segment = {
        postings: writer.toBytes(),
        postingOffsets: Uint32Array.from(postingOffsets),
        counts: Uint32Array.from(written, ({ length }) => length),
      } as Segment;
      const reader = createPostingReader();
      const read = written.map((_, term) => {
        const rows: { document: number; packed: number }[] = [];
        reader.open(segment, term);
        for (let count = reader.read(); count > 0; count = reader.read())
          for (let at = 0; at < count; at += 1)
            rows.push({ document: reader.documents[at]!, packed: reader.frequencies[at]! });
        return rows;
      });
      expect(read).toEqual(written);
    }),
  );
});

it("counts up to each field's limit and leaves the other fields alone", () => {
  let packed = 0;
  for (let times = 0; times < 40; times += 1) packed = addFrequency(packed, 0);
  for (let times = 0; times < 9; times += 1) packed = addFrequency(packed, 2);
  packed = addFrequency(packed, 3);
  expect([0, 1, 2, 3].map((field) => frequencyIn(packed, field))).toEqual([31, 0, 7, 1]);
});

it("orders terms as their UTF-8 bytes", () => {
  const encoder = new TextEncoder();
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
      const [x, y] = [encoder.encode(a), encoder.encode(b)];
      expect(Math.sign(compareTerms(a, b))).toBe(Math.sign(compareBytes(x, 0, x.length, y, 0, y.length)));
    }),
  );
  expect(compareTerms("\u{1f600}", "\uffee")).toBeGreaterThan(0);
});
