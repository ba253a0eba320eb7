import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCompactionLayer } from "../../packages/core/src/layers/4-compaction/index.ts";
import { roomBeside } from "../../packages/core/src/layers/4-compaction/rules/budget.ts";
import { unseenTail } from "../../packages/core/src/layers/4-compaction/rules/kept-tail.ts";
import {
  type Entry,
  type Facts,
  fail,
  isBlock,
  type Moment,
  type View,
  type ViewItem,
} from "../../packages/core/src/spec/index.ts";
import { project } from "../../packages/core/src/view/projection/project.ts";
import { renderMessages } from "../../packages/core/src/view/request/message-renderer.ts";
import { repairSteps } from "../../packages/core/src/view/request/repair.ts";
import { validate } from "../../packages/core/src/view/request/validator.ts";
import { countPlainly, createMeasure, measureItems } from "../../packages/core/src/view/tokens/measure.ts";
import { amount } from "../support/amount.ts";
import { createHistory, type HistoryWriter, operation } from "../support/histories.ts";
import {
  answered,
  compactionIn,
  createTestLog,
  factsOf,
  forkAnswer,
  said,
  type TestLog,
  testIo,
  testPorts,
} from "./compaction-support.ts";

const measure = createMeasure();
const limits = { images: { maxBytes: 1000, maxSidePixels: 8_000, maxCount: 100 }, maxBreakpoints: 4 };
const signal = new AbortController().signal;

function viewOf(entries: readonly Entry[]): View {
  const { items, head } = project(entries);
  const tokens = 1_000 + measureItems(items, measure);
  return { ...createTestLog().view(tokens), items, head };
}

/** Brings a history to a valid request, as the engine does. */
function repair(history: HistoryWriter): readonly ViewItem[] {
  const { items } = project(history.entries);
  const steps = repairSteps(items, 0, limits);
  const head = { layer: "engine", reason: "", frees: 0, basis: history.entries.length } as const;
  if (steps.length > 0) history.append({ kind: "decision", decision: { ...head, type: "repair", steps } });
  return project(history.entries).items;
}

const newestBoundary = (entries: readonly Entry[]) =>
  entries.findLast((entry) => entry.kind === "decision" && entry.decision.type === "compact")?.seq ?? 0;

function unseenTokens(items: readonly ViewItem[], boundarySeq: number): number {
  const input = { items, boundarySeq, forbidsThinking: false, countOf: countPlainly };
  return unseenTail(input)?.tokens ?? 0;
}

/** Ids of calls that stand without their result, or the other way round. */
function loose(items: readonly ViewItem[]): readonly string[] {
  const calls = items.flatMap(({ block }) => (isBlock(block, "tool_use") ? block.id : []));
  const results = items.flatMap(({ block }) => (isBlock(block, "tool_result") ? block.tool_use_id : []));
  return [...calls.filter((id) => !results.includes(id)), ...results.filter((id) => !calls.includes(id))];
}

describe("a compaction of any history", () => {
  const moments = fc.constantFrom<Moment>(
    { kind: "before-request", trigger: "reactive" },
    { kind: "before-request", trigger: "manual", compact: {} },
  );

  it("gives a valid view within its budget, and keeps whole rounds", async () => {
    let landed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { maxLength: 40 }),
        moments,
        fc.nat(400),
        async (operations, moment, bulk) => {
          const history = createHistory();
          for (const one of operations) history.write(one);
          history.write({ op: "user", text: "w ".repeat(bulk * 40) });
          history.write({ op: "assistant", text: "alpha", calls: 1, sameResponse: false, thinking: false });
          history.write({ op: "result", pick: 1, text: "beta" });
          repair(history);
          const view = viewOf(history.entries);
          const facts = factsOf({
            window: 32_000,
            compaction: {
              boundarySeq: newestBoundary(history.entries),
              modelFailures: 0,
              modelFailuresBefore: 0,
            },
          });
          const layer = createCompactionLayer(testPorts({ writeSummary: () => "s ".repeat(bulk) }));
          const verdict = layer.decide(view, moment, facts);
          if (verdict.verdict === "skip" || !("plan" in verdict.command)) return;
          const { budget } = verdict.command.plan;
          const applied = await layer.apply(verdict.command, testIo().io, signal);
          const decision = applied.ok ? compactionIn(applied.value) : undefined;
          if (!decision) return;
          landed += 1;
          const { thresholds, headTokens = 0 } = facts;
          const keptTokens = unseenTokens(view.items, newestBoundary(history.entries));
          const room = roomBeside({ totalTokens: budget.totalTokens, keptTokens, headTokens, thresholds });
          expect(decision.tokensAfter).toBeLessThanOrEqual(
            headTokens + Math.max(budget.totalTokens, keptTokens + room),
          );
          history.append({ kind: "decision", decision });
          const after = project(history.entries).items;
          expect(1_000 + measureItems(after, measure)).toBe(decision.tokensAfter);
          const former = new Set(loose(view.items));
          expect(loose(after).filter((id) => !former.has(id))).toEqual([]);
          const sent = repair(history);
          expect(validate({ messages: renderMessages(sent) }, limits)).toEqual([]);
        },
      ),
    );
    expect(landed).toBeGreaterThan(10);
  });
});

