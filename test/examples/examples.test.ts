import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { root } from "../house/source-files.ts";

const folder = join(root, "examples");
const files = readdirSync(folder).sort();

/** All pages are read, and the first is not lost. */
const pagesAreRead = ["All pages are read.", "13 requests, 0 refused", "page 1 can be read back: true"];
const isCompacted = expect.stringMatching(/^compacted: \d+ tokens are over the threshold of \d+$/);
const isFromCache = "a fork: Understood. 99 % of its prompt came from the cache";

const printed: Readonly<Record<string, readonly unknown[]>> = {
  "01-session.mjs": [isCompacted, ...pagesAreRead],
  "02-own-loop-openai.mjs": pagesAreRead,
  "03-agent.mjs": [
    "Read worked",
    "Edit worked",
    "done: The port is 9090 now.",
    'config.json: { "port": 9090 }',
  ],
  "04-memory.mjs": [
    "a write on an old version: conflict, it is at version 2",
    "found deploys.md: Mondays",
    "version 1 by user",
    "version 2 by user",
    "taken back: true",
  ],
  "05-fork.mjs": ["the session: Understood.", isFromCache, isFromCache, "messages in the session: 2"],
  "06-replay.mjs": [
    "412 requests",
    "identity: cost 1.00, breaks 0, fetched again 0",
    expect.stringMatching(/^mine: cost 0\.\d\d, breaks [1-9]\d*, fetched again [1-9]\d*$/),
  ],
  "07-gateway.mjs": ["without: prompt is too long", "with: All pages are read.", "sessions recorded: 1"],
  "08-mcp.mjs": [
    "memory_search, memory_read, memory_write, memory_history, sessions_search, recall, context_report",
    "found: true",
    "read back: true",
  ],
  "09-ai-sdk.mjs": pagesAreRead,
  "10-langchain.mjs": [
    "All pages are read.",
    "13 requests, 0 refused; the agent has 26 messages",
    "page 1 can be read back: true",
  ],
};

/** Nothing listens there: an example that asks the real provider, or whatever the environment names, fails. */
const nowhere = "http://127.0.0.1:9";

/** Runs an example as users do, in an empty folder that is also its home and its place for temporary files. */
async function run(file: string) {
  const place = await mkdtemp(join(tmpdir(), "palimpsest-examples-"));
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: place,
    TMPDIR: place,
    PALIMPSEST_HOME: place,
    ANTHROPIC_API_KEY: "sk-test",
    ANTHROPIC_BASE_URL: nowhere,
    OPENAI_API_KEY: "sk-test",
    OPENAI_BASE_URL: nowhere,
  };
  const hook = new URL("./adapter-packages.mjs", import.meta.url).href;
  try {
    const args = ["--import", hook, join(folder, file)];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: place, env });
    return { lines: stdout.trimEnd().split("\n"), stderr, left: await readdir(place) };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Two at a time, in their order. */
const lanes = [Promise.resolve(), Promise.resolve()];
function inLane<Value>(index: number, work: () => Promise<Value>): Promise<Value> {
  const lane = index % lanes.length;
  const mine = (lanes[lane] ?? Promise.resolve()).then(work);
  lanes[lane] = mine.then(
    () => undefined,
    () => undefined,
  );
  return mine;
}

describe("examples", () => {
  it("are numbered, short, say what they show, and are all run", () => {
    expect(files).toEqual(Object.keys(printed));
    for (const [index, file] of files.entries()) {
      const lines = readFileSync(join(folder, file), "utf8").trimEnd().split("\n");
      expect({ file, number: Number.parseInt(file, 10), isCommented: lines[0]?.startsWith("// ") }).toEqual({
        file,
        number: index + 1,
        isCommented: true,
      });
      expect(lines.length, file).toBeLessThanOrEqual(60);
    }
  });

  for (const [index, file] of files.entries())
    it.concurrent(`${file} prints what is true, and leaves nothing`, async ({ expect: check }) => {
      const { lines, stderr, left } = await inLane(index, () => run(file));
      // How often it compacts is no promise.
      const told = lines.filter((line, at) => !line.startsWith("compacted:") || at === 0);
      check({ lines: told, stderr, left }).toEqual({ lines: printed[file], stderr: "", left: [] });
    });
});
