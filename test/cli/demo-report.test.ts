import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import stringWidth from "string-width";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { encodeEntry } from "../../packages/core/src/log/codec.ts";
import { usageOfEntries } from "../../packages/core/src/session/answers/to-usage.ts";
import type { Entry } from "../../packages/core/src/spec/index.ts";
import {
  prepareRecording,
  type ReplayReport,
  type SessionOutcome,
} from "../../packages/palimpsest/src/replay/index.ts";
import {
  toReport,
  writeEngineSession,
} from "../../packages/palimpsest/src/surfaces/cli/demo/demo-command.ts";
import { createStage, type Stage } from "../../packages/palimpsest/src/surfaces/cli/demo/live/stage.ts";
import { loadSample, type Sample } from "../../packages/palimpsest/src/surfaces/cli/demo/load-sample.ts";
import { inspectorLines, reportLines } from "../../packages/palimpsest/src/surfaces/cli/demo/report-lines.ts";
import {
  comparedPolicies,
  type DemoWord,
  playedPolicies,
} from "../../packages/palimpsest/src/surfaces/cli/demo/runs/demo-policies.ts";
import { playPolicy } from "../../packages/palimpsest/src/surfaces/cli/demo/runs/play-policy.ts";
import { emptyDemo, reduceDemo } from "../../packages/palimpsest/src/surfaces/cli/demo/state/demo-state.ts";
import { readTranscript } from "../../packages/palimpsest/src/surfaces/local/sessions/read-transcript.ts";
import { createStyle } from "../../packages/palimpsest/src/surfaces/terminal/style.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { call, createRecording, fileText, result } from "../support/recordings.ts";

const { signal } = new AbortController();
const files = 24;

/** Files are read one after the other, the user comes back after a while, and one of the first is edited. */
function recordWork(): readonly Entry[] {
  const recording = createRecording();
  recording.says("Read everything.");
  for (let at = 0; at < files; at += 1) {
    const text = fileText(`part${at}`, 120);
    recording.round([call(`t${at}`, "Read", { file_path: `/src/part${at}.ts` })], [result(`t${at}`, text)]);
  }
  recording.wait(20);
  recording.says("Now change the \u001b[31mfirst one.");
  const old_string = "const part0Value7 = compute(part0, 7);\nconst part0Value8 = compute(part0, 8);";
  recording.round(
    [call("edit", "Edit", { file_path: "/src/part0.ts", old_string, new_string: "" })],
    [result("edit", "Done.")],
  );
  recording.round([{ type: "text", text: "All done." }]);
  return recording.entries;
}

async function readEntries(path: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const source = { name: path, isOwnPlace: true, signal };
  const chunks = (async function* () {
    yield await readFile(path);
  })();
  must(await readTranscript(chunks, source, (entry) => void entries.push(entry)));
  return entries;
}

let folder: string;
let sample: Sample;
let stage: Stage;
let comparison: ReplayReport;
const words: DemoWord[] = [];
const stateNow = () => words.reduce(reduceDemo, emptyDemo);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "palimpsest-"));
  const file = join(folder, "session.jsonl");
  await writeFile(file, Buffer.concat(recordWork().map(encodeEntry)));
  sample = must(await loadSample(file, signal));
  stage = createStage(sample);
  const recording = prepareRecording(sample.session);
  const outcomes = new Map<string, SessionOutcome>();
  for (const policy of playedPolicies) {
    await playPolicy({ recording, policy, tell: (word) => words.push(word) });
    const told = words.at(-1);
    if (told?.word === "policy") outcomes.set(told.policy, told.outcome);
  }
  comparison = must(toReport(outcomes));
});

afterAll(() => rm(folder, { recursive: true }));

const linesAt = (columns: number, wasShown: boolean) =>
  reportLines(
    { story: sample.story, stage, state: stateNow(), summaries: comparison.policies },
    {
      columns,
      style: createStyle(false),
      wasShown,
      inspector: { sample: "/work/assets/sample.jsonl.gz", folder: "/work" },
    },
  );

