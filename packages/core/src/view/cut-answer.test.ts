import { describe, expect, it } from "vitest";
import type { ContentBlock, Message, ViewItem } from "../spec/index.ts";
import { type CutAnswerInput, findCutAnswer, windowFullStop } from "./newest-answer.ts";

const text = (value: string): ContentBlock => ({ type: "text", text: value });
const call: ContentBlock = { type: "tool_use", id: "t", name: "Read", input: {} };

function item(seq: number, role: "user" | "assistant", block: ContentBlock, response?: string): ViewItem {
  return {
    entry: `e${seq}`,
    seq,
    role,
    index: 0,
    block,
    json: "",
    ...(response && { response }),
  } as ViewItem;
}

const full: Pick<Message, "stopReason" | "prefixDigest"> = { stopReason: windowFullStop, prefixDigest: "d" };
const asked = item(1, "user", text("Well?"));
const half = item(2, "assistant", text("Half of"), "r");
const more = item(3, "assistant", text("it"), "r");

const find = (items: readonly ViewItem[], given: Partial<CutAnswerInput> = {}) =>
  findCutAnswer({ items, messageOf: () => full, ...given });

describe("findCutAnswer", () => {
  it("has all blocks of the newest answer, and what it was produced on", () => {
    expect(find([asked, half, more])).toEqual({ repeatable: [half, more], prefixDigest: "d" });
  });

  it("asks for nothing again that calls a tool, or that something stands behind", () => {
    expect(find([asked, half, item(3, "assistant", call, "r")])?.repeatable).toEqual([]);
    expect(find([asked, half, item(4, "user", text("Go on."))])?.repeatable).toEqual([]);
  });

  it("finds none that ended otherwise, or that a compaction has followed", () => {
    expect(find([asked, half], { messageOf: () => ({ stopReason: "max_tokens" }) })).toBeNull();
    expect(find([asked, half], { boundarySeq: 9 })).toBeNull();
    expect(find([asked])).toBeNull();
  });
});
