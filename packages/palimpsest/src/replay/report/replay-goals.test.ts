import { describe, expect, it } from "vitest";
import { call, createRecording, fileText, result } from "../../../../../test/support/recordings.ts";
import { type Layer, ok } from "../../../../core/src/spec/index.ts";
import { ratioRow } from "../cost/price-row.ts";
import { normalize } from "../normalize.ts";
import { dropAll, identity, recordedSimulated } from "../policies/baseline-policies.ts";
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
    lookBackBlocks: 20,
    priceRows: [ratioRow(0.1)],
    hasCatalogRow: false,
  });
  return buildReport({
    ttl: "auto",
    priceRows: ["0.1"],
    policies: policies.map(({ name }) => name),
    files: 1,
    outcomes: [outcome],
    unreadable: [],
    duplicates: [],
  });
}

const goalOf = ({ goals }: ReplayReport, what: string) => goals.find((goal) => goal.what === what);
const first = "Background.\n- /src/part0.ts · read · recall read-0-call";
const inView = "far edit_old in view";
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
    expect(goalOf(report, far)).toEqual({
      policy: "engine",
      what: far,
      row: "0.1",
      atLeast: 0.99,
      value: 0,
      oracle: 1,
      verdict: "missed",
      shortBy: 0.99,
      why: {
        text: "1 of 1 not found: 1 named by an id before, which a later summary had no room for",
        sessions: [{ name: "reads.jsonl", amount: "1 of 1" }],
      },
    });
    const why = `engine: ${far}, missed: 1 of 1 not found: 1 named by an id before, which a later summary had no room for; by session: reads.jsonl 1 of 1.`;
    expect(textReport(report)).toContain(why);
    expect(markdownReport(report)).toContain(why.replaceAll("_", "\\_"));
    expect(htmlReport(report)).toContain(why);
  });

  it.each([
    ["gone from the view and never named by an id", new Map([[5, "Background."]])],
    ["in view by its id", new Map([[5, first]])],
  ])("tell apart what is %s", async (cause, summaries) => {
    const report = await reportOf([identity, summarizing("engine", summaries)]);
    const goal = goalOf(report, far);
    if (cause === "in view by its id") {
      expect(goal).toMatchObject({ value: 1, verdict: "reached", shortBy: 0 });
      expect(goalOf(report, inView)).toMatchObject({
        value: 0,
        verdict: "missed",
        why: { text: "1 of 1 not in view: 1 one recall away, 0 to be had by reading again, 0 lost" },
      });
    } else expect(goal?.why?.text).toBe(`1 of 1 not found: 1 ${cause}`);
    expect(goal && "why" in goal).toBe(cause !== "in view by its id");
  });

  it("say so where reading again is the only way", async () => {
    const goal = goalOf(await reportOf([identity, { ...slidingMask, name: "engine" }]), far);
    expect(goal?.why?.text).toBe("1 of 1 not found: 1 to be had by reading again only");
  });

  it("are not measurable where no session has what they are about", async () => {
    const engine = { ...identity, name: "engine" };
    const report = await reportOf([identity, engine]);
    expect(goalOf(report, "rules word for word")).toMatchObject({
      value: null,
      verdict: "not measurable",
      shortBy: null,
      why: { text: "no recorded session holds a rules line", sessions: [] },
    });
    expect(goalOf(report, "answers in view")?.why?.text).toBe(
      "no request has an answer of the agent's before it",
    );
    expect(goalOf(report, excess)?.why?.text).toBe(
      "the policy recorded-simulated, which it is compared with, was not run",
    );
    expect(goalOf(await reportOf([identity, engine], "Be kind."), "rules word for word")).toMatchObject({
      value: 1,
    });
  });

  it("judge the extra cost beside that of the recorded agent, and say what of it is fetching again", async () => {
    const summary = summarizing("engine", new Map([[5, first]]));
    const report = await reportOf([identity, recordedSimulated, summary]);
    const same = await reportOf([identity, recordedSimulated, { ...identity, name: "engine" }]);
    expect(goalOf(same, excess)).toMatchObject({ value: 1, verdict: "missed" });
    expect(same.policies[0]?.cost["0.1"]?.excessOfRecorded?.value).toBe(1);
    expect(goalOf(report, excess)).toMatchObject({
      row: "0.1",
      atMost: 0.7,
      why: {
        text: expect.stringMatching(/^\d+ % of it is fetching 1 blocks again$/),
        sessions: [{ name: "reads.jsonl", amount: "100 %" }],
      },
    });
  });

  it("say that messages were cut", async () => {
    const report = await reportOf([identity, { ...dropAll, name: "engine" }]);
    expect(goalOf(report, "user messages word for word")?.why?.text).toMatch(
      /^(\d+) of \d+ times \(a message at a request\) not word for word: 0 cut to a line with an id, \1 not named$/,
    );
    expect(goalOf(report, "invalid requests")).toMatchObject({ value: 0, verdict: "reached" });
  });

  it("are those of each policy that has some, by its name", async () => {
    const named = (name: string) => ({ ...identity, name });
    const { goals } = await reportOf([identity, named("faithful"), named("thrifty"), named("mine")]);
    const limits = (policy: string) =>
      goals.flatMap((one) => (one.policy === policy ? [[one.what, one.atMost ?? one.atLeast]] : []));
    expect(limits("faithful")).toEqual([
      [excess, 0.7],
      [inView, 0.95],
      [far, 0.99],
      ["answers in view", 0.98],
      ["user messages word for word", 1],
      ["standing orders word for word, none marked as ended", 1],
      ["rules word for word", 1],
      ["invalid requests", 0],
    ]);
    expect(limits("thrifty")).toEqual([
      [excess, 0.5],
      [inView, 0.6],
      [far, 0.98],
      ["answers in view", 0.6],
      ["answers in view or one recall away", 0.99],
      ["user messages word for word", 1],
      ["invalid requests", 0],
    ]);
    expect(limits("mine")).toEqual([]);
  });

  it("are none where no policy has some", async () => {
    const report = await reportOf([identity]);
    expect(report.goals).toEqual([]);
    expect(textReport(report).join("\n")).not.toContain("Goals");
  });
});

const excess = "extra cost over the floor, the recorded agent's = 1, prices 0.1";
