import { describe, expect, it } from "vitest";
import { createCompactionLayer } from "../../packages/core/src/layers/4-compaction/index.ts";
import type { CompactionPorts } from "../../packages/core/src/layers/4-compaction/ports.ts";
import {
  backgroundText,
  goOnText,
} from "../../packages/core/src/layers/4-compaction/rules/build-boundary.ts";
import {
  type CompactRequest,
  type EventBody,
  type Facts,
  fail,
  type HookInputs,
  type HookName,
  type HookVerdict,
  type LayerHooks,
  type Moment,
  ok,
  type PlainInput,
} from "../../packages/core/src/spec/index.ts";
import { countPlainly } from "../../packages/core/src/view/tokens/measure.ts";
import {
  addRound,
  answered,
  compactionIn,
  createTestLog,
  factsOf,
  forkAnswer,
  said,
  type TestIo,
  type TestLog,
  testIo,
  testPorts,
  workedLog,
} from "./compaction-support.ts";

const auto: Moment = { kind: "before-request", trigger: "auto" };
const reactive: Moment = { kind: "before-request", trigger: "reactive" };
const byHand = (compact = {}): Moment => ({ kind: "before-request", trigger: "manual", compact });
const summary = (text: string) => `<analysis>draft</analysis><summary>${text}</summary>`;
const over = 175_000;

interface Trial {
  readonly log?: TestLog;
  readonly moment?: Moment;
  readonly facts?: Facts;
  readonly io?: TestIo;
  readonly ports?: Partial<CompactionPorts>;
  readonly tokens?: number;
  readonly signal?: AbortSignal;
}

/** Lets the layer decide and act, and appends what it made. */
async function compact(trial: Trial = {}) {
  const { log = workedLog(), moment = auto, facts = factsOf(), io = testIo(), tokens = over } = trial;
  const layer = createCompactionLayer(testPorts(trial.ports));
  const verdict = layer.decide(log.view(tokens), moment, { ...facts, compaction: log.records() });
  if (verdict.verdict === "skip") return { skipped: verdict.reason, drafts: [], events: io.events };
  const applied = await layer.apply(verdict.command, io.io, trial.signal ?? new AbortController().signal);
  const drafts = applied.ok ? applied.value : [];
  for (const draft of drafts) log.add(draft);
  const decision = compactionIn(drafts);
  return { verdict, applied, drafts, decision, events: io.events, io, log };
}

const typesOf = (events: readonly EventBody[]) => events.map(({ type }) => type);
const skips = (events: readonly EventBody[]) =>
  events.flatMap((event) => (event.type === "rung-skip" ? `${event.rung} ${event.reason}` : []));
const notesIn = (drafts: readonly unknown[]) =>
  drafts.flatMap((draft) => {
    const { note } = draft as { readonly note?: { readonly outcome: string; readonly reason?: string } };
    return note ? `${note.outcome} ${note.reason ?? ""}`.trim() : [];
  });

