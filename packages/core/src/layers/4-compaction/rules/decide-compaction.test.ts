import { describe, expect, it } from "vitest";
import {
  answered,
  createTestLog,
  factsOf,
  said,
  type TestLog,
  workedLog,
} from "../../../../../../test/layers/compaction-support.ts";
import type { CompactDecision, CompactionAttempt, Facts, Moment } from "../../../spec/index.ts";
import { decideCompaction } from "./decide-compaction.ts";

const auto: Moment = { kind: "before-request", trigger: "auto" };
const reactive: Moment = { kind: "before-request", trigger: "reactive" };
const byHand = (compact = {}): Moment => ({ kind: "before-request", trigger: "manual", compact });
const over = 180_000;

function decide(log: TestLog, moment: Moment = auto, facts: Facts = factsOf(), tokens = over) {
  return decideCompaction(log.view(tokens), moment, facts, { records: log.records() });
}

function rungs(...given: Parameters<typeof decide>) {
  const plan = decide(...given);
  return plan.plan === "compact" ? plan.rungs : `${plan.plan}: ${plan.reason}`;
}

function compact(log: TestLog, strategy: string, trigger: CompactDecision["trigger"] = "auto"): string {
  const basis = log.entries.length;
  return log.add({
    kind: "decision",
    decision: {
      type: "compact",
      layer: "compaction",
      reason: "",
      frees: 0,
      basis,
      trigger,
      strategy,
      tokensBefore: 2,
      tokensAfter: 1,
      summary: { type: "user", content: "summary", isCompactSummary: true },
      covers: `e${basis}`,
      attachments: [{ type: "attachment", subtype: "file", content: "x".repeat(200_000) }],
      discoveredTools: [],
    },
  }).id;
}

function note(log: TestLog, attempt: Partial<CompactionAttempt>): void {
  const whole = { outcome: "failed", rung: "full", trigger: "auto", tokens: over, ...attempt } as const;
  log.add({ kind: "note", note: { topic: "compaction", ...whole } });
}

/** So many new tokens, by the plain rule. */
const grow = (log: TestLog, tokens: number) => log.say(answered("x".repeat(tokens * 4)));

const usual = ["notes", "full", "scribe"];

describe("a head that leaves no room", () => {
  const small = { window: 32_000, headTokens: 31_000 };

  it("is told with the provider's count, once there is one", () => {
    expect(rungs(workedLog(), auto, factsOf({ ...small, isHeadCounted: true }), 31_500)).toBe(
      "wait: system prompt and tools alone fill the window (31,000 of 32,000 tokens): compaction cannot help",
    );
  });

  it("is only estimated before", () => {
    expect(rungs(workedLog(), auto, factsOf(small), 31_500)).toBe(
      "wait: system prompt and tools are estimated to fill the window (31,000 of 32,000 tokens): the provider has not counted them yet",
    );
  });

  it("is not one that the provider has counted as less", () => {
    const facts = factsOf({ window: 32_000, headTokens: 15_000, isHeadCounted: true });
    expect(rungs(workedLog(), auto, facts, 22_000)).toEqual(usual);
  });
});

describe("guards of compaction", () => {
  it.each<[string, Moment, Parameters<typeof factsOf>[0]]>([
    ["compaction is off", auto, { switches: { compact: false } }],
    ["compaction is off", byHand(), { switches: { compact: false } }],
    ["a fork for notes is never compacted", auto, { source: "notes" }],
    ["a fork for compaction is never compacted", reactive, { source: "compaction" }],
    ["a fork for memory is never compacted", byHand(), { source: "memory" }],
    ["a fork for collapse is never compacted", auto, { source: "collapse" }],
    ["automatic compaction is off", auto, { switches: { autoCompact: false } }],
    ["automatic compaction is off", reactive, { switches: { autoCompact: false } }],
    ["compaction waits until the provider refuses a request", auto, { flags: { "reactive-only": true } }],
    ["only clearing was asked for", { kind: "before-request", trigger: "manual" }, {}],
    ["compaction is decided before requests", { kind: "turn-end" }, {}],
  ])("say: %s", (reason, moment, more) => {
    expect(decide(workedLog(), moment, factsOf(more))).toEqual({ plan: "wait", reason });
  });

  it("leave the window to folding, until no request could be made", () => {
    const facts = factsOf({ switches: { folding: true } });
    const { blocking } = facts.thresholds;
    expect(rungs(workedLog(), auto, facts, blocking - 1)).toBe("wait: folding owns the window");
    expect(rungs(workedLog(), auto, facts, blocking)).toEqual(usual);
  });

  it("leave reactive compaction on where automatic one stands aside, and agents compacted", () => {
    expect(rungs(workedLog(), reactive, factsOf({ flags: { "reactive-only": true } }))).toEqual([
      "notes",
      "full",
      "scribe",
    ]);
    expect(rungs(workedLog(), reactive, factsOf({ switches: { folding: true } }))).toContain("full");
    expect(rungs(workedLog(), auto, factsOf({ source: "agent" }))).toEqual(usual);
  });

  it("hold below the threshold, what pending decisions free counted", () => {
    expect(rungs(workedLog(), auto, factsOf(), 166_999)).toMatch(/^wait: 166999 tokens are under/);
    expect(rungs(workedLog(), auto, factsOf(), 167_000)).toEqual(usual);
    const state = { records: workedLog().records(), pendingFrees: 1 };
    expect(decideCompaction(workedLog().view(167_000), auto, factsOf(), state).plan).toBe("wait");
  });

  it("let nothing happen to an empty view", () => {
    expect(decide(createTestLog()).plan).toBe("wait");
  });
});

