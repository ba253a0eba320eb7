import { describe, expect, it } from "vitest";
import { createCompactionLayer } from "../../packages/core/src/layers/4-compaction/index.ts";
import { noCompactions } from "../../packages/core/src/layers/4-compaction/rules/compaction-records.ts";
import {
  type ContentBlock,
  type Facts,
  fail,
  type LayerIo,
  type Moment,
  ok,
  type View,
} from "../../packages/core/src/spec/index.ts";
import { estimateBlock } from "../../packages/core/src/view/tokens/index.ts";
import {
  addRound,
  answered,
  compactionIn,
  createTestLog,
  factsOf,
  forkAnswer,
  noUsage,
  said,
  type TestLog,
  testIo,
  testPorts,
} from "./compaction-support.ts";

const capabilities = {
  ...factsOf().capabilities,
  contextManagement: true,
  nativeCompaction: true,
  serverCompaction: true,
};
const facts = (native: string, more: Parameters<typeof factsOf>[0] = {}) =>
  factsOf({ settings: { compaction: { native } as object }, capabilities, ...more });
const auto: Moment = { kind: "before-request", trigger: "auto" };
const responded: Moment = {
  kind: "after-response",
  usage: noUsage,
  appliedEdits: [],
  stopReason: "end_turn",
};
const block: ContentBlock = {
  type: "compaction",
  content: "They talked.",
  encrypted_content: null,
  signature: "s",
};
const come: ContentBlock = { type: "compaction", content: "They talked.", encrypted_content: "e" };

type Natively = NonNullable<LayerIo["compactNatively"]>;

async function act(
  view: View,
  moment: Moment,
  given: Facts,
  {
    natively,
    ports = {},
    tokensOf = () => 0,
  }: {
    natively?: Natively;
    ports?: Parameters<typeof testPorts>[0];
    tokensOf?: LayerIo["tokensOf"];
  } = {},
) {
  const layer = createCompactionLayer(testPorts(ports));
  const verdict = layer.decide(view, moment, given);
  if (verdict.verdict === "skip") throw new Error(verdict.reason);
  const { io, events } = testIo(() => forkAnswer("<summary>By the model</summary>"));
  const prefixDigest = (items: number) => `digest ${items}`;
  const own = { ...io, tokensOf, prefixDigest, ...(natively && { compactNatively: natively }) };
  const applied = await layer.apply(verdict.command, own, new AbortController().signal);
  if (!applied.ok) throw applied.error;
  return { drafts: applied.value, decision: compactionIn(applied.value), events, verdict };
}

function talk(): TestLog {
  const log = createTestLog();
  log.say(said("Build the thing."));
  for (let index = 0; index < 6; index += 1) addRound(log, `t${index}`, 4_000);
  log.say(answered("Built."));
  log.say(said("Now test it."));
  return log;
}