describe("full compaction behind the prefix", () => {
  it("asks a fork without tools, two requests long, and puts a boundary", async () => {
    const io = testIo(() => forkAnswer(summary("1. All of it")));
    const { decision, events, log } = await compact({ io });
    expect(io.forks).toMatchObject([{ options: { kind: "compaction", turns: 2, tools: [] } }]);
    expect(decision).toMatchObject({
      type: "compact",
      layer: "compaction",
      trigger: "auto",
      strategy: "prefix",
      tokensBefore: over,
      basis: 13,
      covers: "e13",
      kept: { head: "e12", headSeq: 12, tail: "e13", tailSeq: 13, anchor: "summary" },
      discoveredTools: [],
      summary: {
        type: "user",
        content: `${backgroundText()}\n\n1. All of it\n\n${goOnText}`,
        isCompactSummary: true,
        isVisibleInTranscriptOnly: true,
      },
      cause: { isChained: false, turnsSincePrevious: -1, turn: "e1", threshold: 167_000, source: "main" },
    });
    expect(decision?.frees).toBe(over - (decision?.tokensAfter ?? 0));
    expect(typesOf(events)).toEqual(["compaction-start", "rung-skip", "compaction-end"]);
    expect(events.at(-1)).toMatchObject({ strategy: "prefix", cacheShare: 0.9, usage: { cacheRead: 90 } });
    expect(log?.view().items.map(({ entry, block }) => `${entry} ${block.type}`)).toEqual([
      "e14 text",
      "e12 text",
      "e12 tool_use",
      "e13 tool_result",
    ]);
  });

  it("keeps what the user has just said, word for word, as the newest message", async () => {
    const log = workedLog();
    log.say(answered("Done so far."));
    log.say(said("Now the tests."));
    const { decision } = await compact({ log, io: testIo(() => forkAnswer(summary("s"))) });
    const segment = { head: "e15", headSeq: 15, tail: "e15", tailSeq: 15, anchor: "summary" };
    expect(decision?.kept).toEqual({ ...segment, from: { entry: "e15", block: 0 } });
    expect(log.view().items.at(-1)?.block).toEqual({ type: "text", text: "Now the tests." });
  });

  it("does not tell the model to go on where it was asked for by hand", async () => {
    const io = testIo(() => forkAnswer(summary("s")));
    const { decision } = await compact({ io, moment: byHand({ instructions: "Keep SQL." }), tokens: 50_000 });
    expect(decision?.summary?.content).toBe(`${backgroundText()}\n\ns`);
    expect(io.forks[0]?.directive.endsWith("besides:\nKeep SQL.")).toBe(true);
  });

  it.each([
    ["tool_call", forkAnswer("", { content: [{ type: "tool_use", id: "t", name: "Read", input: {} }] })],
    ["no_summary", forkAnswer("<analysis>only</analysis>")],
    ["api_error", forkAnswer("API Error: 500 oops")],
    ["api_error", fail("overloaded", "busy")],
  ])("that failed with %s is noted, and the scribe writes instead", async (reason, answer) => {
    const { decision, drafts, events } = await compact({ io: testIo(() => answer) });
    expect(decision).toMatchObject({ strategy: "scribe" });
    expect(notesIn(drafts)).toEqual([`failed ${reason}`]);
    expect(skips(events)).toEqual(["notes refused", `full ${reason}`]);
  });

  it.each<[string, object]>([
    ["all of it", {}],
    ["what came from a message on", { from: "e5" }],
    ["what stands before a message", { upTo: "e11" }],
  ])("by hand is the scribe's where the model fails, of %s, and says why", async (_name, request) => {
    const io = testIo(() => fail("overloaded", "busy"));
    const { decision, drafts, events } = await compact({ io, moment: byHand(request) });
    const modelFailure = { reason: "api_error", message: "busy" };
    expect(decision).toMatchObject({ strategy: "scribe", modelFailure });
    expect(notesIn(drafts)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "compaction-end", strategy: "scribe", modelFailure });
  });

  it("by hand is the scribe's where asking throws", async () => {
    const io = testIo(() => {
      throw new Error("out of paper");
    });
    const { decision } = await compact({ io, moment: byHand() });
    expect(decision).toMatchObject({
      strategy: "scribe",
      modelFailure: { reason: "crashed", message: "out of paper" },
    });
  });

  it("without a model is the scribe's, by hand too, and no failure", async () => {
    for (const moment of [auto, byHand()]) {
      const { decision, drafts } = await compact({ moment });
      expect(decision?.strategy).toBe("scribe");
      expect(drafts).toHaveLength(1);
    }
  });

  it("of nothing is refused", async () => {
    const { applied, events } = await compact({ log: createTestLog(), moment: byHand() });
    expect(applied).toMatchObject({ ok: false, error: { code: "invalid-input" } });
    expect(events).toEqual([]);
  });

  it("that was interrupted changes and counts nothing", async () => {
    const stop = new AbortController();
    const io = testIo(() => {
      stop.abort();
      return fail("aborted", "stopped");
    });
    const { applied, drafts, events } = await compact({ io, signal: stop.signal });
    expect(applied).toMatchObject({ ok: false, error: { code: "aborted" } });
    expect(drafts).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "compaction-failed", reason: "aborted" });
  });

  it("says once that the breaker has opened", async () => {
    const log = workedLog();
    const opened: EventBody[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const { events } = await compact({ log, io: testIo(() => fail("overloaded", "busy")) });
      opened.push(...events.filter(({ type }) => type === "breaker-open"));
      log.say(answered("x".repeat(120_000)));
    }
    expect(opened).toEqual([{ type: "breaker-open", failures: 3 }]);
    expect(log.records().modelFailures).toBe(3);
  });
});

