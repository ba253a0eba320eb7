import { createReadStream } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../packages/core/src/spec/index.ts";
import { findNeeds } from "../../packages/palimpsest/src/replay/grounding/find-needs.ts";
import { recordedBlocks } from "../../packages/palimpsest/src/replay/grounding/recorded-blocks.ts";
import { farDistance, survivalShares } from "../../packages/palimpsest/src/replay/grounding/survival.ts";
import {
  buildReport,
  type Policy,
  policies,
  ratioRow,
  replayRecording,
} from "../../packages/palimpsest/src/replay/index.ts";
import { normalize } from "../../packages/palimpsest/src/replay/normalize.ts";
import { dropAll, identity } from "../../packages/palimpsest/src/replay/policies/baseline-policies.ts";
import { createClearLayer } from "../../packages/palimpsest/src/replay/policies/tool-results.ts";
import {
  type PreparedRecording,
  prepareRecording,
} from "../../packages/palimpsest/src/replay/prepared-recording.ts";
import type { RecordedSession } from "../../packages/palimpsest/src/replay/recorded-session.ts";
import { runPolicy } from "../../packages/palimpsest/src/replay/run-policy.ts";
import { readTranscript } from "../../packages/palimpsest/src/surfaces/local/sessions/read-transcript.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { call, createRecording, fileText, result } from "../support/recordings.ts";

const prices = ratioRow(0.1);
const options = {
  ttl: "5m",
  lookBackBlocks: 20,
  prices,
  priceRows: [prices],
  fetchesMissing: false,
} as const;
const planted = "const part3Value7 = compute(part3, 7);\nconst part3Value8 = compute(part3, 8);";

/** A number of its own for each session and file. */
const buildNumber = (prefix: string, at: number) =>
  `${[...prefix].reduce((sum, sign) => sum * 7 + sign.charCodeAt(0), 0)}${at}1`;

/** Files are read one after the other; then an edit of the fourth and a command with a number of the fifth. */
function recordWork(files: number, prefix = "part"): RecordedSession {
  const recording = createRecording();
  recording.says("Read everything, then change the fourth.");
  for (let at = 0; at < files; at += 1) {
    const text = `${fileText(`${prefix}${at}`, 30)}\nbuild ${buildNumber(prefix, at)} of ${prefix}`;
    recording.round(
      [call(`t${at}`, "Read", { file_path: `/src/${prefix}${at}.ts` })],
      [result(`t${at}`, text)],
    );
  }
  const old_string = planted.replaceAll("part", prefix);
  recording.round(
    [call("edit", "Edit", { file_path: `/src/${prefix}3.ts`, old_string, new_string: "" })],
    [result("edit", "Done.")],
  );
  recording.round(
    [call("run", "Bash", { command: `./deploy --build ${buildNumber(prefix, 4)}` })],
    [result("run", "Deployed.")],
  );
  recording.round([{ type: "text", text: "All done." }]);
  return normalize(recording.entries, `${prefix}-${files}`);
}

/** Keeps only the results of some calls. */
const keepOnly = (kept: ReadonlySet<string>): Policy => ({
  name: "keep-only",
  createLayers: () => [
    createClearLayer({
      id: "keep-only",
      hasHandles: false,
      choose: (results) =>
        results.filter(({ toolUseId }, at) => !kept.has(toolUseId) && at < results.length - 1),
    }),
  ],
});

const inView = async (recording: PreparedRecording, policy: Policy) =>
  (await runPolicy(recording, policy, options)).survival.counts()["in-view"];