describe("compaction on demand as a rung", () => {
  it("covers the finished turns, is told where they end, and carries the block unchanged", async () => {
    const asked: unknown[] = [];
    const natively: Natively = async (instructions, _signal, upToSeq) => {
      asked.push([instructions, upToSeq]);
      return ok({ block, usage: noUsage });
    };
    const view = talk().view(175_000);
    const { decision } = await act(view, auto, facts("on-demand"), { natively });
    expect(asked).toEqual([[undefined, 14]]);
    expect(decision).toMatchObject({
      strategy: "native",
      trigger: "auto",
      summary: {
        type: "assistant",
        content: [block],
        prefixDigest: `digest ${view.items.length - 1}`,
        isCompactSummary: true,
      },
      kept: { head: "e15", tail: "e15", anchor: "summary" },
      attachments: [],
    });
  });

  it("puts what its summary lacks behind the block", async () => {
    const ports = { missingFromSummary: () => "- a user's word" };
    const natively: Natively = async () => ok({ block, usage: noUsage });
    const { decision } = await act(talk().view(175_000), auto, facts("on-demand"), { natively, ports });
    expect(decision?.attachments).toMatchObject([
      { type: "attachment", subtype: "summary", content: expect.stringContaining("- a user's word") },
    ]);
  });

  it("hands over wishes in a prompt that asks for all the rest", async () => {
    const asked: (string | undefined)[] = [];
    const natively: Natively = async (instructions) => {
      asked.push(instructions);
      return ok({ block, usage: noUsage });
    };
    const compact = { instructions: " Keep the names. " };
    const moment: Moment = { kind: "before-request", trigger: "manual", compact };
    const { decision } = await act(talk().view(175_000), moment, facts("on-demand"), { natively });
    expect(asked).toEqual([expect.stringMatching(/Primary request and intent[\s\S]*Keep the names\.$/)]);
    expect(decision?.strategy).toBe("native");
  });

  it.each<[string, Natively | undefined, string]>([
    ["fails", async () => fail("invalid-input", "no"), "api_error"],
    [
      "gives no summary",
      async () => ok({ block: { ...block, content: null }, usage: noUsage }),
      "no_summary",
    ],
    ["cannot be asked", undefined, "refused"],
  ])("leaves the work to the model where the API %s", async (_, natively, reason) => {
    const { decision, events } = await act(talk().view(175_000), auto, facts("on-demand"), {
      ...(natively && { natively }),
    });
    expect(decision?.strategy).toBe("prefix");
    expect(events).toContainEqual(expect.objectContaining({ type: "rung-skip", rung: "native", reason }));
  });

  it("asks nobody while the only turn goes on, or a part is to be compacted", async () => {
    const natively: Natively = async () => {
      throw new Error("asked");
    };
    const log = createTestLog();
    log.say(said("Build the thing."));
    for (let index = 0; index < 6; index += 1) addRound(log, `t${index}`, 4_000);
    const whole = await act(log.view(175_000), auto, facts("on-demand"), { natively });
    expect(whole.decision?.strategy).toBe("prefix");
    const moment: Moment = { kind: "before-request", trigger: "manual", compact: { upTo: "e15" } };
    const part = await act(talk().view(175_000), moment, facts("on-demand"), { natively });
    expect(part.decision?.strategy).toBe("prefix");
  });

  it("asks nobody where the turn that goes on would be too large by itself", async () => {
    const natively: Natively = async () => {
      throw new Error("asked");
    };
    const log = createTestLog();
    log.say(said("One."));
    log.say(answered("Done."));
    log.say(said("Two."));
    for (let index = 0; index < 6; index += 1) addRound(log, `t${index}`, 100_000);
    const { events } = await act(log.view(175_000), auto, facts("on-demand"), { natively });
    expect(events).toContainEqual(
      expect.objectContaining({ type: "rung-skip", rung: "native", reason: "refused" }),
    );
  });
});

