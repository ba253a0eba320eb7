import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createViews } from "./views.ts";

const changes = fc.array(fc.record({ keep: fc.nat(12), add: fc.array(fc.nat(99), { maxLength: 4 }) }), {
  maxLength: 60,
});

describe("createViews", () => {
  it("gives the view of any request, as applying every change would", () => {
    fc.assert(
      fc.property(changes, fc.integer({ min: 1, max: 9 }), (list, every) => {
        const views = createViews(list, every);
        let expected: readonly number[] = [];
        list.forEach(({ keep, add }, request) => {
          expected = [...expected.slice(0, keep), ...add];
          expect(views.at(request)).toEqual(expected);
        });
      }),
    );
  });

  it("has nothing before the first request and after the last", () => {
    const views = createViews([{ keep: 0, add: [0, 1] }]);
    expect([views.at(-1), views.at(0), views.at(1)]).toEqual([[], [0, 1], []]);
  });

  it("says how much a view shares with the one before", () => {
    const views = createViews([
      { keep: 0, add: [0, 1] },
      { keep: 1, add: [2] },
    ]);
    expect([views.kept(0), views.kept(1), views.kept(2)]).toEqual([0, 1, 0]);
  });
});
