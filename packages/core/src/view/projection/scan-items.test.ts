import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTo } from "../../../../../test/support/check-projection.ts";
import { createHistory, operation } from "../../../../../test/support/histories.ts";
import type { ViewItem } from "../../spec/index.ts";
import { scanItems } from "./item-list.ts";
import { createProjection } from "./projection.ts";

/** All that stays the same where a part of a tool call is replaced. */
const traits = ({ role, entry, seq, index, block }: ViewItem, position: number) =>
  `${position} ${role} ${entry} ${seq} ${index} ${block.type}`;

const createScan = () =>
  scanItems(
    (): string[] => [],
    (found, item, position) => found.push(traits(item, position)),
  );

describe("scanItems", () => {
  it("finds what looking at every item finds, after any operation", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 60, size: "max" });
    fc.assert(
      fc.property(operations, (all) => {
        const history = createHistory();
        const projection = createProjection();
        const scan = createScan();
        for (const one of all) {
          const entry = history.write(one);
          if (entry) addTo(projection, entry, history.entries);
          const { items } = projection.projected;
          expect(scan(items)).toEqual(items.map(traits));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("looks at each item once, however often it is asked and however long the view is", () => {
    const history = createHistory();
    const projection = createProjection();
    let looked = 0;
    const scan = scanItems(
      () => null,
      () => {
        looked += 1;
      },
    );
    for (let turn = 0; turn < 1_000; turn += 1) {
      const entry = history.write({ op: "user", text: "alpha" });
      if (entry) projection.add(entry);
      scan(projection.projected.items);
    }
    expect([looked, projection.projected.items.length]).toEqual([1_000, 1_000]);
  });

  it("begins anew where a list has become shorter", () => {
    const history = createHistory();
    const projection = createProjection();
    for (const text of ["alpha", "beta"]) {
      const entry = history.write({ op: "user", text });
      if (entry) projection.add(entry);
    }
    const items = [...projection.projected.items];
    const scan = createScan();
    scan(items);
    items.pop();
    expect(scan(items)).toEqual(items.map(traits));
  });
});