describe("compaction by the API as an edit", () => {
  const layer = createCompactionLayer(testPorts());
  const decide = (tokens: number, given: Facts, moment: Moment = auto, log = talk()) =>
    layer.decide(log.view(tokens), moment, given);

  it("is asked for with every request, at the threshold, and no rung runs before it", () => {
    const given = facts("server");
    const value = given.thresholds.auto;
    for (const tokens of [10, value, given.thresholds.blocking - 1])
      expect(decide(tokens, given)).toMatchObject({
        verdict: "act",
        command: { act: "native", does: "ask" },
        request: {
          context_management: {
            edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value } }],
          },
          betas: ["context-management-2025-06-27", "compact-2026-01-12"],
        },
      });
  });

  it("leaves what no request can hold to the engine", () => {
    const given = facts("server");
    expect(decide(given.thresholds.blocking, given)).toMatchObject({ command: { act: "compact" } });
  });

  it("waits after an undo, as any automatic compaction does", () => {
    const compaction = { ...noCompactions, undoneSeq: 14 };
    expect(decide(100, facts("server", { compaction }))).toMatchObject({ verdict: "skip" });
  });

  it("is not asked for by hand, in forks that serve, or where compaction is off", () => {
    const byHand: Moment = { kind: "before-request", trigger: "manual" };
    expect(decide(10, facts("server"), byHand)).toMatchObject({ verdict: "skip" });
    expect(decide(10, facts("server", { source: "notes" }))).toMatchObject({ verdict: "skip" });
    expect(decide(10, facts("server", { switches: { autoCompact: false } }))).toMatchObject({
      verdict: "skip",
    });
  });

  it.each([responded, auto])("is recorded once its block has come: %o", async (moment) => {
    const log = talk();
    log.say(answered([come, { type: "text", text: "Tested." }], "r1"));
    const view = log.view(100);
    const heard = { ...view, sentItems: view.items.length - 2 };
    const { drafts, events } = await act(heard, moment, facts("server"));
    expect(drafts).toMatchObject([
      { decision: { type: "repair", steps: [{ repair: "drop-block", place: { entry: "e16", block: 0 } }] } },
      {
        decision: {
          type: "compact",
          strategy: "native",
          basis: 16,
          covers: "e16",
          kept: { head: "e16", tail: "e16", anchor: "summary" },
          summary: { content: [come] },
        },
      },
    ]);
    expect(events.map(({ type }) => type)).toEqual(["compaction-start", "compaction-end"]);
    for (const draft of drafts) log.add(draft);
    expect(log.view().items.map(({ block: { type }, role }) => [role, type])).toEqual([
      ["assistant", "compaction"],
      ["assistant", "text"],
    ]);
    expect(decide(100, facts("server"), responded, log)).toMatchObject({ verdict: "skip" });
  });

  it("brings back behind the answer what the block lacks, and tells the hooks", async () => {
    const log = talk();
    log.say(answered([come, { type: "text", text: "Tested." }], "r1"));
    const told: string[] = [];
    const ports = {
      missingFromSummary: () => "- a user's word",
      hooks: {
        has: (name: string) => name === "SessionStart" || name === "PostCompact",
        run: async (name: string) => {
          told.push(name);
          return { contexts: name === "SessionStart" ? ["a rule"] : [], messages: [], warnings: [] };
        },
      },
    };
    const { drafts, decision } = await act(log.view(100), responded, facts("server"), {
      ports,
      tokensOf: estimateBlock,
    });
    expect(decision?.attachments).toMatchObject([
      { type: "attachment", subtype: "summary", content: expect.stringContaining("- a user's word") },
      { type: "attachment", subtype: "hook", content: "a rule" },
    ]);
    expect(told).toEqual(["SessionStart", "PostCompact"]);
    for (const draft of drafts) log.add(draft);
    expect(log.view().items.map(({ block: { type }, role }) => [role, type])).toEqual([
      ["assistant", "compaction"],
      ["user", "text"],
      ["assistant", "text"],
      ["user", "text"],
      ["user", "text"],
    ]);
  });

  it("keeps what was said while the answer was on its way behind the block", async () => {
    const log = talk();
    log.say(said("And be quick."));
    log.say(answered([come, { type: "text", text: "Tested." }], "r1"));
    const { drafts } = await act(log.view(100), responded, facts("server"));
    for (const draft of drafts) log.add(draft);
    expect(log.view().items.map(({ block: one }) => ("text" in one ? one.text : one.type))).toEqual([
      "compaction",
      "Now test it.",
      "And be quick.",
      "Tested.",
    ]);
  });

  it.each<[string, ContentBlock[]]>([
    ["failed", [{ ...come, content: null } as ContentBlock, { type: "text", text: "Tested." }]],
    ["came in the middle of an answer", [{ type: "text", text: "First." }, come]],
    ["was never there", [{ type: "text", text: "Tested." }]],
  ])("leaves the view as it is where a block %s", (_, content) => {
    const log = talk();
    log.say(answered(content, "r1"));
    expect(decide(100, facts("server"), responded, log)).toMatchObject({ verdict: "skip" });
  });
});
