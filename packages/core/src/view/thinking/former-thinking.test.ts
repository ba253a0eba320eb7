import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTo } from "../../../../../test/support/check-projection.ts";
import { createHistory, operation } from "../../../../../test/support/histories.ts";
import type { ContentBlock, ViewItem } from "../../spec/index.ts";
import { isCacheEdit } from "../cache-edits.ts";
import { createProjection } from "../projection/projection.ts";
import { formerThinking } from "./former-thinking.ts";

const thought: ContentBlock = { type: "thinking", thinking: "Let me see.", signature: "s" };
const call: ContentBlock = { type: "tool_use", id: "t", name: "Bash", input: {} };
const result: ContentBlock = { type: "tool_result", tool_use_id: "t", content: "x" };
const text: ContentBlock = { type: "text", text: "Well." };

function itemsOf(blocks: readonly (readonly [ViewItem["role"], ContentBlock])[]): readonly ViewItem[] {
  return blocks.map(([role, block], at) => ({
    role,
    entry: `e${at}`,
    seq: at,
    index: 0,
    block,
    json: JSON.stringify(block),
  }));
}

const turn = [
  ["user", text],
  ["assistant", thought],
  ["assistant", call],
  ["user", result],
  ["assistant", thought],
  ["assistant", text],
] as const;

describe("thinking of former turns", () => {
  it("ends where the newest turn begins", () => {
    expect(formerThinking(itemsOf(turn))).toBeNull();
    const next = itemsOf([...turn, ["user", text]]);
    expect(formerThinking(next)).toMatchObject({ upTo: "e4", position: 1 });
    expect(formerThinking(itemsOf([...turn, ...turn]))).toMatchObject({ upTo: "e4", position: 1 });
  });

  it("is not ended by words that come before the results of calls", () => {
    expect(formerThinking(itemsOf([...turn.slice(0, 3), ["user", text]]))).toBeNull();
  });

  it("is not ended by words that come with results", () => {
    const open = itemsOf([...turn.slice(0, 4), ["user", text], ["assistant", thought]]);
    expect(formerThinking(open)).toBeNull();
  });

  it("never names thinking of a turn that is open, after any operation", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 40, size: "max" });
    fc.assert(
      fc.property(operations, (all) => {
        const history = createHistory();
        const projection = createProjection();
        for (const one of all) {
          const entry = history.write(one);
          if (entry) addTo(projection, entry, history.entries);
          expect(formerThinking(projection.projected.items)).toEqual(
            formerThinking([...projection.projected.items]),
          );
          const items = projection.projected.items.filter((item) => !isCacheEdit(item));
          const upTo = formerThinking(items)?.upTo;
          const last = items.findLastIndex(({ entry: id }) => id === upTo);
          const isWord = (at: number) =>
            items[at]?.role === "user" && !isBesideResults(items, at) && items[at - 1]?.role !== "user";
          if (upTo !== undefined) expect(items.some((_, at) => at > last && isWord(at))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Whether the message that begins at a position holds a result. */
function isBesideResults(items: readonly ViewItem[], from: number): boolean {
  for (let at = from; items[at]?.role === "user"; at += 1)
    if (items[at]?.block.type === "tool_result") return true;
  return false;
}