describe("the ladder", () => {
  it("leaves notes out where they are off", () => {
    expect(rungs(workedLog(), auto, factsOf({ switches: { notesCompaction: false } }))).toEqual([
      "full",
      "scribe",
    ]);
  });

  it("by hand has the notes unless instructions were given, and ends with the model", () => {
    expect(rungs(workedLog(), byHand(), factsOf(), 5_000)).toEqual(["notes", "full"]);
    expect(rungs(workedLog(), byHand({ instructions: " \n" }))).toEqual(["notes", "full"]);
    expect(rungs(workedLog(), byHand({ instructions: "Keep SQL" }))).toEqual(["full"]);
    expect(rungs(workedLog(), byHand({ from: "e3" }))).toEqual(["full"]);
  });

  it("says what led to it", () => {
    const log = workedLog();
    const cause = { threshold: 167_000, source: "main", turn: "e1" };
    expect(decide(log)).toMatchObject({ cause: { ...cause, isChained: false, turnsSincePrevious: -1 } });
    compact(log, "prefix");
    grow(log, 30_000);
    expect(decide(log)).toMatchObject({ cause: { ...cause, isChained: true, turnsSincePrevious: 0 } });
    log.say(said("more"));
    expect(decide(log)).toMatchObject({ cause: { isChained: false, turnsSincePrevious: 1 } });
  });

  it("keeps the newest rounds where the provider refused a request", () => {
    expect(decide(workedLog(), reactive, factsOf(), 50_000)).toMatchObject({
      trigger: "reactive",
      keepsTail: true,
    });
  });
});

describe("the breaker", () => {
  it("opens after three failures in a row, and not by hand", () => {
    const log = workedLog();
    for (let failures = 0; failures < 3; failures += 1) {
      expect(rungs(log)).toEqual(usual);
      note(log, { reason: "api_error" });
      compact(log, "scribe");
      grow(log, 30_000);
    }
    expect(log.records().modelFailures).toBe(3);
    expect(rungs(log)).toEqual(["notes", "scribe"]);
    expect(rungs(log, byHand())).toEqual(["notes", "full"]);
    grow(log, 100_000);
    expect(rungs(log)).not.toContain("full");
  });

  it("counts neither aborts, nor failures by hand, nor those before a success", () => {
    const log = workedLog();
    note(log, { reason: "aborted" });
    note(log, { reason: "cut", trigger: "manual" });
    note(log, { reason: "cut" });
    note(log, { reason: "cut" });
    expect(log.records().modelFailures).toBe(2);
    compact(log, "plain");
    expect(log.records()).toMatchObject({ modelFailures: 0, modelFailuresBefore: 2 });
  });

  it("counts a compaction that turned out to have had no effect", () => {
    const log = workedLog();
    note(log, { reason: "cut" });
    note(log, { reason: "cut" });
    compact(log, "prefix");
    note(log, { reason: "no_effect" });
    expect(log.records().modelFailures).toBe(3);
  });
});

describe("the rate bound", () => {
  it("asks a model once per new tenth of the window, also after a failure", () => {
    const log = workedLog();
    note(log, { reason: "api_error" });
    compact(log, "scribe");
    grow(log, 19_990);
    expect(rungs(log, auto, factsOf(), 170_000)).toMatch(/^wait: the last compaction had no effect/);
    grow(log, 10);
    expect(rungs(log)).toEqual(usual);
  });

  it("does not take what a compaction brought for new", () => {
    const log = workedLog();
    note(log, { reason: "api_error" });
    compact(log, "notes");
    expect(rungs(log)).toEqual(["scribe"]);
  });
});

