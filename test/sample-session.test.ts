import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createLineJudge } from "../packages/core/src/log/line-judge.ts";
import {
  type ContentBlock,
  type Entry,
  isBlock,
  type LogReport,
  type MessageEntry,
  type TodoRecord,
} from "../packages/core/src/spec/index.ts";

const asset = new URL("../packages/palimpsest/assets/sample-session.jsonl.gz", import.meta.url);
const page = readFileSync(new URL("../docs/sample-session.md", import.meta.url), "utf8");
const bytes = gunzipSync(readFileSync(asset));
const { entries, report, lines } = readLog(bytes);

const messages = entries.filter((entry): entry is MessageEntry => entry.kind === "message");
const responses = messages.filter(({ message }) => message.type === "assistant");
const prompts = messages.filter(({ message }) => typeof message.content === "string");
const uses = messages.flatMap((entry) => blocksOf(entry).filter((block) => isBlock(block, "tool_use")));
const results = messages.flatMap((entry) => blocksOf(entry).filter((block) => isBlock(block, "tool_result")));

/** The cache's life, which the recorded usage was made with. */
const cacheTtlMs = 5 * 60_000;

function readLog(log: Buffer): { entries: readonly Entry[]; report: LogReport; lines: number } {
  const found: Entry[] = [];
  const judge = createLineJudge((entry) => found.push(entry));
  let count = 0;
  let start = 0;
  for (let end = log.indexOf("\n"); end !== -1; end = log.indexOf("\n", start)) {
    judge.line(log, start, end, start);
    count += 1;
    start = end + 1;
  }
  judge.tail(start, log.length - start, true);
  return { entries: found, report: judge.report(), lines: count };
}

function blocksOf({ message }: MessageEntry): readonly ContentBlock[] {
  return typeof message.content === "string" ? [] : message.content;
}

function usesIn(entry: MessageEntry | undefined): readonly string[] {
  return entry ? blocksOf(entry).flatMap((block) => (isBlock(block, "tool_use") ? [block.id] : [])) : [];
}

function resultsIn(entry: MessageEntry | undefined): readonly string[] {
  return entry
    ? blocksOf(entry).flatMap((block) => (isBlock(block, "tool_result") ? [block.tool_use_id] : []))
    : [];
}

const timeOf = ({ at }: Entry) => Date.parse(at);

/** From each response to what is sent next. */
function idleBefore(index: number): number {
  const sent = messages[index - 1];
  const answered = messages.slice(0, index - 1).findLast(({ message }) => message.type === "assistant");
  return sent && answered ? timeOf(sent) - timeOf(answered) : Number.POSITIVE_INFINITY;
}