describe("compaction as plain text", () => {
  const asking = (
    answer: (input: PlainInput, call: number) => ReturnType<NonNullable<CompactionPorts["askPlain"]>>,
  ) => {
    const asked: PlainInput[] = [];
    const askPlain: CompactionPorts["askPlain"] = async (input) => {
      asked.push(input);
      return answer(input, asked.length);
    };
    return { asked, askPlain };
  };
  const answer = async (text: string) => ok({ text: summary(text), stopReason: "end_turn" });
  const tooLong = async (facts = {}) => fail("prompt-too-long", "too long", { facts });

  it.each<[string, Parameters<typeof factsOf>[0], Moment]>([
    ["the cache is cold", { cache: { state: "cold", ttlMs: 1 } }, auto],
    ["the flag is off", { flags: { "compact-prefix": false } }, auto],
    ["the provider refused the request", {}, reactive],
  ])("is chosen where %s", async (_why, more, moment) => {
    const { asked, askPlain } = asking((input) => {
      input.onChars(7);
      return answer("plain");
    });
    const { decision, events, io } = await compact({ ports: { askPlain }, facts: factsOf(more), moment });
    expect(decision?.strategy).toBe("plain");
    expect(io?.forks).toEqual([]);
    expect(asked[0]).toMatchObject({ maxOutputTokens: 20_000 });
    expect(asked[0]?.text).toMatch(
      /^The conversation so far, as a transcript\.[^\n]*\n\nUser: Build the thing\./,
    );
    expect(events).toContainEqual({ type: "compaction-delta", chars: 7 });
  });

  it("follows where the prefix was too long, and drops the oldest rounds by the gap that is named", async () => {
    const { asked, askPlain } = asking((_question, call) =>
      call === 1 ? tooLong({ excessTokens: 1_500 }) : answer("short"),
    );
    const io = testIo(() => fail("prompt-too-long", "too long"));
    const { decision, events } = await compact({ ports: { askPlain }, io });
    expect(decision?.strategy).toBe("plain");
    expect(asked[1]?.text).not.toContain("(t0)");
    expect(asked[1]?.text).toContain("(t2)");
    expect(asked[1]?.text).not.toContain("(t5)");
    expect(events).toContainEqual({
      type: "compaction-retry",
      attempt: 1,
      droppedRounds: 3,
      remainingRounds: 3,
    });
  });

  it("is chosen at once where the prefix leaves no room for an answer, and begins with what fits", async () => {
    const { asked, askPlain } = asking(() => answer("short"));
    const io = testIo(() => forkAnswer(summary("never")));
    const log = workedLog(30, 4_000);
    const { decision, events } = await compact({
      ports: { askPlain },
      io,
      log,
      facts: factsOf({ window: 24_000 }),
      tokens: 40_000,
    });
    expect(decision?.strategy).toBe("plain");
    expect([io.forks, asked.length]).toEqual([[], 1]);
    expect(asked[0]?.text).not.toContain("(t0)");
    expect(asked[0]?.text).toContain("(t28)");
    expect(typesOf(events)).toContain("compaction-retry");
  });

  it("is not possible without a port for it: the scribe writes, and no request is made", async () => {
    const io = testIo(() => forkAnswer(summary("never")));
    const { decision, events } = await compact({ io, facts: factsOf({ window: 24_000 }), tokens: 40_000 });
    expect([io.forks, decision?.strategy]).toEqual([[], "scribe"]);
    expect(skips(events)).toEqual(["notes refused", "full prompt_too_long"]);
  });

  it("summarises part by part after three retries, all rounds of it", async () => {
    const { asked, askPlain } = asking((input, call) =>
      call <= 4 ? tooLong() : answer(`up to ${/^Part (\d)/m.exec(input.text)?.[1]}`),
    );
    const { decision, events } = await compact({
      ports: { askPlain },
      facts: factsOf({ flags: { "compact-prefix": false } }),
      log: workedLog(12),
    });
    expect(typesOf(events).filter((type) => type === "compaction-retry")).toHaveLength(3);
    expect(decision?.strategy).toBe("chunked");
    const parts = asked.slice(4).map(({ text }) => text);
    expect(parts[0]).toContain("(t0)");
    expect(parts[1]).toContain("The summary of all that came before:\nup to 1");
    expect(decision?.summary?.content).toContain(`up to ${parts.length}`);
  });

  it("cannot end in a conversation that is too long", async () => {
    const { askPlain } = asking(() => tooLong());
    const io = testIo(() => fail("prompt-too-long", "too long"));
    for (const moment of [auto, reactive, byHand()])
      expect((await compact({ ports: { askPlain }, io, moment })).decision?.strategy).toBe("scribe");
  });

  it("asks again at most twice where the stream broke off", async () => {
    const { asked, askPlain } = asking(async () => fail("disconnected", "broke"));
    const { decision } = await compact({ ports: { askPlain }, moment: reactive });
    expect([asked.length, decision?.strategy]).toEqual([3, "scribe"]);
  });
});

