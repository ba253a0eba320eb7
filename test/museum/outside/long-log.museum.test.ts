import { appendFile, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { openSession } from "palimpsest";
import { expect, it } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { runProgram, temporaryFolder } from "./subject.ts";

interface LongLog {
  readonly logBytes: number;
  readonly resultLine: string;
  readonly resultLines: number;
  /** What a process may have that opens the log, by what became of its messages. */
  readonly heapMegabytes: Readonly<Record<"compacted" | "cleared" | "untouched", number>>;
}

const given = readJsonFixture<LongLog>("67-long-log.json");
const result = given.resultLine.repeat(given.resultLines);

/** A line as docs/log-format.md describes it. */
function lineOf(entry: object): string {
  const sealed = JSON.stringify(entry).slice(0, -1);
  return `${sealed},"crc":"${crc32(sealed).toString(16).padStart(8, "0")}"}\n`;
}

/** A session that went through calls and results until its log had its size, and what was decided about them then. */
async function writeLog(home: string, state: keyof LongLog["heapMegabytes"]): Promise<void> {
  const session = await openSession({ home, cwd: home, id: "one" });
  await session.add({ role: "user", content: "Go through everything." });
  await session.close();
  const [project = ""] = await readdir(join(home, "projects"));
  const path = join(home, "projects", project, "sessions", "one.jsonl");
  const last = JSON.parse((await readFile(path, "utf8")).trimEnd().split("\n").at(-1) ?? "");
  let { seq } = last;
  const next = (kind: string, body: object) => {
    seq += 1;
    const at = new Date(Date.parse(last.at) + seq).toISOString();
    return lineOf({ v: 1, seq, epoch: last.epoch, id: `msg_${seq}`, at, kind, [kind]: body });
  };
  const calls: string[] = [];
  const file = await open(path, "a");
  for (let written = 0; written < given.logBytes; ) {
    const id = `toolu_${seq}`;
    calls.push(id);
    const use = { type: "tool_use", id, name: "Read", input: { file_path: `${seq}.ts` } };
    const usage = { input: 5, output: 20, cacheRead: 9_000 + seq, cacheCreation: 900 };
    const answer = { type: "tool_result", tool_use_id: id, content: `${seq}\n${result}` };
    const lines =
      next("message", { type: "assistant", content: [use], responseId: `r_${seq}`, usage }) +
      next("message", { type: "user", content: [answer] });
    await file.appendFile(lines);
    written += lines.length;
  }
  await file.close();
  const decision = { layer: "microcompact", reason: "idle", frees: 1_000, basis: seq };
  const parts = calls.map((toolUseId) => ({ toolUseId, part: "result", label: "[cleared]" }));
  if (state === "cleared") await appendFile(path, next("decision", { type: "clear", ...decision, parts }));
  if (state !== "compacted") return;
  const summary = { type: "user", content: "Everything was read.", isCompactSummary: true };
  const tokens = { tokensBefore: 9_000_000, tokensAfter: 100 };
  const compact = {
    type: "compact",
    trigger: "auto",
    strategy: "prefix",
    summary,
    covers: `msg_${seq}`,
    ...tokens,
  };
  const none = { attachments: [], discoveredTools: [] };
  await appendFile(path, next("decision", { ...decision, ...compact, ...none }));
}

const program = (home: string) => `
  import { openSession } from "palimpsest";
  const home = ${JSON.stringify(home)};
  const session = await openSession({ home, cwd: home, id: "one", resume: true });
  let entries = 0;
  for await (const entry of session.entries()) entries += 1;
  console.log(entries > 1000 ? "opened" : "lost");
  await session.close();
`;

it.each(Object.entries(given.heapMegabytes))(
  "67: a log of 100 MB is resumed in the memory that its view takes (%s)",
  async (state, megabytes) => {
    const home = await temporaryFolder();
    await writeLog(home, state as keyof LongLog["heapMegabytes"]);
    const { code, stdout } = await runProgram(program(home), [`--max-old-space-size=${megabytes}`]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "opened\n" });
  },
  300_000,
);