describe("the sample session", () => {
  it("is a log of our own with nothing damaged in it, and needs no blob", () => {
    expect(report).toMatchObject({
      entries: lines,
      corruptLines: 0,
      fencedLines: 0,
      tornBytes: 0,
      salvaged: 0,
      unknownKinds: {},
      damages: [],
    });
    expect(entries.filter((entry) => entry.blobs)).toEqual([]);
  });

  it("says what it is", () => {
    expect(entries[0]).toMatchObject({
      kind: "session",
      session: { project: "palimpsest-sample", cwd: "/home/dev/palimpsest", model: "claude-opus-4-5" },
    });
    expect(entries.some((entry) => entry.kind === "note" && entry.note.topic === "title")).toBe(true);
    expect(entries.filter((entry) => entry.kind === "decision")).toEqual([]);
  });

  it("is long, and outgrows a window of 200,000 tokens", () => {
    expect(responses.length).toBeGreaterThanOrEqual(300);
    expect(prompts.length).toBeGreaterThanOrEqual(8);
    const last = responses.findLast(({ message }) => !message.isAborted)?.message.usage;
    expect((last?.cacheRead ?? 0) + (last?.cacheCreation ?? 0)).toBeGreaterThan(200_000);
    expect(bytes.length).toBeGreaterThan(1_500_000);
  });

  it("has pauses, among them a night", () => {
    const pauses = prompts.slice(1).map((prompt) => idleBefore(messages.indexOf(prompt) + 1));
    expect(pauses.filter((ms) => ms > 10 * 60_000).length).toBeGreaterThanOrEqual(3);
    expect(pauses.filter((ms) => ms > 6 * 3_600_000)).toHaveLength(1);
  });

  it("answers every call once, in the next message, in order", () => {
    for (const [index, entry] of messages.entries()) {
      const before = messages[index - 1];
      if (entry.message.type === "user") expect(resultsIn(entry), entry.id).toEqual(usesIn(before));
      else expect(before?.message.type, entry.id).toBe("user");
    }
    expect(new Set(uses.map(({ id }) => id)).size).toBe(uses.length);
    expect(results).toHaveLength(uses.length);
    expect(responses.filter((entry) => usesIn(entry).length > 1).length).toBeGreaterThan(20);
  });

  it("ends every turn with words, and says why each response ended", () => {
    for (const entry of responses) {
      const { message, id } = entry;
      const stopReason = message.isAborted ? null : usesIn(entry).length > 0 ? "tool_use" : "end_turn";
      expect(message.stopReason, id).toBe(stopReason);
    }
    expect(responses.filter(({ message }) => message.isAborted).length).toBeGreaterThanOrEqual(1);
    expect(new Set(responses.map(({ message }) => message.responseId)).size).toBe(responses.length);
    expect(messages.flatMap(blocksOf).map(({ type }) => type)).not.toContain("thinking");
  });

  it("has to-dos that move, and a list that is dropped", () => {
    const lists = uses
      .filter(({ name }) => name === "TodoWrite")
      .map(({ input }) => (input as { readonly todos: readonly TodoRecord[] }).todos);
    expect(lists.length).toBeGreaterThan(10);
    expect(new Set(lists.flat().map(({ status }) => status))).toEqual(
      new Set(["pending", "in_progress", "completed"]),
    );
    expect(lists.some((list) => list.length === 0)).toBe(true);
  });

  it("has failures of several kinds, and large results", () => {
    const failures = results.filter(({ is_error }) => is_error).map(({ content }) => String(content));
    for (const kind of [
      /^Exit code 1/,
      /occurs \d+ times/,
      /changed since it was last read/,
      /interrupted/,
    ]) {
      expect(
        failures.filter((text) => kind.test(text)),
        String(kind),
      ).not.toEqual([]);
    }
    expect(failures.length).toBeGreaterThan(20);
    expect(results.filter(({ content }) => String(content).length > 50_000).length).toBeGreaterThanOrEqual(2);
  });

  it("names no folder of the machine that made it", () => {
    const log = bytes.toString("utf8");
    expect(/(?<![\w.~-])\/(?:tmp|work|root)\//.exec(log)?.[0]).toBeUndefined();
    expect(/\.\.\/(?:tmp|work|root)\//.exec(log)?.[0]).toBeUndefined();
    expect(log).not.toMatch(/registry\.npm|\bresolved\\?": \\?"https?:/);
  });

  it("has usage on every response: a cold cache reads nothing, a warm one all that was cached before", () => {
    let cached = 0;
    let cold = 0;
    for (const [index, { message, id }] of messages.entries()) {
      if (message.type !== "assistant") continue;
      const { usage } = message;
      if (usage === undefined) throw new Error(`${id} has no usage.`);
      const isCold = idleBefore(index) > cacheTtlMs;
      if (isCold) cold += 1;
      expect(usage.cacheRead, id).toBe(isCold ? 0 : cached);
      expect(usage.cacheCreation, id).toBeGreaterThan(0);
      expect(usage.output, id).toBeGreaterThan(0);
      cached = usage.cacheRead + usage.cacheCreation;
    }
    expect(cold).toBeGreaterThanOrEqual(4);
  });

  it("is described with its own counts", () => {
    const count = (value: number) => value.toLocaleString("en-US");
    expect(page).toContain(`| Lines of the log | ${count(entries.length)} |`);
    expect(page).toContain(`| Prompts of the user | ${count(prompts.length)} |`);
    expect(page).toContain(`| Responses (requests) | ${count(responses.length)}, `);
    expect(page).toContain(`| Tool calls | ${count(uses.length)}: `);
  });
});