describe("reactive compaction", () => {
  it("keeps the newest rounds behind the summary", async () => {
    const log = workedLog(40);
    const { decision } = await compact({ log, moment: reactive, tokens: 60_000 });
    const { items } = log.view();
    expect(decision).toMatchObject({ trigger: "reactive", kept: { anchor: "summary", tail: "e81" } });
    expect(items.at(-1)).toMatchObject({ entry: "e81" });
    expect(items.length).toBeGreaterThan(4);
  });

  it("keeps no thinking that would lose its ground in an open round", async () => {
    const log = workedLog(3);
    log.say(
      answered([
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "tool_use", id: "t", name: "Read", input: {} },
      ]),
    );
    log.say({ type: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "r" }] });
    const capabilities = { ...factsOf().capabilities, prefixBoundThinking: true };
    const { decision } = await compact({ log, moment: reactive, facts: factsOf({ capabilities }) });
    expect(decision?.kept).toMatchObject({ head: "e9", tail: "e9" });
    expect(log.view().items.map(({ block }) => block.type)).toEqual(["text", "tool_result"]);
  });
});

describe("partial compaction", () => {
  const io = () => testIo(() => forkAnswer(summary("part")));

  it("from a message keeps the prefix as it is", async () => {
    const log = workedLog(8);
    const before = log.view().items;
    const { decision } = await compact({ log, io: io(), moment: byHand({ from: "e8" }), tokens: 12_000 });
    const { items } = log.view();
    expect(decision?.kept).toEqual({ head: "e1", headSeq: 1, tail: "e7", tailSeq: 7, anchor: "boundary" });
    expect(decision).toMatchObject({ basis: 15, covers: "e15", attachments: [] });
    expect(decision?.part).toEqual({ range: "from", entry: "e8" });
    const at = items.findIndex(({ entry, decision: by }) => entry === by);
    expect(items.slice(0, at)).toEqual(before.slice(0, at));
    expect(items[at]?.block).toMatchObject({ text: `${backgroundText()}\n\npart` });
    expect(items.slice(at + 1)).toEqual(before.slice(-3));
  });

  it("up to a message keeps it and what follows", async () => {
    const log = workedLog(8);
    const trial = io();
    const { decision } = await compact({ log, io: trial, moment: byHand({ upTo: "e9" }), tokens: 12_000 });
    expect(decision?.kept).toEqual({ head: "e8", headSeq: 8, tail: "e17", tailSeq: 17, anchor: "summary" });
    expect(trial.forks[0]?.directive).toContain(
      'Summarise only what came before the message that begins with "calls t3"',
    );
  });

  it("says so where there is no such message, or nothing before it", async () => {
    const failureOf = async (request: CompactRequest) =>
      (await compact({ io: io(), moment: byHand(request) })).applied;
    expect(await failureOf({ from: "nowhere" })).toMatchObject({
      error: { message: expect.stringContaining("There is nothing to compact from nowhere on.") },
    });
    expect(await failureOf({ upTo: "e1" })).toMatchObject({
      error: { message: expect.stringContaining("There is nothing to compact up to e1.") },
    });
  });
});

describe("notes compaction", () => {
  it("keeps what the notes do not cover, and asks no model", async () => {
    const decideNotesCompaction = async () => ({ use: true, summary: "the notes", keptFromSeq: 11 }) as const;
    const io = testIo(() => forkAnswer(summary("never")));
    const { decision } = await compact({ io, ports: { decideNotesCompaction } });
    expect(decision).toMatchObject({ strategy: "notes", kept: { headSeq: 10, tailSeq: 13 } });
    expect(io.forks).toEqual([]);
  });

  it("is passed over where it is refused, or would not be below the threshold", async () => {
    const refused: CompactionPorts["decideNotesCompaction"] = async () => ({
      use: false,
      reason: "empty",
      tokensAfter: 5,
    });
    const first = await compact({ ports: { decideNotesCompaction: refused } });
    expect(first.events).toContainEqual({
      type: "rung-skip",
      rung: "notes",
      reason: "refused",
      message: "empty",
      tokensAfter: 5,
      threshold: 167_000,
    });
    const log = workedLog(1, 700_000);
    log.say(answered("Fine."));
    log.say(said("Go on."));
    const decideNotesCompaction = async () => ({ use: true, summary: "n", keptFromSeq: 2 }) as const;
    const second = await compact({ log, ports: { decideNotesCompaction } });
    expect(skips(second.events)).toContain("notes no_progress");
    expect(second.decision?.strategy).toBe("scribe");
  });

  it("is passed over where the notes would have to be cut to stand beside what they keep", async () => {
    const decideNotesCompaction = async () => ({ use: true, summary: "notes ".repeat(500) }) as const;
    const settings = { compaction: { maxTokens: 600 } };
    const log = workedLog();
    const { events, decision } = await compact({
      log,
      facts: factsOf({ settings }),
      ports: { decideNotesCompaction },
    });
    expect(skips(events)).toContain("notes no_progress");
    expect(decision?.strategy).toBe("scribe");
    const unseen = countPlainly(log.view().items.slice(1, 4));
    expect(decision?.tokensAfter).toBeLessThanOrEqual(600 + 1_000 + unseen);
  });
});

