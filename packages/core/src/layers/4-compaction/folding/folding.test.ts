import { describe, expect, it } from "vitest";
import {
  addRound,
  createTestLog,
  factsOf,
  forkAnswer,
  said,
  type TestLog,
  testIo,
} from "../../../../../../test/layers/compaction-support.ts";
import {
  type EntryDraft,
  type ForkResult,
  fail,
  type Moment,
  type PreparedFold,
  type Result,
  type View,
} from "../../../spec/index.ts";
import { createFoldingLayer } from "./index.ts";
import { readFolds } from "./prepare-folds.ts";

/** Effective: 80,000. Prepared from 48,000 on, committed at 72,000, down to 56,000; 76,000 blocks. */
const window = 100_000;
const switches = { folding: true };
const facts = (more: Parameters<typeof factsOf>[0] = {}) =>
  factsOf({ window, switches, headTokens: 0, ...more });
const layer = createFoldingLayer();
const round: Moment = { kind: "tool-round", results: [] };
const request: Moment = { kind: "before-request", trigger: "auto" };
const signal = new AbortController().signal;

/** Rounds of about 5,000 tokens; entries e2 to e3, e4 to e5 and so on. */
function worked(rounds: number): TestLog {
  const log = createTestLog();
  log.say(said("Build the thing."));
  for (let at = 0; at < rounds; at += 1) addRound(log, `t${at}`, 20_000);
  return log;
}

const viewAt = (tokens: number, more: Partial<View> = {}): View => ({ ...worked(14).view(tokens), ...more });
const prepared = (from: number, to: number): PreparedFold => ({
  entry: `n${from}`,
  seq: 100,
  from: `e${from}`,
  to: `e${to}`,
  summary: `[Folded: e${from} to e${to}]`,
  tokens: 10_000,
});
const four = [prepared(2, 5), prepared(6, 9), prepared(10, 13), prepared(14, 17)];

function decide(view: View, moment: Moment = request, given = facts()) {
  const verdict = layer.decide(view, moment, given);
  if (verdict.verdict === "skip") return verdict.reason;
  const { command, run, frees } = verdict;
  return command.act === "prepare"
    ? { run, by: command.by, spans: command.spans.map(({ from, to }) => `${from}-${to}`) }
    : {
        run,
        trigger: command.trigger,
        frees,
        folds: command.folds.map((fold) => ("span" in fold ? `${fold.span.from} new` : `${fold.from} ready`)),
      };
}

