import { describe, expect, it } from "vitest";
import {
  addRound,
  answered,
  createTestLog,
  said,
} from "../../../../../../../test/layers/compaction-support.ts";
import { indivisibleRanges } from "./find-spans.ts";

const sizes = (items: Parameters<typeof indivisibleRanges>[0]) =>
  indivisibleRanges(items).map(({ from, to }) => to - from);
const use = (id: string) => ({ type: "tool_use", id, name: "Read", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "x" });

describe("wholeUnits", () => {
  it("has none in an empty view", () => {
    expect(indivisibleRanges([])).toEqual([]);
  });

  it("keeps a call with its result, and words apart", () => {
    const log = createTestLog();
    log.say(said("go"));
    addRound(log, "t1");
    log.say(answered("done"));
    expect(sizes(log.view().items)).toEqual([1, 3, 1]);
  });

  it("keeps the blocks of a response together, also where results stand between them", () => {
    const log = createTestLog();
    log.say(answered([use("a")], "r1"));
    log.say({ type: "user", content: [result("a")] });
    log.say(answered([use("b")], "r1"));
    log.say({ type: "user", content: [result("b"), { type: "text", text: "and on" }] });
    log.say(answered("done", "r2"));
    expect(sizes(log.view().items)).toEqual([5, 1]);
  });

  it("keeps what a server's tool gave back with the call, over several responses", () => {
    const log = createTestLog();
    log.say(answered([{ type: "server_tool_use", id: "s", name: "web_search", input: {} }], "r1"));
    log.say(answered([{ type: "web_search_tool_result", tool_use_id: "s", content: [] }], "r2"));
    log.say(answered("done", "r3"));
    expect(sizes(log.view().items)).toEqual([2, 1]);
  });

  it("is not confused by what a decision has put before older items", () => {
    const log = createTestLog();
    addRound(log, "t1");
    addRound(log, "t2");
    addRound(log, "t3");
    const head = { layer: "l", reason: "", frees: 0, basis: 6 };
    log.add({ kind: "decision", decision: { ...head, type: "fold", from: "e1", to: "e2", summary: "s" } });
    expect(sizes(log.view().items)).toEqual([1, 3, 3]);
  });

  it("does not tie rounds by the one repair that gave results to both", () => {
    const log = createTestLog();
    log.say(answered([use("a")]));
    log.say(said("and on"));
    log.say(answered([use("b")]));
    const steps = ["a", "b"].map(
      (toolUseId) => ({ repair: "synthetic-result", toolUseId, text: "none" }) as const,
    );
    const head = { layer: "l", reason: "", frees: 0, basis: 2 };
    log.add({ kind: "decision", decision: { ...head, type: "repair", steps } });
    expect(sizes(log.view().items)).toEqual([2, 1, 2]);
  });
});
