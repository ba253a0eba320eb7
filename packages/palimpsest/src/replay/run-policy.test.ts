import { describe, expect, it } from "vitest";
import { call, createRecording, fileText, result } from "../../../../test/support/recordings.ts";
import { ratioRows } from "./cost/price-row.ts";
import { farDistance, survivalShares } from "./grounding/survival.ts";
import { normalize } from "./normalize.ts";
import { createDropLayer, dropAll, identity, recordedSimulated } from "./policies/baseline-policies.ts";
import { slidingMask } from "./policies/clear-by-age.ts";
import { coldOnly } from "./policies/cold-only.ts";
import { policies } from "./policies/index.ts";
import { createClearLayer } from "./policies/tool-results.ts";
import type { Policy } from "./policy.ts";
import { prepareRecording } from "./prepared-recording.ts";
import { runPolicy } from "./run-policy.ts";
import type { RunOptions } from "./run-report.ts";
import { createReplayHome } from "./session/replay-home.ts";

const [prices] = ratioRows as [(typeof ratioRows)[number], ...typeof ratioRows];
const options: RunOptions = {
  ttl: "5m",
  lookBackBlocks: 20,
  prices,
  priceRows: ratioRows,
  fetchesMissing: false,
};

/** Twenty files are read; then an edit needs the first of them. */
function recordReads(pauseMinutes = 0) {
  const recording = createRecording();
  recording.says("Read everything.");
  for (let at = 0; at < 20; at += 1) {
    const name = `part${at}`;
    recording.round(
      [{ type: "text", text: "Next." }, call(`t${at}`, "Read", { file_path: `/src/${name}.ts` })],
      [result(`t${at}`, fileText(name, 60))],
    );
  }
  recording.wait(pauseMinutes);
  recording.says("Now change the first one.");
  const old_string = "const part0Value7 = compute(part0, 7);\nconst part0Value8 = compute(part0, 8);";
  recording.round(
    [call("edit", "Edit", { file_path: "/src/part0.ts", old_string, new_string: "" })],
    [result("edit", "Done.")],
  );
  recording.round([{ type: "text", text: "All done." }]);
  return prepareRecording(normalize(recording.entries, "reads"));
}

/** Clears the first result as soon as there is a second one. */
const forgetful = (hasHandles: boolean): Policy => ({
  name: "forgetful",
  createLayers: () => [
    createClearLayer({
      id: "forgetful",
      hasHandles,
      choose: (results) =>
        results.slice(0, 1).filter(({ toolUseId }) => toolUseId === "t0" && results.length > 1),
    }),
  ],
});

