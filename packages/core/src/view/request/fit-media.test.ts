import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FittedMedia, fitMedia, type MediaRoom } from "./image-repair.ts";

const many = { count: 20, maxSidePixels: 2_000 };
const room: MediaRoom = { maxCount: 100, many };
const some = (count: number, more: Partial<FittedMedia> = {}): FittedMedia[] =>
  Array.from({ length: count }, () => ({
    ...{ isImage: true, isUnseen: true, bytes: 1, sidePixels: 100, pages: 0 },
    ...more,
  }));
const wide = { sidePixels: 2_880 };
const seen = { isUnseen: false };
const keptOf = (all: readonly FittedMedia[], given = room) =>
  fitMedia(all, given).flatMap((limit, at) => (limit === null ? at : []));
const from = (first: number, end: number) => Array.from({ length: end - first }, (_, at) => first + at);

describe("what one request may have of images and documents", () => {
  it.each([
    ["twenty wide ones", some(20, wide), from(0, 20)],
    ["the first twenty of twenty-one wide ones", some(21, wide), from(0, 20)],
    [
      "the first twenty of sixty, of which forty are wide",
      [...some(19), ...some(40, wide), ...some(1)],
      from(0, 20),
    ],
    [
      "all but the wide one of twenty-two",
      [...some(3), ...some(1, wide), ...some(18)],
      [0, 1, 2, ...from(4, 22)],
    ],
    ["a hundred small ones of a hundred and twenty", some(120), from(0, 100)],
    [
      "all new wide ones, and what is left for those seen",
      [...some(12, { ...wide, ...seen }), ...some(12, wide)],
      [...from(6, 24)],
    ],
    [
      "all new wide ones, though many small ones were seen",
      [...some(60, seen), ...some(3, wide)],
      from(45, 63),
    ],
    [
      "new small ones rather than wide ones that were seen",
      [...some(15, { ...wide, ...seen }), ...some(21)],
      from(15, 36),
    ],
  ])("are %s", (_name, all, kept) => {
    expect(keptOf(all)).toEqual(kept);
  });

  it("are as many bytes and pages as there may be, in order, with what is seen after what is new", () => {
    const files = { isImage: false, sidePixels: 0 };
    const all = [...some(1, { bytes: 50, ...seen }), ...some(3, { bytes: 40 }), ...some(1, { bytes: 9 })];
    expect(fitMedia(all, { ...room, maxBytes: 100 })).toEqual(["bytes", null, null, "bytes", null]);
    const books = [...some(2, { ...files, pages: 60 }), ...some(1, { ...files, pages: 40 })];
    expect(fitMedia(books, { ...room, maxPages: 100 })).toEqual([null, "pages", null]);
  });

  const media: fc.Arbitrary<FittedMedia> = fc.record({
    isImage: fc.boolean(),
    isUnseen: fc.boolean(),
    bytes: fc.nat(50),
    sidePixels: fc.constantFrom(10, 10, 3_000),
    pages: fc.constant(0),
  });

  it("never exceed a limit, and nothing new is left out that would have fitted in the same way", () => {
    const given = { maxCount: 12, many: { count: 5, maxSidePixels: 2_000 }, maxBytes: 300 };
    const property = fc.property(fc.array(media, { maxLength: 40 }), (all) => {
      const chosen = fitMedia(all, given);
      const kept = all.filter((_, at) => chosen[at] === null);
      const images = kept.filter(({ isImage }) => isImage);
      const bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
      const hasWide = images.some(({ sidePixels }) => sidePixels > 2_000);
      expect(images.length).toBeLessThanOrEqual(hasWide ? 5 : 12);
      expect(bytes).toBeLessThanOrEqual(300);
      const unseen = (only: readonly FittedMedia[]) => only.filter(({ isUnseen }) => isUnseen).length;
      for (const isSmall of [false, true]) {
        let left = { images: isSmall ? 12 : 5, bytes: 300 };
        let other = 0;
        for (const one of all) {
          if (!one.isUnseen || (isSmall && one.isImage && one.sidePixels > 2_000)) continue;
          const next = { images: left.images - (one.isImage ? 1 : 0), bytes: left.bytes - one.bytes };
          if (next.images < 0 || next.bytes < 0) continue;
          left = next;
          other += 1;
        }
        expect(unseen(kept)).toBeGreaterThanOrEqual(other);
      }
    });
    fc.assert(property, { numRuns: 500 });
  });
});
