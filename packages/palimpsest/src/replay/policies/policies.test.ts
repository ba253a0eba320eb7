import { describe, expect, it } from "vitest";
import { call, createRecording, fileText, result } from "../../../../../test/support/recordings.ts";
import { ratioRow } from "../cost/price-row.ts";
import { normalize } from "../normalize.ts";
import type { Policy } from "../policy.ts";
import { prepareRecording } from "../prepared-recording.ts";
import { runPolicy } from "../run-policy.ts";
import { apiDefault, viewTrigger } from "./api-default.ts";
import { identity } from "./baseline-policies.ts";
import { economic } from "./economic.ts";
import { oracle } from "./oracle.ts";
import { randomEviction } from "./random-eviction.ts";
import { tokenThreshold } from "./token-threshold.ts";

/** Files of about 2,000 tokens are read one after the other. */
function recordReads(rounds: number, pauseMinutes = 0) {
  const recording = createRecording();
  recording.says("Read everything.");
  for (let at = 0; at < rounds; at += 1) {
    if (at === rounds - 10) recording.wait(pauseMinutes);
    if (at === rounds - 10) recording.says("Go on.");
    recording.round(
      [call(`t${at}`, "Read", { file_path: `/src/part${at}.ts` })],
      [result(`t${at}`, fileText(`part${at}`, 100))],
    );
  }
  return prepareRecording(normalize(recording.entries, "reads"));
}

const run = (policy: Policy, recording: ReturnType<typeof recordReads>, cacheRead = 0.1) => {
  const prices = ratioRow(cacheRead);
  const options = { ttl: "5m", lookBackBlocks: 20, fetchesMissing: false } as const;
  return runPolicy(recording, policy, { ...options, prices, priceRows: [prices] });
};

describe("the policies in the box", () => {
  it("threshold: edits rarely, by 20,000 tokens and more at a time", async () => {
    const { breaks, peakTokens, invalid } = await run(tokenThreshold, recordReads(60));
    expect(breaks.policy).toBeGreaterThan(0);
    expect(breaks.policy).toBeLessThan(8);
    expect(peakTokens).toBeLessThan(125_000);
    expect(invalid).toBe(0);
  });

  it("api-default: edits at every request once it is over its trigger, unlike a trigger on the edited view", async () => {
    const recording = recordReads(60);
    const [api, view] = [await run(apiDefault, recording), await run(viewTrigger, recording)];
    expect(api.breaks.policy).toBeGreaterThan(20);
    expect(view.breaks.policy).toBeLessThan(4);
  });

  it("economic: clears where reads cost enough, and not where they are nearly free", async () => {
    const recording = recordReads(40);
    expect((await run(economic, recording, 0.1)).breaks.policy).toBeGreaterThan(0);
    expect((await run(economic, recording, 0.001)).breaks.policy).toBe(0);
  });

  it("economic: clears at no cost when the cache is cold", async () => {
    const recording = recordReads(26, 30);
    const [cleared, whole] = [await run(economic, recording), await run(identity, recording)];
    expect(cleared.breaks).toEqual({ policy: 0, idle: 1, recorded: 0 });
    expect(cleared.tokens.written).toBeLessThan(whole.tokens.written);
  });

  it("random: takes as much as the threshold does", async () => {
    const { breaks, invalid } = await run(randomEviction, recordReads(60));
    expect(breaks.policy).toBeGreaterThan(0);
    expect(invalid).toBe(0);
  });

  it("oracle: never clears what is needed, and costs no more than doing nothing", async () => {
    const recording = recordReads(40);
    const [best, whole] = [await run(oracle, recording), await run(identity, recording)];
    const { "in-view": inView, ...others } = best.survival.counts();
    expect(others).toEqual({ recall: 0, refetch: 0, lost: 0 });
    expect(inView).toBe(whole.survival.counts()["in-view"]);
    expect(best.cost["0.1"]).toBeLessThan(whole.cost["0.1"] as number);
  });
});
