import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTo } from "../../../../../test/support/check-projection.ts";
import { createHistory, operation } from "../../../../../test/support/histories.ts";
import { isBlock, type ViewItem } from "../../spec/index.ts";
import { createProjection } from "../projection/projection.ts";
import { isRoundOpen, isTurnWithoutThinking } from "./thinking-choice.ts";
import { isThinking } from "./unbound-thinking.ts";

/** The messages of a view: neighbouring items of one role. */
function messagesOf(items: readonly ViewItem[]): readonly ViewItem[][] {
  const messages: ViewItem[][] = [];
  for (const item of items) {
    const last = messages.at(-1);
    if (last?.[0]?.role === item.role) last.push(item);
    else messages.push([item]);
  }
  return messages;
}

/** The same by reading back to where the turn begins. */
function readBack(items: readonly ViewItem[]): boolean {
  if (items.at(-1)?.role !== "assistant" && !isRoundOpen(items)) return false;
  const messages = messagesOf(items);
  const isWord = (message: readonly ViewItem[]) =>
    message[0]?.role === "user" && !message.some(({ block }) => isBlock(block, "tool_result"));
  const turn = messages.slice(messages.findLastIndex(isWord) + 1);
  const first = turn.find(([item]) => item?.role === "assistant")?.find(isOwn);
  return first !== undefined && !isThinking(first);
}

const isOwn = ({ block }: ViewItem) => block.type !== "compaction";

describe("isTurnWithoutThinking", () => {
  it("says what reading back to the turn's beginning says, after any operation", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 50, size: "max" });
    fc.assert(
      fc.property(operations, (all) => {
        const history = createHistory();
        const projection = createProjection();
        for (const one of all) {
          const entry = history.write(one);
          if (entry) addTo(projection, entry, history.entries);
          const { items } = projection.projected;
          expect(isTurnWithoutThinking(items)).toBe(readBack(items));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("looks past what the API's own compaction left at the beginning of a turn", () => {
    const item = (role: ViewItem["role"], type: string): ViewItem => {
      const block = { type, text: "x", thinking: "x" };
      return { role, entry: type, seq: 1, index: 0, block, json: JSON.stringify(block) };
    };
    const [word, boundary] = [item("user", "text"), item("assistant", "compaction")];
    expect(isTurnWithoutThinking([word, boundary, item("assistant", "thinking")])).toBe(false);
    expect(isTurnWithoutThinking([word, boundary, item("assistant", "text")])).toBe(true);
    expect(isTurnWithoutThinking([word, boundary])).toBe(false);
  });

  it("looks at each item of a long turn once", () => {
    let looks = 0;
    const items: ViewItem[] = [];
    const push = (role: ViewItem["role"], block: ViewItem["block"]) => {
      const seq = items.length + 1;
      items.push({
        role,
        entry: `e${seq}`,
        seq,
        index: 0,
        json: JSON.stringify(block),
        get block() {
          looks += 1;
          return block;
        },
      });
    };
    const perRound = new Set<number>();
    for (let round = 0; round < 500; round += 1) {
      const id = `t${round}`;
      push("assistant", { type: "tool_use", id, name: "Read", input: {} });
      push("user", { type: "tool_result", tool_use_id: id, content: "x" });
      const before = looks;
      isTurnWithoutThinking(items);
      if (round > 0) perRound.add(looks - before);
    }
    expect(perRound.size).toBe(1);
  });
});
