import { describe, expect, it } from "vitest";
import { call, createRecording, fileText, result } from "../../../../../test/support/recordings.ts";
import { ratioRow } from "../cost/price-row.ts";
import { survivalShares } from "../grounding/survival.ts";
import { normalize } from "../normalize.ts";
import type { Policy } from "../policy.ts";
import { prepareRecording } from "../prepared-recording.ts";
import { runPolicy } from "../run-policy.ts";
import { identity, recorded } from "./baseline-policies.ts";
import { dedupe, recency } from "./clear-by-age.ts";
import { faithful, scribe, thrifty } from "./engine.ts";

const prices = ratioRow(0.1);
const run = (policy: Policy, recording: ReturnType<typeof record>) =>
  runPolicy(recording, policy, {
    ttl: "5m",
    lookBackBlocks: 20,
    fetchesMissing: false,
    prices,
    priceRows: [prices],
  });

/** Files of about 2,000 tokens are read one after the other, every third of them twice. */
function record(rounds: number, hasRepeats = false) {
  const recording = createRecording();
  recording.says("Read everything. Never touch the tests.");
  for (let at = 0; at < rounds; at += 1) {
    const name = hasRepeats && at % 3 === 2 ? `part${at - 1}` : `part${at}`;
    recording.round(
      [call(`toolu_${at}`, "Read", { file_path: `/src/${name}.ts` })],
      [result(`toolu_${at}`, fileText(name, 100))],
    );
  }
  return prepareRecording(normalize(recording.entries, "reads"));
}

describe("policies that keep less of the past", () => {
  it("recency: cuts the oldest rounds off at clean places, rarely, and stays under its limit", async () => {
    const report = await run(recency, record(90));
    expect(report.peakTokens).toBeLessThan(40_000 + 1.1 * 105_000);
    expect(report.breaks.policy).toBeGreaterThan(0);
    expect(report.breaks.policy).toBeLessThan(5);
    expect(report.invalid).toBe(0);
    expect(report.retention.leastUserMessages).toBe(0);
  });

  it("dedupe: clears what was read again, and nothing else", async () => {
    const [once, twice] = [await run(dedupe, record(30)), await run(dedupe, record(30, true))];
    const whole = await run(identity, record(30, true));
    expect(once.breaks.policy).toBe(0);
    expect(twice.breaks.policy).toBe(9);
    expect(twice.contextTokens).toBeLessThan(whole.contextTokens);
    expect(survivalShares(twice.survival.counts()).withRecall).toBe(1);
  });

  it("scribe: compacts at the threshold of the recorded model's window and keeps the user's words", async () => {
    const report = await run(scribe, record(110));
    expect(report.peakTokens).toBeLessThan(200_000);
    expect(report).toMatchObject({ invalid: 0, overflows: 0, retention: { leastUserMessages: 1 } });
    expect(report.breaks.policy).toBeGreaterThan(0);
  });

  it.each([
    [faithful, 0.95],
    [thrifty, 0.8],
  ])(
    "$name: costs less than doing nothing, sends nothing invalid, and keeps the user's words",
    async (policy, part) => {
      const recording = record(110);
      const [report, whole] = [await run(policy, recording), await run(identity, recording)];
      expect(report.cost["0.1"]).toBeLessThan((whole.cost["0.1"] as number) * part);
      expect(report).toMatchObject({ invalid: 0, overflows: 0, retention: { leastUserMessages: 1 } });
    },
  );

  it("thrifty: cuts down before the window is nearly full, faithful only then", async () => {
    const recording = record(200);
    const [whole, less] = [await run(faithful, recording), await run(thrifty, recording)].map(
      (one) => one.contextTokens,
    );
    expect(whole).toBeGreaterThan(less as number);
  });

  it("recorded: is charged what the recording says", async () => {
    const recording = record(20);
    const report = await run(recorded, recording);
    const written = recording.session.requests.reduce(
      (sum, { usage }) => sum + (usage?.cacheCreation ?? 0),
      0,
    );
    expect(report.tokens).toMatchObject({ read: 0, written, uncached: 0 });
  });
});