describe("progress", () => {
  it("escalates to the scribe in half the room where a compaction had no effect, and then holds", () => {
    const log = workedLog();
    compact(log, "prefix");
    grow(log, 1_000);
    expect(decide(log)).toMatchObject({
      rungs: ["scribe"],
      follows: "full",
      budget: { totalTokens: 49_800 },
    });
    compact(log, "scribe");
    grow(log, 1_000);
    expect(rungs(log, auto, factsOf(), 170_000)).toMatch(/^wait: the last compaction had no effect/);
    grow(log, 20_000);
    expect(rungs(log)).toEqual(usual);
  });

  it("tries again where no rung helped and the window has turned out to be smaller", () => {
    const log = workedLog();
    note(log, { outcome: "exhausted", tokens: 178_000, threshold: 190_000 });
    expect(rungs(log, auto, factsOf(), 178_000)).toContain("scribe");
    note(log, { outcome: "exhausted", tokens: 178_000, threshold: factsOf().thresholds.auto });
    expect(rungs(log, auto, factsOf(), 178_000)).toMatch(/^wait: no compaction helped/);
  });

  it("lets the scribe write once more where no request could be made, and blames nobody for it", () => {
    const log = workedLog();
    compact(log, "scribe");
    grow(log, 1_000);
    const plan = decide(log, auto, factsOf(), 177_000);
    expect(plan).toMatchObject({ rungs: ["scribe"], budget: { totalTokens: 49_800 } });
    expect(plan).not.toHaveProperty("follows");
  });

  it("tries nothing again where no rung helped, until enough is new or no request can be made", () => {
    const log = workedLog();
    note(log, { outcome: "exhausted", tokens: 170_000 });
    expect(rungs(log, auto, factsOf(), 170_000)).toMatch(/^wait: no compaction helped/);
    expect(rungs(log, auto, factsOf(), 177_000)).toContain("scribe");
    note(log, { outcome: "exhausted", tokens: 177_000 });
    expect(rungs(log, auto, factsOf(), 178_000)).toMatch(/^wait: no compaction helped/);
    grow(log, 20_000);
    expect(rungs(log, auto, factsOf(), 178_000)).toContain("scribe");
  });

  it("reacts once, and not again where a response has come", () => {
    const log = workedLog();
    compact(log, "plain", "reactive");
    expect(rungs(log, reactive)).toEqual(["scribe"]);
    grow(log, 10);
    expect(rungs(log, reactive)).toMatch(/^wait: the view was compacted, and a response has come/);
  });
});

describe("undo", () => {
  it("holds automatic compaction until a tenth of the window is new, or requests are blocked", () => {
    const log = workedLog();
    const decision = compact(log, "prefix");
    const head = { layer: "engine", reason: "", frees: 0, basis: log.entries.length };
    log.add({
      kind: "decision",
      decision: { ...head, type: "restore", decision, decisionSeq: log.entries.length },
    });
    expect(rungs(log, auto, factsOf(), 170_000)).toBe(
      "wait: a compaction was undone, and too little is new since",
    );
    expect(rungs(log, byHand())).toContain("full");
    expect(rungs(log, auto, factsOf(), 177_000)).toEqual(["notes", "scribe"]);
    grow(log, 20_000);
    expect(rungs(log, auto, factsOf(), 170_000)).toEqual(usual);
  });
});

describe("ahead of time", () => {
  const facts = factsOf({ flags: { "compact-ahead": true } });
  const near = 140_000;

  it("prepares a summary from 80 % of the threshold on, once", () => {
    const log = workedLog();
    expect(decide(log, auto, facts, 133_599).plan).toBe("wait");
    expect(decide(log, auto, facts, 133_600).plan).toBe("prepare");
    expect(decide(log, auto, factsOf(), near).plan).toBe("wait");
    note(log, { outcome: "prepared", prepared: { summary: "s", basis: 3, covers: "e3" } });
    expect(decide(log, auto, facts, near).plan).toBe("wait");
    expect(rungs(log)).toEqual(["prepared", "notes", "scribe"]);
    compact(log, "prepared");
    expect(log.records().prepared).toBe(undefined);
  });

  it("waits while a call has no result, and while the breaker is open", () => {
    const log = workedLog();
    log.say(answered([{ type: "tool_use", id: "open", name: "Read", input: {} }]));
    expect(decide(log, auto, facts, near).plan).toBe("wait");
    const broken = workedLog();
    for (let failures = 0; failures < 3; failures += 1) note(broken, { reason: "cut" });
    grow(broken, 30_000);
    expect(decide(broken, auto, facts, near).plan).toBe("wait");
  });
});

describe("early compaction", () => {
  it("is the scribe's where it pays, keeps the newest rounds, and asks no model", () => {
    const settings = { economy: "thrifty" } as const;
    const early = (expectedRequests: number) =>
      decide(workedLog(), auto, factsOf({ settings, expectedRequests }), 80_000);
    expect(early(3).plan).toBe("wait");
    expect(early(20)).toMatchObject({ plan: "compact", trigger: "auto", rungs: ["scribe"], keepsTail: true });
    expect(rungs(workedLog(), auto, factsOf({ expectedRequests: 100 }), 100_000)).toMatch(/^wait/);
  });
});