describe("the evaluator", () => {
  it("gives identity survival 1 and no breaks, and drop-all survival 0", async () => {
    const recording = prepareRecording(recordWork(18));
    const whole = await runPolicy(recording, identity, options);
    const nothing = await runPolicy(recording, dropAll, options);
    expect(survivalShares(whole.survival.counts())).toEqual({ inView: 1, withRecall: 1 });
    expect(whole).toMatchObject({ breaks: { policy: 0 }, rewrittenTokens: 0, invalid: 0 });
    expect(whole.retention).toMatchObject({ leastUserMessages: 1, writtenFiles: { asked: 2, kept: 2 } });
    expect(survivalShares(nothing.survival.counts())).toEqual({ inView: 0, withRecall: 0 });
    expect(nothing.retention).toMatchObject({
      leastUserMessages: 0,
      latestUserMessage: { kept: 0 },
      writtenFiles: { asked: 2, kept: 0 },
    });
  });

  it("finds planted rules word for word where they are kept, and not where they are dropped", async () => {
    const recording = createRecording();
    recording.says("<system-reminder>Contents of /p/CLAUDE.md: never push to main.</system-reminder>", {
      isMeta: true,
    });
    recording.says("Read.");
    for (let at = 0; at < 12; at += 1)
      recording.round(
        [call(`t${at}`, "Read", { file_path: `/src/f${at}.ts` })],
        [result(`t${at}`, fileText(`f${at}`, 30))],
      );
    const prepared = prepareRecording(normalize(recording.entries, "rules"));
    const rules = async (policy: Policy) => (await runPolicy(prepared, policy, options)).retention.rules;
    expect(await rules(identity)).toEqual({ asked: 12, kept: 12 });
    expect(await rules(dropAll)).toEqual({ asked: 12, kept: 0 });
  });

  it("finds atoms that were planted, their sources and their distance, and no others far away", () => {
    const { byRequest } = findNeeds(recordWork(18));
    const far = byRequest
      .flat()
      .filter(({ atom, distance }) => distance >= farDistance && ["edit_old", "num"].includes(atom.type));
    expect(
      far.map(({ atom, sources, distance }) => [atom, sources.map(({ request }) => request), distance]),
    ).toEqual([
      [{ type: "edit_old", text: planted }, [4], 14],
      [{ type: "num", text: buildNumber("part", 4) }, [5], 14],
    ]);
  });

  it("says of planted atoms whether they are in view, one recall away, refetchable or lost", async () => {
    const recording = prepareRecording(recordWork(18));
    const far = async (policy: Policy, type: "edit_old" | "num") =>
      (await runPolicy(recording, policy, options)).survival.counts(type, farDistance);
    const clears = (hasHandles: boolean): Policy => ({
      name: "clears",
      createLayers: () => [
        createClearLayer({ id: "clears", hasHandles, choose: (results) => results.slice(0, -1) }),
      ],
    });
    expect(await far(keepOnly(new Set(["t3"])), "edit_old")).toMatchObject({ "in-view": 1 });
    expect(await far(keepOnly(new Set(["t3"])), "num")).toMatchObject({ refetch: 1 });
    expect(await far(clears(true), "num")).toMatchObject({ recall: 1 });
    expect(await far(dropAll, "edit_old")).toMatchObject({ lost: 1 });
  });

  it("never counts less in view where more is kept", async () => {
    const recording = prepareRecording(recordWork(14));
    const all = Array.from({ length: 14 }, (_, at) => `t${at}`);
    await fc.assert(
      fc.asyncProperty(fc.subarray(all), fc.subarray(all), async (some, more) => {
        const fewer = new Set(some);
        const larger = new Set([...some, ...more]);
        expect(await inView(recording, keepOnly(larger))).toBeGreaterThanOrEqual(
          await inView(recording, keepOnly(fewer)),
        );
      }),
      { numRuns: 12 },
    );
  });

  it("finds less than 1 % of the headline atoms in the blocks of another session", async () => {
    const names = ["alpha", "bravo", "carol", "delta"];
    const sessions = [...names.map((name) => recordWork(18, name)), await sampleSession()];
    let wanted = 0;
    let foundElsewhere = 0;
    for (const [at, session] of sessions.entries()) {
      const other = sessions[(at + 1) % sessions.length] as RecordedSession;
      const texts = recordedBlocks(other).map(({ text }) => text);
      for (const { atom, distance } of findNeeds(session).byRequest.flat()) {
        if (distance < farDistance || !["edit_old", "num"].includes(atom.type)) continue;
        wanted += 1;
        if (texts.some((text) => text.includes(atom.text))) foundElsewhere += 1;
      }
    }
    expect(wanted).toBeGreaterThan(8);
    expect(foundElsewhere / wanted).toBeLessThan(0.01);
  });

  it("gives identity survival 1 and drop-all 0 on the bundled session", async () => {
    const recording = prepareRecording(await sampleSession());
    expect(recording.calibration.passes).not.toBe("none");
    const whole = await runPolicy(recording, identity, options);
    const nothing = await runPolicy(recording, dropAll, options);
    expect(survivalShares(whole.survival.counts())).toEqual({ inView: 1, withRecall: 1 });
    expect(whole.breaks.policy).toBe(0);
    expect(survivalShares(nothing.survival.counts())).toEqual({ inView: 0, withRecall: 0 });
  });
});

