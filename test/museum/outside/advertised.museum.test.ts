import { type ContentBlock, defaultLayers, type Entry, type EntryBody } from "palimpsest";
import {
  normalize,
  type Policy,
  policies,
  prepareRecording,
  ratioRow,
  replayRecording,
} from "palimpsest/replay";
import { expect, it } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";

interface ReadingWork {
  readonly model: string;
  readonly prompt: string;
  readonly files: number;
  readonly linesPerFile: number;
  /** `{file}` and `{line}` stand for numbers, all of one length: tokens are counted by what characters there are. */
  readonly line: string;
  /** Of system prompt and tools. */
  readonly headTokens: number;
  /** The names under which the engine is compared with others, and what a user has set who has it so. */
  readonly modes: Readonly<Record<string, object>>;
}

const given = readJsonFixture<ReadingWork>("71-reading-work.json");

/** An agent reads one file after the other; each request had what came before it. */
function recordWork(): readonly Entry[] {
  const entries: Entry[] = [];
  let tokens = given.headTokens;
  const write = (body: EntryBody) => {
    const seq = entries.length + 1;
    const at = new Date(Date.UTC(2026, 0, 1) + seq * 30_000).toISOString();
    entries.push({ v: 1, seq, epoch: 1, id: `e${seq}`, at, ...body });
  };
  const say = (type: "user" | "assistant", content: readonly ContentBlock[], more: object = {}) => {
    write({ kind: "message", message: { type, content, ...more } });
    tokens += JSON.stringify(content).length / 3;
  };
  const answer = (responseId: string, content: readonly ContentBlock[]) => {
    const usage = { input: 0, cacheRead: 0, cacheCreation: Math.round(tokens), output: 10 };
    say("assistant", content, { responseId, model: given.model, usage });
  };
  write({ kind: "session", session: { id: "recorded", project: "p", cwd: "/work" } });
  say("user", [{ type: "text", text: given.prompt }]);
  for (let file = 0; file < given.files; file += 1) {
    const id = `toolu_${file}`;
    const number = (of: number) => String(of).padStart(3, "0");
    const text = Array.from({ length: given.linesPerFile }, (_, line) =>
      given.line.replaceAll("{file}", number(file)).replaceAll("{line}", number(line)),
    ).join("\n");
    answer(`r${file}`, [
      { type: "tool_use", id, name: "Read", input: { file_path: `/work/part${file}.ts` } },
    ]);
    say("user", [{ type: "tool_result", tool_use_id: id, content: text }]);
  }
  answer("last", [{ type: "text", text: "It fits together." }]);
  return entries;
}

const layersOf = (layers: ReturnType<typeof defaultLayers>) => layers.map(({ id }) => id);

it("71: a policy with all layers of a session has the settings of one: none, or the mode that it is named after", () => {
  const context = { ttlMs: 300_000, seed: 1, restore: {}, future: {} } as never;
  const whole = policies.filter(
    ({ createLayers }) => String(layersOf(createLayers(context))) === String(layersOf(defaultLayers())),
  );
  expect(whole.length).toBeGreaterThan(0);
  for (const { name, settings = {} } of whole)
    expect({ name, settings }).toEqual({ name, settings: given.modes[name] });
});

it("71: a replay under “engine” costs what one costs in which nothing is set", async () => {
  const engine = policies.find(({ name }) => name === "engine");
  if (!engine) throw new Error("There is no policy “engine”.");
  const opened: Policy = { ...engine, name: "opened", settings: {} };
  const row = ratioRow(0.1);
  const options = { ttl: "5m", lookBackBlocks: 20, priceRows: [row], hasCatalogRow: false } as const;
  const recording = prepareRecording(normalize(recordWork(), "work"));
  const { runs } = await replayRecording(recording, [engine, opened], options);
  const [advertised, own] = runs.map(({ plain }) => plain[row.name]?.cost[row.name]);
  expect(advertised).toBeGreaterThan(0);
  expect(advertised).toBe(own);
});
