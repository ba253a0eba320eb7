import { describe, expect, it } from "vitest";
import { createFoldingLayer } from "../../packages/core/src/layers/4-compaction/folding/index.ts";
import { createCompactionLayer } from "../../packages/core/src/layers/4-compaction/index.ts";
import type { Entry, Event, Settings, Tool } from "../../packages/core/src/spec/index.ts";
import {
  type AnswerBlock,
  callTool,
  createSeededRandom,
  type RecordedRequest,
  say,
} from "../../packages/testing/src/index.ts";
import { testPorts } from "../layers/compaction-support.ts";
import { lastOf } from "../loop/fork-support.ts";
import { asked, expectGoesOn, expectValid, setStage } from "../loop/stage.ts";
import { endOf, entriesOf } from "../support/agent.ts";

const window = 60_000;
/** Long enough to be cached by itself: what stands before the oldest fold is read on. */
const system = `You are careful. ${"Rules are rules. ".repeat(1_500)}`;

/** Reads a file of a size that its path says. */
const read: Tool = {
  name: "Read",
  description: "Reads a file.",
  input_schema: {
    type: "object",
    properties: { file_path: { type: "string" } },
    required: ["file_path"],
  },
  isReadOnly: true,
  run: async (input) => {
    const { file_path: path } = input as { readonly file_path: string };
    return {
      content: `${path} holds the queue that settles every line. `.repeat(Number(path.split("-")[1])),
    };
  },
};

const isCollapse = (request: RecordedRequest) => lastOf(request).includes("The summaries will stand");

/** What the model answers to the request for summaries: one for each part. */
function summaries(request: RecordedRequest): string {
  const parts = [...lastOf(request).matchAll(/Part (\d+):/g)].map(([, number]) => number);
  return parts.map((part) => `<fold n="${part}">\nThe files of part ${part} were read.\n</fold>`).join("\n");
}

async function longRun(
  seed: number,
  rounds: number,
  collapse: (request: RecordedRequest) => AnswerBlock,
  settings: Settings = {},
) {
  const random = createSeededRandom(seed);
  const events: Event[] = [];
  let calls = 0;
  const stage = await setStage({
    emulation: { keepRequests: 1_000 },
    script: (request) => {
      if (isCollapse(request)) return collapse(request);
      calls += 1;
      return calls > rounds
        ? say("All is read.")
        : [
            say(`Now file ${calls}.`),
            callTool("Read", { file_path: `/src/${calls}-${20 + random.below(150)}` }),
          ];
    },
    system,
    tools: [read],
    layers: [createFoldingLayer(), createCompactionLayer(testPorts())],
    settings: { foldingEnabled: true, autoCompactWindow: window, ...settings },
    onEvent: (event) => events.push(event),
  });
  const end = endOf(await stage.run("Read everything.", { maxTurns: rounds + 5 }));
  await allEnded(events);
  const of = <Type extends Event["type"]>(type: Type) =>
    events.flatMap((event) =>
      event.type === type && event.session === "one"
        ? (event as Extract<Event, { readonly type: Type }>)
        : [],
    );
  return { stage, end, events, of };
}

/** Waits until no layer works in the background. */
async function allEnded(events: readonly Event[]): Promise<void> {
  const count = (name: string) => events.filter(({ type }) => type === name).length;
  while (count("task-start") > count("task-end")) await new Promise((resolve) => setImmediate(resolve));
}

const decisionsIn = (entries: readonly Entry[], type: string) =>
  entries.filter((entry) => entry.kind === "decision" && entry.decision.type === type);

describe("a long session that folds, through the official SDK at the emulator", () => {
  it.each([1, 2])(
    "stays under its window without a compaction, one cache break a batch (seed %d)",
    async (seed) => {
      const { stage, end, of } = await longRun(seed, 80, (request) => say(summaries(request)));
      expect(end).toMatchObject({ reason: "done", text: "All is read." });
      expectValid(stage);
      expect(of("layer-failed")).toEqual([]);
      expect(of("fold-failed")).toEqual([]);
      const entries = await entriesOf(stage.session);
      expect(decisionsIn(entries, "compact")).toEqual([]);
      const commits = of("fold-commit");
      expect(commits.length).toBeGreaterThan(2);
      expect(decisionsIn(entries, "fold")).toHaveLength(commits.reduce((sum, { folds }) => sum + folds, 0));
      const breaks = of("cache-break").filter(({ reason }) => reason !== "unavailable");
      expect(breaks).toHaveLength(commits.length);
      expect(breaks.filter(({ expected }) => !expected)).toEqual([]);
      expect(Math.max(...of("request-start").map(({ tokens }) => tokens))).toBeLessThan(window);
      expect(of("fold-prepared").length).toBeLessThan(3 * commits.length);
      expect(Math.min(...of("fold-prepared").map(({ cacheShare = 0 }) => cacheShare))).toBeGreaterThan(0.9);
    },
  );

  it("folds by the scribe at once where the model brings no summary, and asks it ever more rarely", async () => {
    const { stage, end, of } = await longRun(1, 60, () => say("I would rather go on."));
    expect(end).toMatchObject({ reason: "done" });
    expectValid(stage);
    expect(of("layer-failed")).toEqual([]);
    expect(new Set(of("fold-commit").map(({ trigger }) => trigger))).toEqual(new Set(["blocked"]));
    expect(of("fold-prepared")).toEqual([]);
    expect(asked(stage).filter(isCollapse).length).toBeLessThanOrEqual(5);
    expect(of("fold-failed").length).toBe(asked(stage).filter(isCollapse).length);
    expect(decisionsIn(await entriesOf(stage.session), "compact")).toEqual([]);
    expect(Math.max(...of("request-start").map(({ tokens }) => tokens))).toBeLessThan(window);
  });

  it("does not fold unless it is told to", async () => {
    const { of } = await longRun(1, 5, () => say("never"), { foldingEnabled: false });
    expect(of("fold-prepared")).toEqual([]);
    expect(of("fold-commit")).toEqual([]);
  });

  it("gives back what it folded, by recall and by undo, and is the same when it is resumed", async () => {
    const { stage } = await longRun(2, 40, (request) => say(summaries(request)));
    await expectGoesOn(stage);
    const entries = await entriesOf(stage.session);
    const fold = decisionsIn(entries, "fold").at(-1);
    if (fold?.kind !== "decision" || fold.decision.type !== "fold") throw new Error("nothing was folded");
    const { from, summary } = fold.decision;
    const sent = async () => JSON.stringify((await stage.session.prepare()).request.messages);
    expect(await sent()).toContain(JSON.stringify(summary).slice(1, -1));
    const [, call = ""] = /= (toolu_\w+)/.exec(summary) ?? [];
    expect((await stage.session.recall(call)).text).toContain("holds the queue that settles every line.");
    expect((await stage.session.recall(from)).text).toContain("Now file");
    await stage.session.undo(fold.id);
    expect(await sent()).not.toContain(JSON.stringify(summary).slice(1, -1));
    expect(await sent()).toContain(call);
  });
});
