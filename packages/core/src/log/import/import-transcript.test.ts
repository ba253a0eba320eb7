import { constants, gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accountedLines,
  claudeLine,
  cutAt,
  importBytes,
  importOk,
  jsonLines,
} from "../../../../../test/support/transcripts.ts";
import type { Entry } from "../../spec/index.ts";
import { importTranscript } from "./import-transcript.ts";

const separators = "wörds\u2028and\u2029\u0085\r more 🌳";
const session = jsonLines(
  { type: "summary", summary: "Pruning", leafUuid: "x" },
  claudeLine.user("u1", separators),
  claudeLine.assistant("a1", [{ type: "thinking", thinking: "hm" }], { usage: { output_tokens: 3 } }),
  claudeLine.assistant("a2", [{ type: "tool_use", id: "t1", name: "Saw", input: { tree: "🍐" } }]),
  claudeLine.user("u2", [{ type: "tool_result", tool_use_id: "t1", content: separators }], {
    parentUuid: "never-written",
  }),
  claudeLine.system("b1", "compact_boundary", { compactMetadata: { trigger: "auto", preTokens: 9 } }),
  claudeLine.user("s1", "Tree 4 is pruned.", { isCompactSummary: true }),
  claudeLine.attachment("at1", { type: "todo", items: [separators] }),
  { type: "unheard-of", uuid: "x1" },
  claudeLine.user("u1", "again"),
);
const sessionBytes = Buffer.from(session);
const cuts = fc.array(fc.nat(2 * sessionBytes.length), { maxLength: 12 });