/** A conversation whose newest results nobody has answered, compacted by whatever rung helps. */
const unanswered = fc.record({
  /** Characters of results that were answered, and of the newest ones. */
  older: fc.array(fc.nat(12_000), { minLength: 1, maxLength: 8 }),
  newest: fc.array(fc.oneof(fc.nat(400), fc.nat(16_000), fc.nat(40_000)), { minLength: 1, maxLength: 4 }),
  thinks: fc.boolean(),
  isBound: fc.boolean(),
  /** What the user said while the tools ran. */
  said: fc.option(fc.nat(3_000), { nil: undefined }),
  window: fc.constantFrom(12_000, 16_000, 24_000),
  how: fc.constantFrom("auto", "reactive", "manual", "from", "upTo"),
  by: fc.constantFrom("scribe", "model", "notes"),
});
type Unanswered = typeof unanswered extends fc.Arbitrary<infer Value> ? Value : never;

const marked = (id: string, chars: number) => `result of ${id} begins ${"x ".repeat(chars / 2)}`;

function unansweredLog({ older, newest, thinks, said: words }: Unanswered): TestLog {
  const log = createTestLog();
  log.say(said("Build the thing."));
  const round = (name: string, sizes: readonly number[]) => {
    const ids = sizes.map((_, at) => `${name}-${at}`);
    log.say(
      answered([
        ...(thinks ? [{ type: "thinking", thinking: "hm", signature: "s" }] : []),
        ...ids.map((id) => ({ type: "tool_use", id, name: "Read", input: { file_path: `/${id}` } })),
      ]),
    );
    const results = ids.map((id, at) => ({
      type: "tool_result",
      tool_use_id: id,
      content: marked(id, sizes[at] ?? 0),
    }));
    log.say({ type: "user", content: results });
  };
  for (const [at, chars] of older.entries()) round(`old${at}`, [chars]);
  round("new", newest);
  if (words !== undefined) log.say(said(spoken(words)));
  return log;
}

function momentOf({ how }: Unanswered): Moment {
  if (how === "auto" || how === "reactive") return { kind: "before-request", trigger: how };
  const compact = how === "from" ? { from: "e2" } : how === "upTo" ? { upTo: "e3" } : {};
  return { kind: "before-request", trigger: "manual", compact };
}

/** What of these texts the view does not have word for word. */
function missing(items: readonly ViewItem[], texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !items.some(({ json }) => json.includes(JSON.stringify(text).slice(1, -1))));
}

/** All that nobody has answered. */
function unseenTexts({ newest, said: words }: Unanswered): readonly string[] {
  const results = newest.map((chars, at) => marked(`new-${at}`, chars));
  return words === undefined ? results : [...results, spoken(words)];
}

const spoken = (words: number) => `Hurry. ${"w ".repeat(words)}`;

async function compactOnce(
  log: TestLog,
  { isBound, by, window }: Unanswered,
  moment: Moment,
  room: number = window,
) {
  const facts = factsOf({
    window: room,
    capabilities: { ...factsOf().capabilities, prefixBoundThinking: isBound },
    compaction: log.records(),
  });
  const decideNotesCompaction = async () => ({ use: true, summary: "the notes" }) as const;
  const layer = createCompactionLayer(testPorts(by === "notes" ? { decideNotesCompaction } : {}));
  const io = testIo(() => (by === "model" ? forkAnswer("m ".repeat(2_000)) : fail("no-model", "none")));
  const tokens = 1_000 + measureItems(log.view().items, measure);
  const verdict = layer.decide(log.view(tokens), moment, facts);
  if (verdict.verdict === "skip") return null;
  const applied = await layer.apply(verdict.command, io.io, signal);
  const drafts = applied.ok ? applied.value : [];
  for (const draft of drafts) log.add(draft);
  return compactionIn(drafts) ?? null;
}

