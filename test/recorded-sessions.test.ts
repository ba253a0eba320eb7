import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type ImportReport, importTranscript } from "../packages/core/src/log/import/index.ts";
import type { Entry } from "../packages/core/src/spec/index.ts";
import { accountedLines } from "./support/transcripts.ts";

/**
 * Runs over real sessions that are not part of the project: a folder of Claude Code transcripts, plain or gzip, and
 * beside the folder, if there is one, `sessions.index.jsonl` with what is known about them. Everything compared here
 * is computed by this file alone, from the bytes.
 */
const folder = process.env.PALIMPSEST_RECORDED_SESSIONS ?? "";
const files = folder === "" ? [] : readdirSync(folder).filter((name) => /\.jsonl(\.gz)?$/.test(name));

interface RecordedLine {
  readonly type?: string;
  readonly subtype?: string;
  readonly message?: {
    readonly id?: string;
    readonly usage?: Readonly<Record<string, number>>;
    readonly content?: unknown;
  };
}

function recordedLines(file: string): readonly RecordedLine[] {
  const bytes = readFileSync(join(folder, file));
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .split("\n")
    .filter((line) => /[^ \t\r]/.test(line))
    .map((line) => JSON.parse(line) as RecordedLine);
}

async function importFile(file: string): Promise<{ report: ImportReport; entries: readonly Entry[] }> {
  const entries: Entry[] = [];
  const result = await importTranscript(createReadStream(join(folder, file)), { file }, (entry) =>
    entries.push(entry),
  );
  if (!result.ok) throw result.error;
  return { report: result.value, entries };
}

function blocksOf(line: RecordedLine): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(line.message?.content) ? line.message.content : [];
}

function countBy<T>(items: readonly T[], key: (item: T) => string | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) {
    const name = key(item);
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** The four parts of usage, over responses, the last line of each. */
function usageOf(lines: readonly RecordedLine[]) {
  const last = new Map<string | undefined, Readonly<Record<string, number>>>();
  for (const { type, message } of lines) {
    if (type === "assistant" && message?.usage) last.set(message.id, message.usage);
  }
  const sum = (field: string) => [...last.values()].reduce((total, usage) => total + (usage[field] ?? 0), 0);
  return {
    responses: last.size,
    usage: {
      input: sum("input_tokens"),
      output: sum("output_tokens"),
      cacheRead: sum("cache_read_input_tokens"),
      cacheCreation: sum("cache_creation_input_tokens"),
    },
  };
}

const index = new Map<string, Readonly<Record<string, number>>>();
const indexFile = join(dirname(folder), "sessions.index.jsonl");
if (folder !== "" && existsSync(indexFile)) {
  for (const line of readFileSync(indexFile, "utf8").split("\n").filter(Boolean)) {
    const known = JSON.parse(line);
    index.set(known.file, known);
  }
}

describe.skipIf(folder === "")("recorded sessions", () => {
  it("are there", () => {
    expect(files).not.toEqual([]);
  });

  it.each(files)("%s: every line is accounted for", async (file) => {
    const lines = recordedLines(file);
    const { report, entries } = await importFile(file);
    const types = countBy(lines, (line) => line.type);
    const { user = 0, assistant = 0, attachment = 0, ...others } = types;
    expect(report).toMatchObject({
      lines: lines.length,
      blank: 0,
      torn: 0,
      corrupt: 0,
      skipped: 0,
      duplicates: 0,
    });
    expect(accountedLines(report)).toBe(lines.length);
    expect(report).toMatchObject({
      userMessages: user,
      assistantMessages: assistant,
      attachments: attachment,
    });
    expect(report.messages).toBe(user + assistant);
    expect({ ...report.otherTypes, ...report.unknownTypes }).toEqual(others);
    expect(report.entries).toBe(lines.length);
    expect(entries.map((entry) => entry.seq)).toEqual(Array.from(entries, (_entry, at) => at + 1));
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
  });

  it.each(files)("%s: blocks, boundaries and usage are what the lines say", async (file) => {
    const lines = recordedLines(file);
    const { report, entries } = await importFile(file);
    const blocks = lines.flatMap(blocksOf);
    const subtypes = countBy(lines, (line) => line.subtype);
    expect(report.toolResults).toBe(blocks.filter((block) => block.type === "tool_result").length);
    expect(report.unsignedThinking).toBe(
      blocks.filter((block) => block.type === "thinking" && !block.signature).length,
    );
    expect(report.boundaries).toBe(subtypes.compact_boundary ?? 0);
    expect(report.clearings).toBe(subtypes.microcompact_boundary ?? 0);
    const decisions = countBy(entries, (entry) =>
      entry.kind === "decision" ? entry.decision.type : undefined,
    );
    expect(decisions.compact ?? 0).toBe(report.boundaries);
    expect(decisions.clear ?? 0).toBe(report.clearings);
    expect(report).toMatchObject(usageOf(lines));
  });

  it.each(files.filter((file) => index.has(file)))("%s: the index agrees", async (file) => {
    const known = index.get(file) ?? {};
    const { report } = await importFile(file);
    expect({
      responses: report.responses,
      toolResults: report.toolResults,
      boundaries: report.boundaries,
      cacheRead: report.usage.cacheRead,
      cacheCreation: report.usage.cacheCreation,
    }).toEqual({
      responses: known.api_calls,
      toolResults: known.tool_results,
      boundaries: known.compactions,
      cacheRead: known.sum_cache_read,
      cacheCreation: known.sum_cache_creation,
    });
  });
});