describe("replaying under a policy", () => {
  it("passes the gate on a synthetic session and finds its two numbers", () => {
    const [sizes] = recordReads().segments;
    expect(sizes?.excluded).toBeUndefined();
    expect(sizes?.fit.overhead).toBeCloseTo(40_000, -2);
    expect(sizes?.fit.scale).toBeCloseTo(1.1, 2);
  });

  it("keeps everything and breaks nothing under identity, and has nothing to fetch", async () => {
    const recording = recordReads();
    const report = await runPolicy(recording, identity, options);
    const fetched = await runPolicy(recording, identity, { ...options, fetchesMissing: true });
    expect(survivalShares(report.survival.counts())).toEqual({ inView: 1, withRecall: 1 });
    expect(report).toMatchObject({ requests: 22, invalid: 0, rewrittenTokens: 0, breaks: { policy: 0 } });
    expect(fetched.cost).toEqual(report.cost);
  });

  it("keeps nothing when everything is dropped", async () => {
    const report = await runPolicy(recordReads(), dropAll, options);
    expect(survivalShares(report.survival.counts())).toEqual({ inView: 0, withRecall: 0 });
    expect(report.invalid).toBe(0);
    expect(report.peakTokens).toBeLessThan(40_100);
  });

  it("measures prompts as they were recorded under identity", async () => {
    const recording = recordReads();
    const report = await runPolicy(recording, identity, options);
    const recorded = recording.session.requests.reduce(
      (sum, { usage }) => sum + (usage?.cacheCreation ?? 0),
      0,
    );
    expect(report.contextTokens / recorded).toBeCloseTo(1, 3);
  });

  it("gives the same bytes again", async () => {
    const run = async () => {
      const reports = [];
      for (const policy of policies) {
        const { survival, ...report } = await runPolicy(recordReads(30), policy, options);
        reports.push({ ...report, survival: survival.rows() });
      }
      return JSON.stringify(reports);
    };
    expect(await run()).toBe(await run());
  });

  it.each([
    [true, "recall"],
    [false, "refetch"],
  ] as const)(
    "finds what was cleared by its handle (%s) or else by reading again",
    async (hasHandles, where) => {
      const { survival } = await runPolicy(recordReads(), forgetful(hasHandles), options);
      expect(survival.counts("edit_old", farDistance)).toEqual({
        "in-view": 0,
        recall: 0,
        refetch: 0,
        lost: 0,
        [where]: 1,
      });
    },
  );

  it("charges a missing block as one more request and keeps its content from then on", async () => {
    const recording = recordReads();
    const plain = await runPolicy(recording, forgetful(false), options);
    const fetched = await runPolicy(recording, forgetful(false), { ...options, fetchesMissing: true });
    expect(fetched.fetches).toMatchObject({ blocks: 1, byTool: { Read: 1 } });
    expect(fetched.requests).toBe(plain.requests + 1);
    expect(fetched.tokens.output).toBe(plain.tokens.output + 80);
    const { scale } = recording.sizesOf(0).fit;
    const content = scale * fetched.fetches.tokens;
    const grown = fetched.contextTokens - plain.contextTokens;
    const oneMoreRequest = plain.peakTokens;
    expect(grown).toBeGreaterThan(oneMoreRequest * 0.95 + 2 * content);
    expect(grown).toBeLessThan(oneMoreRequest * 1.05 + 2 * content + 200);
    expect(fetched.invalid).toBe(0);
  });

  it("counts a break and what it rewrites where a policy edits a warm prefix, not where the cache is cold", async () => {
    const masked = await runPolicy(recordReads(), slidingMask, options);
    expect(masked.breaks).toEqual({ policy: 11, idle: 0, recorded: 0 });
    expect(masked.rewrittenTokens).toBeGreaterThan(0);
    const cold = await runPolicy(recordReads(30), coldOnly, options);
    expect(cold.breaks).toEqual({ policy: 0, idle: 1, recorded: 0 });
    expect(cold.rewrittenTokens).toBe(0);
    expect(cold.survival.counts("edit_old").recall).toBe(1);
  });

  it("lives longer in a cache of one hour, at its price", async () => {
    const report = await runPolicy(recordReads(30), coldOnly, { ...options, ttl: "1h" });
    expect(report.breaks.idle).toBe(0);
    expect(report.survival.counts("edit_old")["in-view"]).toBe(1);
  });

  it("stands on the recorded summary where the policy is the recorded agent, and else grows past it", async () => {
    const prepared = prepareRecording(normalize(recordCompaction().entries, "compacted"));
    const cut = await runPolicy(prepared, recordedSimulated, options);
    const grown = await runPolicy(prepared, identity, options);
    expect(prepared.segments.map(({ excluded }) => excluded)).toEqual([undefined, undefined]);
    expect(cut).toMatchObject({ requests: 24, invalid: 0, breaks: { recorded: 1, policy: 0 } });
    expect(grown).toMatchObject({ requests: 24, invalid: 0, breaks: { recorded: 0, policy: 0 } });
    expect(grown.peakTokens).toBeGreaterThan(cut.peakTokens);
    expect(cut.retention).toMatchObject({ userMessages: { asked: 36, kept: 24 }, leastUserMessages: 0.5 });
    expect(grown.retention).toMatchObject({ userMessages: { asked: 36, kept: 36 }, leastUserMessages: 1 });
  });

  it("asks for answers at every later request, in view or one recall away", async () => {
    const answer = Array.from(
      { length: 9 },
      (_, at) => `Part ${at} of the answer says that file ${at} is fine as it is.`,
    ).join(" ");
    const recording = createRecording();
    recording.says("Read and tell.");
    for (let at = 0; at < 10; at += 1)
      recording.round(
        [call(`t${at}`, "Read", { file_path: `/src/${at}.ts` })],
        [result(`t${at}`, fileText(`part${at}`, 20))],
      );
    recording.round([{ type: "text", text: answer }]);
    recording.says("Thanks. Go on.");
    recording.round([call("ls", "Bash", { command: "ls" })], [result("ls", "a.ts")]);
    recording.round([{ type: "text", text: "Done." }]);
    const prepared = prepareRecording(normalize(recording.entries, "answered"));
    const answers = async (policy: Policy) => {
      const { retention } = await runPolicy(prepared, policy, options);
      return [retention.answers, retention.recallableAnswers];
    };
    const entry = prepared.session.requests[10]?.response.id ?? "";
    expect(await answers(identity)).toEqual([{ asked: 2, kept: 2 }, 0]);
    expect(await answers(dropAll)).toEqual([{ asked: 2, kept: 0 }, 0]);
    const third = answer.split(". ").slice(2, 5).join(". ");
    expect(await answers(summarizing(`It said: ${third}.`))).toEqual([{ asked: 2, kept: 2 }, 0]);
    expect(await answers(summarizing(`An answer · recall ${entry}`))).toEqual([{ asked: 2, kept: 0 }, 2]);
  });

  it("wants standing orders word for word until they are revoked, and not marked as ended", async () => {
    const recording = createRecording();
    recording.says("Read. Always use tabs for indentation.");
    for (let at = 0; at < 9; at += 1)
      recording.round(
        [call(`t${at}`, "Read", { file_path: `/src/${at}.ts` })],
        [result(`t${at}`, fileText(`part${at}`, 20))],
      );
    recording.round([{ type: "text", text: "Read." }]);
    recording.says("You no longer need to use tabs for indentation.");
    recording.round([{ type: "text", text: "Good." }]);
    const prepared = prepareRecording(normalize(recording.entries, "ordered"));
    const orders = async (policy: Policy) => {
      const { retention } = await runPolicy(prepared, policy, options);
      return [retention.orders, retention.endedOrders];
    };
    expect(await orders(identity)).toEqual([{ asked: 10, kept: 10 }, 0]);
    expect(await orders(dropAll)).toEqual([{ asked: 10, kept: 0 }, 0]);
    const order = "Always use tabs for indentation.";
    expect(await orders(summarizing(`[1 · standing order] ${order}`))).toEqual([{ asked: 10, kept: 10 }, 0]);
    expect(await orders(summarizing(`[1 · done] Read. ${order}`))).toEqual([{ asked: 10, kept: 0 }, 10]);
  });

  it("hands on what was learned to the session after it", async () => {
    const home = createReplayHome();
    const recording = recordReads();
    await runPolicy(recording, identity, { ...options, home });
    const learned = home.digest();
    expect(learned).toContain("request-gaps");
    const next = home.copy();
    await runPolicy(recording, identity, { ...options, home: next });
    expect(next.digest()).not.toBe(learned);
    expect(home.digest()).toBe(learned);
  });
});

/** Twelve files are read, compacted, and twelve more are read. */
function recordCompaction() {
  const recording = createRecording();
  recording.says("Read.");
  for (let at = 0; at < 12; at += 1)
    recording.round(
      [call(`t${at}`, "Read", { file_path: `/src/${at}.ts` })],
      [result(`t${at}`, fileText(`part${at}`, 60))],
    );
  recording.compacts("Twelve files were read.");
  recording.says("And now?");
  for (let at = 12; at < 24; at += 1)
    recording.round(
      [call(`t${at}`, "Read", { file_path: `/src/${at}.ts` })],
      [result(`t${at}`, fileText("p", 9))],
    );
  return recording;
}

/** Puts this in the place of everything. */
function summarizing(text: string): Policy {
  return { name: "summarizing", createLayers: () => [createDropLayer(text)] };
}