describe("the museum", () => {
  it("row 1: a torn last line is counted, and all complete lines load", async () => {
    const whole = await importOk(session);
    const { entries, report } = await importOk(`${session}{"type":"user","uuid":"u9","mess`);
    expect(entries).toEqual(whole.entries);
    expect(report).toMatchObject({ lines: whole.report.lines + 1, torn: 1, corrupt: 0 });
    expect(report.problems.at(-1)).toMatchObject({ kind: "torn", line: 11, offset: sessionBytes.length });
  });

  it("row 1: a whole last line is taken, though no newline ends it", async () => {
    const whole = await importOk(session);
    const { entries, report } = await importOk(session.slice(0, -1));
    expect(entries).toEqual(whole.entries);
    expect(report).toEqual(whole.report);
  });

  it("row 3: a NUL run and bad lines in the middle are counted, and everything after them loads", async () => {
    const lines = session.split("\n");
    const damaged = Buffer.concat([
      Buffer.from(`${lines.slice(0, 2).join("\n")}\n`),
      Buffer.alloc(4096),
      Buffer.from('\n{"type":"user"\n'),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from(lines.slice(2).join("\n")),
    ]);
    const whole = await importOk(session);
    const { entries, report } = await importOk(damaged);
    expect(entries.filter((entry) => !entry.id.startsWith("line-"))).toEqual(
      whole.entries.filter((entry) => !entry.id.startsWith("line-")),
    );
    expect(report).toMatchObject({ lines: whole.report.lines + 3, corrupt: 3, torn: 0 });
    const offset = Buffer.byteLength(`${lines.slice(0, 2).join("\n")}\n`);
    expect(report.problems.slice(0, 3)).toEqual([
      { kind: "corrupt", line: 3, offset, bytes: 4096, reason: "it holds NUL bytes" },
      { kind: "corrupt", line: 4, offset: offset + 4097, bytes: 14, reason: "it is not JSON" },
      { kind: "corrupt", line: 5, offset: offset + 4112, bytes: 3, reason: "it is not valid UTF-8" },
    ]);
  });

  it("row 4: U+2028, U+2029, U+0085 and a lone CR are content; only the byte \\n ends a line", async () => {
    const { entries, report } = await importOk(session);
    expect(report).toMatchObject({ lines: 10, corrupt: 0, torn: 0 });
    expect(entries[2]).toMatchObject({ id: "u1", message: { content: separators } });
  });

  it("row 5: a missing parent link hides nothing", async () => {
    const { entries } = await importOk(session);
    expect(entries[5]).toMatchObject({ id: "u2", parent: "never-written" });
    expect(entries.map((entry) => entry.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

describe("importTranscript", () => {
  it("accounts for every line", async () => {
    const { report } = await importOk(`${session}\n\r\n  \n`);
    expect(report).toMatchObject({
      lines: 10,
      blank: 3,
      messages: 5,
      attachments: 1,
      otherTypes: { summary: 1, system: 1 },
      unknownTypes: { "unheard-of": 1 },
      duplicates: 1,
    });
    expect(accountedLines(report)).toBe(report.lines);
  });

  it("tolerates a byte order mark and CRLF line ends", async () => {
    const whole = await importOk(session);
    const { entries, report } = await importOk(`\uFEFF${session.replaceAll("\n", "\r\n")}`);
    expect(entries).toEqual(whole.entries);
    const [problem] = whole.report.problems;
    expect(report.problems).toEqual([
      { ...problem, offset: (problem?.offset ?? 0) + 3 + 9, bytes: (problem?.bytes ?? 0) + 1 },
    ]);
    expect({ ...report, problems: [] }).toEqual({ ...whole.report, problems: [] });
  });

  it("skips lines over the limit, and reads on", async () => {
    const text = jsonLines(
      claudeLine.user("u1", "short"),
      claudeLine.user("u2", "long".repeat(500)),
      claudeLine.user("u3", "short"),
    );
    const { entries, report } = await importOk(text, { maxLineBytes: 1000 });
    expect(entries.map((entry) => entry.id)).toEqual(["line-0", "u1", "u3"]);
    expect(report).toMatchObject({ lines: 3, messages: 2, skipped: 1 });
    expect(report.problems).toMatchObject([{ line: 2, reason: "it is longer than the limit" }]);
  });

  it("lists at most twenty problems of a kind, and counts them all", async () => {
    const { report } = await importOk(session + "bad\n".repeat(50));
    expect(report.corrupt).toBe(50);
    expect(report.problems.filter((problem) => problem.kind === "corrupt")).toHaveLength(20);
  });

  it("skips what is nested too deeply to be written again", async () => {
    const deep = `{"type":"deep","sessionId":"s","x":${"[".repeat(20_000)}${"]".repeat(20_000)}}\n`;
    const { report, entries } = await importOk(session + deep);
    expect(report).toMatchObject({ skipped: 1, unknownTypes: { "unheard-of": 1 } });
    expect(() => JSON.stringify(entries)).not.toThrow();
  });

  it("says so when the source fails, and when it is aborted", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield sessionBytes;
      throw new Error("disk on fire");
    }
    const failed = await importTranscript(failing(), { file: "x.jsonl" }, () => {});
    expect(failed).toMatchObject({ ok: false, error: { code: "io", path: "x.jsonl" } });
    const aborted = await importTranscript(cutAt(sessionBytes), { signal: AbortSignal.abort() }, () => {});
    expect(aborted).toMatchObject({ ok: false, error: { code: "aborted" } });
  });

  it("lets the source go when it is not read to its end", async () => {
    let isReleased = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from("no transcript\n");
      } finally {
        isReleased = true;
      }
    }
    const refused = await importTranscript(endless(), {}, () => {});
    expect(refused).toMatchObject({ ok: false, error: { code: "unknown-format" } });
    expect(isReleased).toBe(true);
  });

  it("gives the same result however the bytes are cut", async () => {
    const whole = await importBytes(sessionBytes);
    await fc.assert(
      fc.asyncProperty(cuts, async (positions) => {
        expect(await importBytes(sessionBytes, {}, positions)).toEqual(whole);
      }),
    );
    const everyByte = Array.from(sessionBytes, (_byte, index) => index);
    expect(await importBytes(sessionBytes, {}, everyByte)).toEqual(whole);
  });

  it("is not disturbed by a source that uses one buffer for all chunks", async () => {
    const long = Buffer.from(
      jsonLines(...Array.from({ length: 300 }, (_, n) => claudeLine.user(`u${n}`, "🌳"))),
    );
    async function* reusing(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
      const buffer = Buffer.alloc(1000);
      for (let start = 0; start < bytes.length; start += buffer.length) {
        const filled = Buffer.from(bytes.subarray(start, start + buffer.length)).copy(buffer);
        yield buffer.subarray(0, filled);
      }
    }
    const document = Buffer.from(JSON.stringify(Array(3000).fill({ role: "user", content: "hello" })));
    for (const bytes of [long, gzipSync(long, { level: 0 }), document]) {
      const entries: Entry[] = [];
      await importTranscript(reusing(bytes), {}, (entry) => entries.push(entry));
      expect(entries).toEqual((await importOk(bytes)).entries);
    }
  });

  it("looks ahead over the same bytes however they are cut", async () => {
    const title = { type: "summary", summary: "x".repeat(1000), leafUuid: "x" };
    const bytes = Buffer.from(jsonLines(...Array(70).fill(title), claudeLine.user("u1", "hello")));
    const whole = await importBytes(bytes, { file: "orchard.jsonl" });
    expect(whole.entries[0]).toMatchObject({ session: { id: "orchard" } });
    expect(await importBytes(bytes, { file: "orchard.jsonl" }, [1000, 70_000])).toEqual(whole);
  });

  it("never throws and accounts for every line after a cut at any byte", async () => {
    const { entries: all } = await importOk(sessionBytes);
    for (let length = 1; length <= sessionBytes.length; length += 1) {
      const bytes = sessionBytes.subarray(0, length);
      const { report, entries, error } = await importBytes(bytes);
      if (report === undefined) {
        expect(error?.code).toBe("unknown-format");
        continue;
      }
      expect(accountedLines(report)).toBe(report.lines);
      expect(report.lines + report.blank).toBe(countLines(bytes));
      expect(report.entries).toBe(entries.length - 1);
      expect(ids(all)).toEqual(expect.arrayContaining(ids(entries)));
    }
  });

  it("never throws and accounts for every line after any damage, however it is cut", async () => {
    const damage = fc.array(fc.tuple(fc.nat(sessionBytes.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(damage, cuts, async (changes, positions) => {
        const bytes = Buffer.from(sessionBytes);
        for (const [at, value] of changes) bytes[at] = value;
        const { report, entries, error } = await importBytes(bytes);
        expect(await importBytes(bytes, {}, positions)).toEqual({
          entries,
          ...(report ? { report } : { error }),
        });
        if (report === undefined) return;
        expect(accountedLines(report)).toBe(report.lines);
        expect(report.lines + report.blank).toBe(countLines(bytes));
        expect(new Set(ids(entries)).size).toBe(entries.length);
        expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_entry, index) => index + 1));
      }),
      { numRuns: 300 },
    );
  });

  it("accounts for every line of any JSON values", async () => {
    const line = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.record(
        {
          type: fc.constantFrom("user", "assistant", "system", "attachment", "summary", "new"),
          uuid: fc.constantFrom("a", "b", "c", "d"),
          subtype: fc.constantFrom("compact_boundary", "microcompact_boundary", "x"),
          message: fc.oneof(fc.jsonValue(), fc.record({ content: fc.oneof(fc.string(), fc.jsonValue()) })),
          attachment: fc.jsonValue(),
          isSidechain: fc.boolean(),
          isCompactSummary: fc.boolean(),
          compactMetadata: fc.jsonValue(),
        },
        { requiredKeys: ["type"] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
        const first = claudeLine.user("u1", "first");
        const { report, entries } = await importOk(jsonLines(first, ...lines));
        expect(report.lines).toBe(lines.length + 1);
        expect(accountedLines(report)).toBe(report.lines);
        expect(report.entries).toBe(report.lines - report.skipped - report.duplicates);
        expect(new Set(ids(entries)).size).toBe(entries.length);
      }),
    );
  });
});