async function sampleSession(): Promise<RecordedSession> {
  const entries: Entry[] = [];
  const file = new URL("../../packages/palimpsest/assets/sample-session.jsonl.gz", import.meta.url);
  const source = { name: "sample", isOwnPlace: true, signal: new AbortController().signal };
  must(await readTranscript(createReadStream(file), source, (entry) => void entries.push(entry)));
  return normalize(entries, "sample");
}

describe("a report", () => {
  const chosen = policies.filter(({ name }) =>
    ["identity", "recency", "sliding-mask", "dedupe", "scribe", "engine", "drop-all", "oracle"].includes(
      name,
    ),
  );
  const replayOptions = { ttl: "5m", lookBackBlocks: 20, priceRows: [prices], hasCatalogRow: true } as const;

  async function report(order: readonly Policy[], sessions: readonly RecordedSession[]): Promise<string> {
    const outcomes = [];
    for (const session of sessions)
      outcomes.push(await replayRecording(prepareRecording(session), order, replayOptions));
    return JSON.stringify(
      buildReport({
        ttl: "5m",
        priceRows: ["0.1", "catalog"],
        policies: chosen.map(({ name }) => name),
        files: sessions.length,
        outcomes,
        unreadable: [],
        duplicates: [],
      }),
    );
  }

  it("is the same to the byte on a second run, in any order of policies and sessions", async () => {
    const sessions = [recordWork(16, "alpha"), recordWork(20, "bravo")];
    const first = await report(chosen, sessions);
    expect(await report(chosen, sessions)).toBe(first);
    expect(await report([...chosen].reverse(), [...sessions].reverse())).toBe(first);
  });

  it("measures everything against identity and the floor, and marks what nothing beats", async () => {
    const built = JSON.parse(await report(chosen, [recordWork(20)]));
    const [whole] = built.policies;
    expect(whole.cost["0.1"]).toMatchObject({
      plain: { value: 1, interval: [1, 1] },
      fetched: { value: 1 },
      excess: { value: 1 },
      excessOfCheapest: 1,
    });
    for (const { cost, invalid } of built.policies) {
      expect(cost["0.1"].excess.value).toBeGreaterThan(0);
      expect(invalid).toBe(0);
    }
    expect(built.policies.some(({ isPareto }: { isPareto: boolean }) => isPareto)).toBe(true);
    expect(built.sessions).toMatchObject({ measured: 1, whole: 1, excluded: [] });
  });

  it("names a session whose sizes are not known, and measures nothing on it", async () => {
    const recording = createRecording();
    recording.says("Hello.");
    recording.round([{ type: "text", text: "Hello." }]);
    const built = JSON.parse(await report(chosen, [normalize(recording.entries, "short")]));
    expect(built.sessions).toMatchObject({
      measured: 0,
      excluded: [{ name: "short", reason: "too few requests to compare (1)" }],
    });
  });
});