describe("a prepared summary", () => {
  const facts = factsOf({ flags: { "compact-ahead": true } });

  it("is written in the background, noted, and swapped in with what came later kept", async () => {
    const log = workedLog();
    const { verdict, drafts } = await compact({
      log,
      facts,
      tokens: 150_000,
      io: testIo(() => forkAnswer(summary("ahead"))),
    });
    expect(verdict).toMatchObject({ run: "background", frees: 0 });
    expect(notesIn(drafts)).toEqual(["prepared"]);
    addRound(log, "later");
    const io = testIo();
    const { decision } = await compact({ log, facts, io });
    expect(decision).toMatchObject({ strategy: "prepared", basis: 13, covers: "e13" });
    expect(log.view().items.map(({ entry }) => entry)).toEqual(["e17", "e15", "e15", "e16"]);
    expect(io.forks).toEqual([]);
  });

  it("is not asked for at every request where there is no model", async () => {
    const log = workedLog();
    const { drafts, events } = await compact({ log, facts, tokens: 150_000 });
    expect([notesIn(drafts), events]).toEqual([["failed api_error"], []]);
    expect((await compact({ log, facts, tokens: 150_000 })).skipped).toMatch(/under the threshold/);
    expect(log.records().modelFailures).toBe(0);
  });

  it("that could not be written counts as a failure", async () => {
    const { drafts, events } = await compact({
      facts,
      tokens: 150_000,
      io: testIo(() => fail("overloaded", "busy")),
    });
    expect(notesIn(drafts)).toEqual(["failed api_error"]);
    expect(typesOf(events)).toEqual(["compaction-failed"]);
  });
});

describe("hooks of a compaction", () => {
  type Told = { readonly name: HookName; readonly input: HookInputs[HookName] };
  function listening(answers: Partial<Record<HookName, Partial<HookVerdict>>>) {
    const told: Told[] = [];
    const hooks: LayerHooks = {
      has: (name) => name in answers,
      run: async (name, input) => {
        told.push({ name, input });
        return { contexts: [], messages: [], warnings: [], ...answers[name] };
      },
    };
    return { told, hooks };
  }

  it("add instructions behind the user's, bring context back, and hear the summary", async () => {
    const { told, hooks } = listening({
      PreCompact: { contexts: ["hook's wish"], messages: ["compacting"] },
      SessionStart: { contexts: ["rules again"] },
      PostCompact: { messages: ["done"] },
    });
    const shown: string[] = [];
    const io = testIo(() => forkAnswer(summary("s")), hooks);
    const ports = { show: (text: string) => shown.push(text) };
    const { decision } = await compact({ io, ports, moment: byHand({ instructions: "mine" }) });
    expect(io.forks[0]?.directive.endsWith("mine\n\nhook's wish")).toBe(true);
    expect(decision?.attachments).toEqual([{ type: "attachment", subtype: "hook", content: "rules again" }]);
    expect(told).toEqual([
      { name: "PreCompact", input: { trigger: "manual", instructions: "mine", tokens: over, messages: 13 } },
      { name: "SessionStart", input: { source: "compact" } },
      { name: "PostCompact", input: { trigger: "manual", summary: "s" } },
    ]);
    expect(shown).toEqual(["compacting", "done"]);
  });

  it("may refuse an automatic compaction, and are then not asked again at once", async () => {
    const { told, hooks } = listening({ PreCompact: { block: "not now" } });
    const log = workedLog();
    const first = await compact({ log, io: testIo(undefined, hooks), tokens: 170_000 });
    expect(first.events.at(-1)).toMatchObject({
      type: "compaction-failed",
      reason: "vetoed",
      message: "not now",
    });
    expect((await compact({ log, io: testIo(undefined, hooks), tokens: 170_000 })).skipped).toMatch(
      /too little is new/,
    );
    expect(told).toHaveLength(1);
    expect((await compact({ log, io: testIo(undefined, hooks), moment: byHand() })).decision?.strategy).toBe(
      "scribe",
    );
  });
});