describe("results and words that no model has seen", () => {
  const auto: Moment = { kind: "before-request", trigger: "auto" };
  const reactive: Moment = { kind: "before-request", trigger: "reactive" };

  it("are in the view word for word after any compaction, however often", async () => {
    const landed = { first: 0, large: 0, twice: 0 };
    await fc.assert(
      fc.asyncProperty(unanswered, async (given) => {
        const log = unansweredLog(given);
        const unseen = unseenTexts(given);
        const first = await compactOnce(log, given, momentOf(given));
        if (!first) return;
        const { auto: threshold, blocking } = factsOf({ window: given.window }).thresholds;
        expect(first.tokensAfter).toBeLessThan(blocking);
        expect(missing(log.view().items, unseen)).toEqual([]);
        landed[first.tokensAfter < threshold ? "first" : "large"] += 1;
        /** The provider finds it too long all the same: nobody has answered yet. */
        const second =
          (await compactOnce(log, given, reactive)) ?? (await compactOnce(log, given, auto, 8_000));
        if (second) landed.twice += 1;
        const { items } = log.view();
        expect(missing(items, unseen)).toEqual([]);
        const steps = repairSteps(items, 0, limits);
        const head = { layer: "engine", reason: "", frees: 0, basis: log.entries.length } as const;
        if (steps.length > 0) log.add({ kind: "decision", decision: { ...head, type: "repair", steps } });
        expect(missing(log.view().items, unseen)).toEqual([]);
        expect(validate({ messages: renderMessages(log.view().items) }, limits)).toEqual([]);
      }),
      { numRuns: amount({ quick: 120, slow: 300 }) },
    );
    expect(Math.min(landed.first, landed.large, landed.twice)).toBeGreaterThan(3);
  });
});

/** What one step of a simulated session brings. */
const step = fc.record({
  newTokens: fc.oneof(fc.nat(2_000), fc.nat(40_000)),
  isAnswered: fc.boolean(),
  modelFails: fc.boolean(),
  summaryTokens: fc.nat(30_000),
});

interface Simulation {
  /** Compactions since enough was new, without those that no request could be made without. */
  readonly worstRun: number;
  readonly compactions: number;
  /** How much is enough: a tenth of the window, or a quarter of what system and tools leave of it. */
  readonly enough: number;
  readonly modelCalls: number;
  readonly newTokens: number;
}

/** Lets a session grow under a count that is wrong by a factor, and counts what the coordinator does. */
async function simulate(
  steps: readonly { newTokens: number; isAnswered: boolean; modelFails: boolean; summaryTokens: number }[],
  factor: number,
  headTokens: number,
): Promise<Simulation> {
  const log: TestLog = createTestLog();
  const facts: Facts = factsOf({ window: 100_000, headTokens });
  const { blocking } = facts.thresholds;
  const enough = Math.min(10_000, Math.max(0, blocking - headTokens) / 4);
  let [worstRun, run, compactions, modelCalls, newTokens, sinceRun] = [0, 0, 0, 0, 0, 0];
  for (const { newTokens: grown, isAnswered, modelFails, summaryTokens } of steps) {
    newTokens += grown;
    sinceRun += grown;
    log.say(isAnswered ? answered("x".repeat(grown * 4)) : said(`y${"x".repeat(grown * 4)}`));
    const tokens = headTokens + Math.floor(measureItems(log.view().items, measure) * factor);
    const view = log.view(tokens);
    const layer = createCompactionLayer(
      testPorts({ writeSummary: ({ maxTokens }) => "s".repeat(maxTokens * 3) }),
    );
    const verdict = layer.decide(
      view,
      { kind: "before-request", trigger: "auto" },
      { ...facts, compaction: log.records() },
    );
    if (verdict.verdict === "skip") continue;
    const io = testIo(() =>
      modelFails ? fail("overloaded", "busy") : forkAnswer("m".repeat(summaryTokens * 4)),
    );
    const applied = await layer.apply(verdict.command, io.io, signal);
    if (!applied.ok) throw applied.error;
    for (const draft of applied.value) log.add(draft);
    modelCalls += io.forks.length;
    if (!compactionIn(applied.value)) continue;
    if (sinceRun >= enough) [run, sinceRun] = [0, 0];
    if (run >= 2 && tokens >= blocking) continue;
    compactions += 1;
    run += 1;
    worstRun = Math.max(worstRun, run);
  }
  return { worstRun, compactions, enough, modelCalls, newTokens };
}

describe("automatic compactions of any session", () => {
  it("are at most two before enough is new where requests can be made, and ask a model once for it", async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 40 }),
        fc.constantFrom(0.5, 1, 3, 10),
        fc.constantFrom(0, 5_000, 60_000),
        async (steps, factor, headTokens) => {
          const simulation = await simulate(steps, factor, headTokens);
          const { worstRun, compactions, enough, modelCalls, newTokens } = simulation;
          seen += compactions;
          expect(worstRun).toBeLessThanOrEqual(2);
          expect(modelCalls).toBeLessThanOrEqual(1 + newTokens / enough);
          expect(compactions).toBeLessThanOrEqual(2 + (2 * newTokens) / enough);
        },
      ),
    );
    expect(seen).toBeGreaterThan(50);
  });

  it("ask no model a fourth time where it always fails", async () => {
    const steps = Array.from({ length: 60 }, () => ({
      newTokens: 9_000,
      isAnswered: true,
      modelFails: true,
      summaryTokens: 0,
    }));
    expect(await simulate(steps, 1, 0)).toMatchObject({ modelCalls: 3, worstRun: 1 });
  });
});