describe("what stays of the demo", () => {
  it("follows both runs request by request, and the dollars are those of the comparison", () => {
    const state = stateNow();
    expect([state.engine.length, state.identity.length, state.compared]).toEqual([files + 2, files + 2, 8]);
    const dollars = (name: string) =>
      comparison.policies.find(({ policy }) => policy === name)?.cost.catalog?.total;
    expect(state.engine.at(-1)?.dollars).toBeCloseTo(dollars("faithful") ?? Number.NaN, 9);
    expect(state.identity.at(-1)?.dollars).toBeCloseTo(dollars("identity") ?? Number.NaN, 9);
    expect(state.events.some(({ frees }) => frees > 0)).toBe(true);
  });

  it("compares all policies in the order of the table", () => {
    expect(comparison.policies.map(({ policy }) => policy)).toEqual(comparedPolicies);
    const rows = linesAt(80, true).filter((line) => /^ {2}[\w-]+ +\d+\.\d\d {2}/.test(line));
    expect(rows.map((line) => line.trim().split(/ +/)[0])).toEqual(comparedPolicies);
    expect(rows[0]).toMatch(/^ {2}identity .* 1\.00 +[\d.]+ +0 +\d+k +1\.00$/);
  });

  it("tells turns and the layers' work where nobody has seen them", () => {
    const shown = linesAt(80, true);
    const told = linesAt(80, false);
    expect(told).toEqual(expect.arrayContaining([...shown]));
    expect(told.join("\n")).toMatch(/^ +1 {2}Read everything\. +24 /m);
    expect(told.join("\n")).toMatch(
      /22 min later: the cache is cold\n +2 {2}Now change the ␛\[31mfirst one\. +2 /,
    );
    expect(told.join("\n")).toMatch(/^ *#\d+ \d [a-z ]+ −\d+k? /m);
  });

  it.each([40, 80, 200])("fits %i columns, and lets no escape code through", (columns) => {
    const lines = linesAt(columns, false);
    const wide = lines.filter(
      (line) => stringWidth(line) > columns && !/palimpsest inspect|^ {2}policy|^ {2}[\w-]+ +\d/.test(line),
    );
    expect(wide).toEqual([]);
    expect(lines.join("")).not.toMatch(/\p{Cc}/u);
  });

  it("says what is real, and how to look inside", () => {
    expect(linesAt(80, true)).toEqual(
      expect.arrayContaining([
        "  Tool calls and results are real; words and token counts are not a model's.",
        "  look inside:",
        "    palimpsest inspect assets/sample.jsonl.gz",
      ]),
    );
  });

  it("says where the page is while it is served", () => {
    const places = { sample: "/work/a.jsonl.gz", folder: "/work", url: "http://127.0.0.1:1/x/" };
    expect(inspectorLines(places, createStyle(false))).toEqual([
      "  look inside:  http://127.0.0.1:1/x/",
      "  as recorded:",
      "    palimpsest inspect a.jsonl.gz",
      "",
      "  Only this machine can open the page. Ctrl+C ends it.",
    ]);
  });

  it("names the policies that there was no time for", () => {
    const outcomes = new Map(
      words
        .flatMap((word) => (word.word === "policy" ? [[word.policy, word.outcome] as const] : []))
        .slice(0, 6),
    );
    const summaries = must(toReport(outcomes)).policies;
    const inspector = { sample: "/work/sample.jsonl.gz", folder: "/work" };
    const lines = reportLines(
      { story: sample.story, stage, state: stateNow(), summaries },
      { columns: 80, style: createStyle(false), wasShown: true, inspector },
    );
    expect(lines).toContain("  Left out, since there was no time for them: sliding-mask, api-default.");
  });

  it("writes the session that the engine made, with its decisions", async () => {
    const log = words.find((word) => word.word === "log");
    if (log?.word !== "log") throw new Error("there is no log");
    const made = await writeEngineSession({ story: sample.story, cwd: stage.folder, log });
    if (made === null) throw new Error("it was not written");
    onTestFinished(made.remove);
    const entries = await readEntries(made.path);
    expect(entries[0]).toMatchObject({
      kind: "session",
      session: { model: sample.story.model, cwd: stage.folder },
    });
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    const decisions = entries.flatMap((entry) => (entry.kind === "decision" ? [entry.decision.type] : []));
    expect(decisions).toContain("clear");
    const tokensOf = (among: readonly Entry[]) => usageOfEntries(among.map(withoutUsage), {}).count.tokens;
    const undecided = entries.filter(({ kind }) => kind !== "decision");
    expect(tokensOf(entries)).toBeLessThan(tokensOf(undecided) / 2);
  });
});

/** What was measured is of the view that the decisions made. */
function withoutUsage(entry: Entry): Entry {
  return entry.kind === "message" ? { ...entry, message: { ...entry.message, usage: undefined } } : entry;
}
