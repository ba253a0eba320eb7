import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTo } from "../../../../../test/support/check-projection.ts";
import { createHistory, operation } from "../../../../../test/support/histories.ts";
import type { ContentBlock, ViewItem } from "../../spec/index.ts";
import { createItemList } from "../projection/item-list.ts";
import { createProjection } from "../projection/projection.ts";
import { clearedText } from "./clear-label.ts";
import { clearableParts, deletedParts } from "./clearable-parts.ts";

const both = (items: readonly ViewItem[]) => ({
  parts: [...clearableParts(items)],
  deleted: [...deletedParts(items)],
});

/** A call and its result, as items that count how often anybody looks at their blocks. */
function countedRound(number: number, count: () => void): readonly ViewItem[] {
  const id = `t${number}`;
  const item = (role: ViewItem["role"], index: number, block: ContentBlock): ViewItem => ({
    role,
    entry: `e${number}`,
    seq: number,
    index,
    json: JSON.stringify(block),
    get block() {
      count();
      return block;
    },
  });
  return [
    item("assistant", 0, { type: "tool_use", id, name: "Read", input: { file_path: id } }),
    item("user", 1, { type: "tool_result", tool_use_id: id, content: "much text" }),
  ];
}

describe("clearableParts", () => {
  it("finds what looking at every item finds, after any operation", () => {
    const operations = fc.array(fc.tuple(operation, fc.boolean()), {
      minLength: 1,
      maxLength: 60,
      size: "max",
    });
    fc.assert(
      fc.property(operations, (all) => {
        const history = createHistory();
        const projection = createProjection();
        for (const [one, asks] of all) {
          const entry = history.write(one);
          if (entry) addTo(projection, entry, history.entries);
          const { items } = projection.projected;
          if (asks) expect(both(items)).toEqual(both([...items]));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("looks at what is new or was replaced, however long the view is", () => {
    let looks = 0;
    const count = () => {
      looks += 1;
    };
    const looksFor = (items: readonly ViewItem[]) => {
      const before = looks;
      clearableParts(items);
      return looks - before;
    };
    const perRound = [10, 1_000].map((rounds) => {
      const list = createItemList(
        Array.from({ length: rounds }, (_, number) => countedRound(number, count)).flat(),
      );
      looksFor(list.items);
      const again = looksFor(list.items);
      list.push(countedRound(rounds, count));
      const grown = looksFor(list.items);
      const head = { layer: "test", reason: "asked to", frees: 1, basis: 1 } as const;
      const parts = [{ toolUseId: "t3", part: "result", label: "[Cleared]" }] as const;
      list.replace({ ...head, type: "clear", parts }, "d1");
      return { again, grown, replaced: looksFor(list.items) };
    });
    expect(perRound[1]).toEqual(perRound[0]);
    expect(perRound[0]?.again).toBe(0);
  });

  it("no longer has a result that was cleared, and has what stands in the place of one that was offloaded", () => {
    const list = createItemList([1, 2, 3].flatMap((number) => countedRound(number, () => undefined)));
    expect(clearableParts(list.items).map(({ toolUseId }) => toolUseId)).toEqual(["t1", "t2", "t3"]);
    const head = { layer: "test", reason: "asked to", frees: 1, basis: 1 } as const;
    const label = `${clearedText} Read`;
    list.replace({ ...head, type: "clear", parts: [{ toolUseId: "t1", part: "result", label }] }, "d1");
    list.replace({ ...head, type: "offload", results: [{ toolUseId: "t2", preview: "much" }] }, "d2");
    expect(clearableParts(list.items).map(({ block }) => (block as { content?: unknown }).content)).toEqual([
      "much",
      "much text",
    ]);
  });
});