describe("folding", () => {
  it.each([
    ["folding is off", facts({ switches: { folding: false } }), request],
    ["a fork for collapse is never folded", facts({ source: "collapse" }), request],
    ["a fork for notes is never folded", facts({ source: "notes" }), round],
    ["a manual compaction is not folding's to do", facts(), { kind: "before-request", trigger: "manual" }],
    [
      "a reactive compaction is not folding's to do",
      facts(),
      { kind: "before-request", trigger: "reactive" },
    ],
  ] as const)("stands aside: %s", (reason, given, moment) => {
    expect(decide(viewAt(79_000), moment, given)).toBe(reason);
  });

  it("prepares as many spans as will be needed, by a model in the background or by the scribe", () => {
    const spans = ["e2-e5", "e6-e9"];
    const three = [...spans, "e10-e13"];
    expect(decide(viewAt(70_000), round, facts({ canFork: true }))).toEqual({
      run: "background",
      by: "model",
      spans: three,
    });
    expect(decide(viewAt(70_000), round)).toMatchObject({ run: "inline", by: "scribe" });
    expect(decide(viewAt(70_000, { folds: four.slice(0, 1) }), round)).toMatchObject({
      spans: ["e6-e9", "e10-e13"],
    });
  });

  it("prepares nothing too early, too often, or for nothing", () => {
    expect(decide(viewAt(47_999), round)).toBe("47999 tokens are under 48000");
    expect(decide(viewAt(76_000), round)).toBe("the next request folds at once");
    expect(decide(viewAt(70_000, { folds: four }), round)).toBe("enough is prepared");
    expect(decide(worked(3).view(50_000), round)).toBe("no work is finished that could be folded");
  });

  it("waits after failures for new work, each time for twice as much", () => {
    const seq = 24;
    const failed = (count: number) => decide(viewAt(70_000, { failedFolds: { count, seq } }), round);
    expect(failed(1)).toMatchObject({ by: "scribe" });
    expect(failed(2)).toMatch(/^\d+ of 16000 tokens since folds could not be prepared$/);
    expect(failed(100)).toMatch(/of 512000 tokens/);
  });

  it("commits the oldest at the level, as few as reach the target", () => {
    expect(decide(viewAt(71_999, { folds: four }))).toBe("71999 tokens are under the level of 72000");
    expect(decide(viewAt(72_000, { folds: four }))).toMatchObject({
      run: "inline",
      trigger: "level",
      folds: ["e2 ready", "e6 ready"],
    });
    expect(decide(viewAt(72_000))).toBe("72000 tokens are over 72000, and no fold is prepared");
    expect(decide(viewAt(72_000, { folds: [prepared(90, 91)] }))).toContain("no fold is prepared");
  });

  it("does not break the cache for next to nothing", () => {
    const large = { ...prepared(2, 5), summary: "s".repeat(30_000) };
    expect(decide(viewAt(75_999, { folds: [large] }))).toMatch(/^what is prepared frees \d+ tokens: too few/);
  });

  it("blocks with what is ready and what the scribe writes at once, oldest first", () => {
    expect(decide(viewAt(78_000, { folds: four.slice(1, 2) }))).toMatchObject({
      run: "inline",
      trigger: "blocked",
      folds: ["e2 new", "e6 ready", "e10 new"],
    });
    const sparedFolds = [{ from: "e2", to: "e21" }];
    expect(decide(viewAt(72_000, { folds: four, sparedFolds }))).toContain("no fold is prepared");
    expect(decide(viewAt(78_000, { sparedFolds }))).toMatchObject({ folds: ["e2 new", "e6 new", "e10 new"] });
    expect(decide(worked(1).view(78_000))).toBe("78000 tokens are over 76000, and nothing can be folded");
  });

  it("commits early in a thrifty session that can recall, where it pays", () => {
    const settings = { economy: "thrifty", compaction: { earlyMinTokens: 40_000 } } as const;
    const view = viewAt(60_000, { folds: four });
    expect(decide(view, request, facts({ settings, expectedRequests: 60 }))).toMatchObject({
      trigger: "early",
    });
    const cold = { cache: { state: "cold", ttlMs: 300_000 }, expectedRequests: 2 } as const;
    expect(decide(view, request, facts({ settings, ...cold }))).toMatchObject({ trigger: "early" });
    for (const waiting of [
      { settings, expectedRequests: 2 },
      { expectedRequests: 60 },
      { settings, expectedRequests: 60, isRelayed: true },
      { settings, expectedRequests: 60, logAddress: "/log.jsonl" },
    ])
      expect(decide(view, request, facts(waiting))).toContain("under the level");
    const small = viewAt(30_000, { folds: four });
    expect(decide(small, request, facts({ settings, expectedRequests: 60 }))).toContain("under the level");
  });

  it("lets a request wait for summaries only where it must not go out unfolded", () => {
    expect(layer.waitMs?.(viewAt(75_999), facts())).toBe(0);
    expect(layer.waitMs?.(viewAt(76_000), facts())).toBe(60_000);
    expect(layer.waitMs?.(viewAt(76_000), facts({ switches: { folding: false } }))).toBe(0);
    expect(layer.staleMs?.(facts())).toBe(60_000);
  });
});

async function apply(
  view: View,
  moment: Moment,
  answer?: (directive: string) => Result<ForkResult>,
  tokensOf = (block: { readonly type: string }) => JSON.stringify(block).length / 4,
  aborted = signal,
) {
  const verdict = layer.decide(view, moment, facts({ canFork: answer !== undefined }));
  if (verdict.verdict === "skip") throw new Error(verdict.reason);
  const { io, events, forks } = testIo(answer);
  const applied = await layer.apply(verdict.command, { ...io, tokensOf }, aborted);
  if (!applied.ok) throw applied.error;
  return { drafts: applied.value, events, forks };
}

const notesOf = (drafts: readonly EntryDraft[]) =>
  drafts.flatMap((draft) => (draft.kind === "note" && draft.note.topic === "fold" ? draft.note : []));