describe("a gzip", () => {
  it("is known by its first bytes, and may have several members", async () => {
    const whole = await importOk(sessionBytes);
    const half = session.indexOf("\n", session.length / 2) + 1;
    const members = Buffer.concat([gzipSync(session.slice(0, half)), gzipSync(session.slice(half))]);
    for (const bytes of [gzipSync(sessionBytes), members]) {
      const { report, entries } = await importOk(bytes, { file: "no-hint" });
      expect(report).toEqual({ ...whole.report, gzip: "whole" });
      expect(entries.slice(1)).toEqual(whole.entries.slice(1));
    }
  });

  it("that is cut gives all that could be read, and says so", async () => {
    const bytes = gzipSync(sessionBytes);
    for (let length = 60; length < bytes.length; length += 7) {
      const cut = bytes.subarray(0, length);
      const readable = gunzipSync(cut, { finishFlush: constants.Z_SYNC_FLUSH });
      const { report, entries } = await importBytes(cut);
      const plain = await importBytes(readable);
      expect(entries).toEqual(plain.entries);
      if (report === undefined) continue;
      expect(report).toMatchObject({ gzip: "damaged", torn: plain.report?.torn });
      expect(report.problems).toContainEqual({ kind: "gzip", reason: "unexpected end of file" });
    }
  });

  it("that is damaged never throws, and gives the same however it is cut", async () => {
    const bytes = gzipSync(sessionBytes, { level: 1 });
    const damage = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(damage, cuts, async ([at, value], positions) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        const whole = await importBytes(damaged);
        expect(await importBytes(damaged, {}, positions)).toEqual(whole);
        if (whole.report) expect(accountedLines(whole.report)).toBe(whole.report.lines);
      }),
    );
  });

  it("with zero bytes behind it is whole", async () => {
    const { report } = await importOk(Buffer.concat([gzipSync(sessionBytes), Buffer.alloc(9000)]));
    expect(report).toMatchObject({ lines: 10, gzip: "whole" });
  });
});

function ids(entries: readonly Entry[]): string[] {
  return entries.map((entry) => entry.id);
}

/** By the rule alone: the byte `\n` ends a line, and an empty rest is none. */
function countLines(bytes: Uint8Array): number {
  const newlines = bytes.filter((byte) => byte === 0x0a).length;
  return newlines + (bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0);
}
