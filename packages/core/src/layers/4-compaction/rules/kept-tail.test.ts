import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addRound,
  answered,
  createTestLog,
  said,
  workedLog,
} from "../../../../../../test/layers/compaction-support.ts";
import { createHistory, operation } from "../../../../../../test/support/histories.ts";
import { isBlock, type ViewItem } from "../../../spec/index.ts";
import { project } from "../../../view/projection/project.ts";
import { countPlainly, createMeasure } from "../../../view/tokens/measure.ts";
import { chooseKeptTail, cleanCuts, unansweredPrompt, unseenTail } from "./kept-tail.ts";

const measure = createMeasure();
const question = (items: readonly ViewItem[], maxTokens: number) => ({
  items,
  boundarySeq: 0,
  maxTokens,
  measure,
  forbidsThinking: false,
});

/** Whether no call, response or entry stands on both sides of a cut. */
function isWhole(items: readonly ViewItem[], cut: number): boolean {
  const names = (part: readonly ViewItem[]) =>
    new Set(
      part.flatMap(({ block, response, entry }) => [
        entry,
        ...(response === undefined ? [] : [response]),
        ...(isBlock(block, "tool_use") ? [block.id] : []),
        ...(isBlock(block, "tool_result") ? [block.tool_use_id] : []),
      ]),
    );
  const behind = names(items.slice(cut));
  return [...names(items.slice(0, cut))].every((name) => !behind.has(name));
}

describe("chooseKeptTail", () => {
  it("keeps the newest whole rounds that fit", () => {
    const { items } = workedLog(4, 400).view();
    const one = chooseKeptTail(question(items, 200));
    expect(one?.position).toBe(items.length - 3);
    expect(one?.segment).toEqual({ head: "e8", headSeq: 8, tail: "e9", tailSeq: 9, anchor: "summary" });
    expect(chooseKeptTail(question(items, 350))?.position).toBe(items.length - 6);
    expect(chooseKeptTail(question(items, 100))).toBe(null);
  });

  it("never reaches behind the boundary, nor over thinking that may not stay", () => {
    const log = workedLog(2, 40);
    log.say(
      answered([
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "text", text: "a" },
      ]),
    );
    log.say(said("go"));
    addRound(log, "last", 40);
    const { items } = log.view();
    const most = question(items, 100_000);
    expect(chooseKeptTail({ ...most, boundarySeq: 5 })?.segment.headSeq).toBe(6);
    expect(chooseKeptTail({ ...most, forbidsThinking: true })?.segment.headSeq).toBe(8);
    expect(chooseKeptTail(most)?.segment.headSeq).toBe(2);
  });
});

describe("unheardPrompt", () => {
  it("is what the user said behind the last answer or result", () => {
    const log = workedLog(1, 40);
    log.say(said("one more"));
    log.say(said("thing"));
    expect(unansweredPrompt(question(log.view().items, 1_000))?.segment).toMatchObject({
      headSeq: 4,
      tailSeq: 5,
    });
  });

  it("is nothing where a model has heard it, nothing else was said, or it is too long", () => {
    const log = createTestLog();
    log.say(said("first"));
    expect(unansweredPrompt(question(log.view().items, 1_000))).toBe(null);
    log.say(answered("yes"));
    expect(unansweredPrompt(question(log.view().items, 1_000))).toBe(null);
    log.say(said("y".repeat(4_000)));
    expect(unansweredPrompt(question(log.view().items, 1_000))).toBe(null);
  });
});

describe("unseenTail", () => {
  const segment = (headSeq: number, tailSeq: number) => ({ headSeq, tailSeq });
  const unseen = (items: readonly ViewItem[], more = {}) =>
    unseenTail({ items, boundarySeq: 0, forbidsThinking: false, countOf: countPlainly, ...more });

  it("is the newest round where nobody has answered its results, with what was said behind them", () => {
    const log = workedLog(3, 40);
    expect(unseen(log.view().items)?.segment).toMatchObject(segment(6, 7));
    log.say(said("and hurry"));
    expect(unseen(log.view().items)?.segment).toMatchObject(segment(6, 8));
    log.say(answered("Fine."));
    expect(unseen(log.view().items)).toBe(null);
    log.say(said("go on"));
    expect(unseen(log.view().items)?.segment).toMatchObject(segment(10, 10));
  });

  it("is all of it, however large", () => {
    const log = workedLog(3, 4_000_000);
    log.say(said("and hurry"));
    expect(unseen(log.view().items)).toMatchObject({ segment: segment(6, 8) });
    expect(unseen(log.view().items)?.tokens).toBeGreaterThan(1_000_000);
  });

  it("is the results alone where their calls think what may not stay", () => {
    const log = workedLog(1, 40);
    log.say(
      answered([
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "tool_use", id: "t", name: "Read", input: {} },
      ]),
    );
    log.say({ type: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "r" }] });
    const { items } = log.view();
    expect(unseen(items)?.segment).toMatchObject(segment(4, 5));
    expect(unseen(items, { forbidsThinking: true })?.segment).toMatchObject(segment(5, 5));
  });

  it("leaves out what the newest boundary put between what is unseen", () => {
    const log = createTestLog();
    log.say(said("before"));
    log.say(said("the boundary's own"));
    log.say(said("behind"));
    expect(unseen(log.view().items, { boundarySeq: 2 })?.segment).toMatchObject({
      ...segment(1, 3),
      exceptSeq: 2,
    });
  });
});

describe("cleanCuts", () => {
  it("of any history leave calls, responses and entries whole, and can be named by numbers", () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const history = createHistory();
        for (const one of operations) history.write(one);
        const { items } = project(history.entries);
        for (const cut of cleanCuts(items)) {
          expect(isWhole(items, cut)).toBe(true);
          const lowest = Math.min(...items.slice(cut).map(({ seq }) => seq));
          expect(items.filter(({ seq }) => seq >= lowest)).toEqual(items.slice(cut));
        }
      }),
    );
  });
});