describe("what stands behind the boundary", () => {
  it("has the appendix, the files as they are now, and says what was left out", async () => {
    const asked: unknown[] = [];
    const { decision, events } = await compact({
      ports: {
        missingFromSummary: ({ isKept, maxUserTokens }) => {
          asked.push({ isKept: [isKept(11), isKept(12), isKept(14)], maxUserTokens });
          return "“Build the thing.” (recall e1)";
        },
        restore: {
          readFile: async (path) =>
            path === "/t3"
              ? ok({ text: "fresh", stamp: { path, sha256: "0", bytes: 5, modifiedMs: 1 } })
              : fail("not-found", "gone"),
          isExcluded: (path) => path === "/t4",
          others: async () => ({
            tasks: [],
            skills: [],
            tools: [{ subtype: "tools", text: "late" }],
            rules: [],
          }),
        },
      },
    });
    expect(asked).toEqual([{ isKept: [false, true, true], maxUserTokens: 20_000 }]);
    expect(decision?.summary?.content).toContain("“Build the thing.” (recall e1)");
    expect(decision?.attachments).toEqual([
      {
        type: "attachment",
        subtype: "file",
        content: "/t3 (as it is now)\nfresh",
        files: [{ path: "/t3", sha256: "0", bytes: 5, modifiedMs: 1, toolUseId: "" }],
      },
      { type: "attachment", subtype: "tools", content: "late" },
    ]);
    expect(events.filter(({ type }) => type.startsWith("file-"))).toEqual([
      { type: "file-restored", path: "/t3", tokens: expect.any(Number), isCut: false },
      ...["/t2", "/t1", "/t0"].map((path) => ({ type: "file-skipped", path, reason: "gone" })),
    ]);
  });

  it("repeats title and mode behind the decision", async () => {
    const log = workedLog();
    log.add({ kind: "note", note: { topic: "title", title: "Old" } });
    log.add({ kind: "note", note: { topic: "mode", mode: "plan" } });
    log.add({ kind: "note", note: { topic: "title", title: "New" } });
    const { drafts } = await compact({ log });
    expect(drafts.slice(1)).toEqual([
      { kind: "note", note: { topic: "mode", mode: "plan" } },
      { kind: "note", note: { topic: "title", title: "New" } },
    ]);
  });
});

describe("the end of the ladder", () => {
  it("is noted where not even the scribe helps, and nothing has changed", async () => {
    const log = workedLog();
    log.say(answered("Fine."));
    log.say(said("Go on."));
    const facts = factsOf({ headTokens: 166_900 });
    const { decision, drafts, events } = await compact({ log, facts, tokens: 170_000 });
    expect(decision).toBe(undefined);
    expect(notesIn(drafts)).toEqual(["exhausted no_progress"]);
    expect(events.at(-1)).toMatchObject({ type: "compaction-failed", reason: "no_progress" });
    expect((await compact({ log, facts, tokens: 170_000 })).skipped).toMatch(/no compaction helped/);
  });

  it("is an error by hand", async () => {
    const { applied } = await compact({ moment: byHand(), facts: factsOf({ headTokens: 167_000 }) });
    expect(applied).toMatchObject({
      ok: false,
      error: { code: "conflict", facts: { reason: "no_progress" } },
    });
  });

  it("is told and noted where something that was handed in throws, so that it is not tried at once again", async () => {
    const log = workedLog();
    const writeSummary = () => {
      throw new Error("out of ink");
    };
    const { drafts, events } = await compact({ log, ports: { writeSummary }, tokens: 170_000 });
    expect(notesIn(drafts)).toEqual(["exhausted crashed"]);
    expect(events.at(-1)).toMatchObject({
      type: "compaction-failed",
      reason: "crashed",
      message: "out of ink",
    });
    expect((await compact({ log, ports: { writeSummary }, tokens: 170_000 })).skipped).toMatch(
      /no compaction helped/,
    );
  });
});