describe("preparing folds", () => {
  it("asks a fork once for all spans, and notes what it wrote", async () => {
    const text = '<fold n="1">One.</fold> and <fold n="2">\nTwo.\n</fold><fold n="3">Three.</fold>';
    const { drafts, events, forks } = await apply(viewAt(70_000), round, () => forkAnswer(text));
    expect(forks).toMatchObject([{ options: { kind: "collapse", tools: [], turns: 1 } }]);
    expect(forks[0]?.directive).toContain("Part 3: 2 responses of yours");
    expect(forks[0]?.directive).toContain("Its calls: Read /t0; Read /t1");
    expect(notesOf(drafts)).toMatchObject([
      { from: "e2", to: "e5", by: "model" },
      { from: "e6", to: "e9", by: "model" },
      { from: "e10", to: "e13", by: "model" },
    ]);
    expect(notesOf(drafts)[1]?.summary).toContain("\nTwo.\n");
    expect(events).toMatchObject([{ type: "fold-prepared", by: "model", folds: 3, cacheShare: 0.9 }]);
  });

  it("takes what came, and tells of what did not", async () => {
    const { drafts, events } = await apply(viewAt(70_000), round, () =>
      forkAnswer('<fold n="2">Two.</fold>'),
    );
    expect(notesOf(drafts)).toMatchObject([{ from: "e6" }]);
    expect(events).toMatchObject([
      {
        type: "fold-failed",
        by: "model",
        message: "2 of 3 folds were not made: the answer does not have them",
      },
      { type: "fold-prepared", folds: 1 },
    ]);
  });

  it.each([
    ["busy", () => fail("overloaded", "busy")],
    [
      "it ended with “max-turns”",
      () => forkAnswer('<fold n="1">One.</fold>', { end: { reason: "max-turns" } as never }),
    ],
  ] as const)("changes nothing where the fork fails: %s", async (message, answer) => {
    const { drafts, events } = await apply(viewAt(70_000), round, answer);
    expect(drafts).toEqual([]);
    expect(events).toEqual([
      { type: "fold-failed", by: "model", message: `3 of 3 folds were not made: ${message}` },
    ]);
  });

  it("leaves it to the scribe where there is no model after all", async () => {
    const { drafts } = await apply(viewAt(70_000), round, () => fail("no-model", "none"));
    expect(notesOf(drafts)).toMatchObject([{ by: "scribe" }, { by: "scribe" }, { by: "scribe" }]);
  });

  it("brings nothing once it is aborted", async () => {
    const { drafts, events } = await apply(
      viewAt(70_000),
      round,
      () => forkAnswer('<fold n="1">One.</fold>'),
      undefined,
      AbortSignal.abort(),
    );
    expect([...drafts, ...events]).toEqual([]);
  });

  it("cuts a summary that is too long", async () => {
    const long = "word ".repeat(4_000);
    const { drafts } = await apply(viewAt(70_000), round, () => forkAnswer(`<fold n="1">${long}</fold>`));
    expect(notesOf(drafts)[0]?.summary.length).toBeLessThan(4_000);
  });
});

describe("committing folds", () => {
  it("makes one decision for each, with what it frees", async () => {
    const { drafts, events } = await apply(viewAt(72_000, { folds: four }), request);
    const decisions = drafts.flatMap((draft) => (draft.kind === "decision" ? draft.decision : []));
    expect(decisions).toMatchObject([
      { type: "fold", layer: "folding", from: "e2", to: "e5", summary: "[Folded: e2 to e5]", basis: 29 },
      { type: "fold", from: "e6", to: "e9" },
    ]);
    const saved = decisions.reduce((sum, { frees }) => sum + frees, 0);
    expect(events).toEqual([
      {
        type: "fold-commit",
        trigger: "level",
        folds: 2,
        tokensBefore: 72_000,
        tokensAfter: 72_000 - saved,
        tokensSaved: saved,
      },
    ]);
  });

  it("never commits what frees nothing", async () => {
    const { drafts, events } = await apply(viewAt(72_000, { folds: four }), request, undefined, () => 0);
    expect(drafts).toEqual([]);
    expect(events).toMatchObject([{ type: "fold-failed" }]);
  });
});

describe("readFolds", () => {
  it("reads whole elements by number, the first of each", () => {
    const answer =
      'Sure. <fold n=1> a </fold><fold  n = \'2\'>b</fold><fold n="2">c</fold><fold n="3"> </fold><fold n="4">cut';
    expect([...readFolds(answer)]).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
    expect(readFolds("").size).toBe(0);
  });
});
