import { describe, expect, it } from "vitest";
import { call, createRecording, fileText, result } from "../../../../../test/support/recordings.ts";
import { type Layer, ok } from "../../../../core/src/spec/index.ts";
import { ratioRow } from "../cost/price-row.ts";
import { normalize } from "../normalize.ts";
import { identity } from "../policies/baseline-policies.ts";
import { slidingMask } from "../policies/clear-by-age.ts";
import type { Policy } from "../policy.ts";
import { prepareRecording } from "../prepared-recording.ts";
import { replayRecording } from "../replay-recording.ts";
import { buildReport } from "./build-report.ts";
import { htmlReport } from "./html-report.ts";
import { markdownReport } from "./markdown-report.ts";
import type { ReplayReport } from "./replay-report.ts";
import { textReport } from "./text-report.ts";

/** Sixteen files are read, and an edit needs the first of them. */
function recordReads(name: string, rules?: string) {
  const recording = createRecording();
  if (rules !== undefined) recording.says(`<attachment type="rules">${rules}</attachment>`, { isMeta: true });
  recording.says("Read everything.");
  for (let at = 0; at < 16; at += 1)
    recording.round(
      [call(`read-${at}-call`, "Read", { file_path: `/src/part${at}.ts` })],
      [result(`read-${at}-call`, fileText(`part${at}`, 40))],
    );
  const old_string = "const part0Value7 = compute(part0, 7);\nconst part0Value8 = compute(part0, 8);";
  recording.round(
    [call("edit", "Edit", { file_path: "/src/part0.ts", old_string, new_string: "" })],
    [result("edit", "Done.")],
  );
  recording.round([{ type: "text", text: "All done." }]);
  return normalize(recording.entries, name);
}

/** Compacts before these requests, counted from 1, with these texts as summaries. */
function summarizing(name: string, summaries: ReadonlyMap<number, string>): Policy {
  const createLayer = (): Layer<{
    readonly covers: string;
    readonly basis: number;
    readonly text: string;
  }> => {
    let requests = 0;
    return {
      id: name,
      moments: ["before-request"],
      decide({ items, head }) {
        requests += 1;
        const text = summaries.get(requests);
        const covers = items.at(-1)?.entry;
        if (text === undefined || covers === undefined) return { verdict: "skip", reason: "not now" };
        const command = { covers, basis: head, text };
        return { verdict: "act", command, run: "inline", reason: name, frees: 1, basis: head };
      },
      async apply({ covers, basis, text }) {
        const decision = {
          type: "compact",
          layer: name,
          reason: name,
          frees: 1,
          basis,
          trigger: "auto",
          strategy: name,
          tokensBefore: 1,
          tokensAfter: 0,
          summary: { type: "user", content: text, isCompactSummary: true },
          covers,
          attachments: [],
          discoveredTools: [],
        } as const;
        return ok([{ kind: "decision", decision }]);
      },
    };
  };
  return { name, createLayers: () => [createLayer()] };
}

async function reportOf(policies: readonly Policy[], rules?: string): Promise<ReplayReport> {
  const outcome = await replayRecording(prepareRecording(recordReads("reads.jsonl", rules)), policies, {
    ttl: "5m",
    lookBackBlocks: 20,
    priceRows: [ratioRow(0.1)],
    hasCatalogRow: false,
  });
  return buildReport({
    ttl: "5m",
    priceRows: ["0.1"],
    policies: policies.map(({ name }) => name),
    files: 1,
    outcomes: [outcome],
    unreadable: [],
    duplicates: [],
  });
}

const goalOf = ({ goals }: ReplayReport, what: string) => goals.find((goal) => goal.what.startsWith(what));
const first = "Background.\n- /src/part0.ts · read · recall read-0-call";
const far = "far edit_old in view or one recall away";

describe("the goals of a replay", () => {
  it("say that an id was squeezed out of a later summary, in which session, and how far that is from the goal", async () => {
    const squeezing = summarizing(
      "engine",
      new Map([
        [5, first],
        [9, "Background.\n- /src/part0.ts · read"],
      ]),
    );
    const oracle = { ...identity, name: "oracle" };
    const report = await reportOf([identity, squeezing, oracle]);
    expect(goalOf(report, "far edit_old")).toEqual({
      what: far,
      row: "0.1",
      atLeast: 0.98,
      value: 0,
      oracle: 1,
      verdict: "missed",
      shortBy: 0.98,
      why: {
        text: "1 of 1 not found: 1 named by an id before, which a later summary had no room for",
        sessions: [{ name: "reads.jsonl", amount: "1 of 1" }],
      },
    });
    const why = `${far}, missed: 1 of 1 not found: 1 named by an id before, which a later summary had no room for; by session: reads.jsonl 1 of 1.`;
    expect(textReport(report)).toContain(why);
    expect(markdownReport(report)).toContain(why.replaceAll("_", "\\_"));
    expect(htmlReport(report)).toContain(why);
  });

  it.each([
    ["gone from the view and never named by an id", new Map([[5, "Background."]])],
    ["in view by its id", new Map([[5, first]])],
  ])("tell apart what is %s", async (cause, summaries) => {
    const goal = goalOf(await reportOf([identity, summarizing("engine", summaries)]), "far edit_old");
    if (cause === "in view by its id")
      expect(goal).toMatchObject({ value: 1, verdict: "reached", shortBy: 0 });
    else expect(goal?.why?.text).toBe(`1 of 1 not found: 1 ${cause}`);
    expect(goal && "why" in goal).toBe(cause !== "in view by its id");
  });

  it("say so where reading again is the only way", async () => {
    const goal = goalOf(await reportOf([identity, { ...slidingMask, name: "engine" }]), "far edit_old");
    expect(goal?.why?.text).toBe("1 of 1 not found: 1 to be had by reading again only");
  });

  it("are not measurable where no session has what they are about", async () => {
    const engine = { ...identity, name: "engine" };
    expect(goalOf(await reportOf([identity, engine]), "rules")).toMatchObject({
      value: null,
      verdict: "not measurable",
      shortBy: null,
      why: { text: "no recorded session holds a rules line", sessions: [] },
    });
    expect(goalOf(await reportOf([identity, engine], "Be kind."), "rules")).toMatchObject({ value: 1 });
  });

  it("say what of a missed excess is fetching again, and that messages were cut", async () => {
    const report = await reportOf([identity, summarizing("engine", new Map([[5, first]])), slidingMask]);
    expect(goalOf(report, "extra cost")).toMatchObject({
      row: "0.1",
      verdict: "missed",
      why: {
        text: expect.stringMatching(/^\d+ % of it is fetching 1 blocks again$/),
        sessions: [{ name: "reads.jsonl", amount: "100 %" }],
      },
    });
    expect(goalOf(report, "user messages")?.why?.text).toMatch(
      /^(\d+) of \d+ times \(a message at a request\) not word for word: 0 cut to a line with an id, \1 not named$/,
    );
    expect(goalOf(report, "latest")?.why?.text).toMatch(/requests without the newest message word for word$/);
    expect(goalOf(report, "invalid")).toMatchObject({ value: 0, verdict: "reached" });
  });

  it("are none where the engine was not run", async () => {
    const report = await reportOf([identity]);
    expect(report.goals).toEqual([]);
    expect(textReport(report).join("\n")).not.toContain("Goals");
  });
});
