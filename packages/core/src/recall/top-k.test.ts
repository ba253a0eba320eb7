import fc from "fast-check";
import { expect, it } from "vitest";
import { createTopK } from "./search-collection.ts";

it("is the head of a full sort", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 })), fc.nat(12), (numbers, size) => {
      const items = numbers.map((score, at) => ({ score, at }));
      const compare = (a: (typeof items)[0], b: (typeof items)[0]) => b.score - a.score || a.at - b.at;
      const best = createTopK(size, compare);
      for (const item of items) best.offer(item);
      expect(best.toSorted()).toEqual(items.toSorted(compare).slice(0, size));
      expect(best.count).toBe(Math.min(size, items.length));
    }),
  );
});
