import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeLine, cutAt, importBytes, jsonLines } from "../../../../../test/support/transcripts.ts";
import { detectFormat, headBytes, readHead } from "./detect-format.ts";

const detect = (text: string) => detectFormat(Buffer.from(text));
const long = "x".repeat(2 * headBytes);

describe("detectFormat", () => {
  it.each([
    ["palimpsest", jsonLines({ v: 1, seq: 1, epoch: 1, id: "e", at: "…", kind: "session", session: {} })],
    ["claude-code", jsonLines(claudeLine.user("u1", "hello"))],
    [
      "claude-code",
      jsonLines({ type: "summary", summary: "x", leafUuid: "y" }, claudeLine.user("u1", "hello")),
    ],
    ["claude-code", jsonLines({ type: "file-history-snapshot", snapshot: {} })],
    ["claude-code", `\uFEFF\0\0\0\n{"torn\n${jsonLines(claudeLine.user("u1", "hello"))}`],
    ["anthropic-messages", JSON.stringify([{ role: "user", content: "hello" }])],
    ["anthropic-messages", JSON.stringify({ system: "x", messages: [{ role: "user", content: "hello" }] })],
    ["anthropic-messages", JSON.stringify({ messages: [] }, null, 2)],
    [
      "anthropic-messages",
      jsonLines({ role: "user", content: [{ type: "tool_result" }] }, { role: "system" }),
    ],
    ["openai-messages", jsonLines({ role: "system", content: "x" }, { role: "user", content: "y" })],
    ["openai-messages", JSON.stringify([{ role: "user" }, { role: "tool", tool_call_id: "c" }], null, 1)],
    ["pi", jsonLines({ type: "session", id: "x", timestamp: "…", cwd: "/" })],
    ["pi", jsonLines({ type: "message", timestamp: "…", message: { role: "user" } })],
    ["codex", jsonLines({ timestamp: "…", type: "session_meta", payload: { id: "x" } })],
    ["codex", jsonLines({ type: "message", role: "user", content: [{ type: "input_text", text: "x" }] })],
    ["unknown", jsonLines({ fruit: "pear" })],
    ["unknown", "It was a dark and stormy night"],
    ["unknown", JSON.stringify([1, 2, 3])],
    ["unknown", ""],
  ])("tells %s by %s", (format, text) => {
    expect(detect(text)).toBe(format);
  });

  it.each([
    ["claude-code", JSON.stringify(claudeLine.user("u1", long))],
    ["claude-code", JSON.stringify(claudeLine.assistant("a1", [{ type: "text", text: long }]))],
    ["anthropic-messages", JSON.stringify({ model: "claude-x", system: long, messages: [] })],
    ["anthropic-messages", JSON.stringify([{ role: "user", content: long }], null, 2)],
  ])("tells %s by a first line longer than the head", (format, text) => {
    expect(detect(text.slice(0, headBytes))).toBe(format);
  });

  it("never throws, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof detectFormat(bytes)).toBe("string");
      }),
    );
  });
});

describe("readHead", () => {
  it("gives the same uncompressed bytes for plain and gzip, in any chunks", async () => {
    const text = Buffer.from(jsonLines(claudeLine.user("u1", long)));
    for (const bytes of [text, gzipSync(text)]) {
      const head = await readHead(cutAt(bytes, [1, 5, 700]));
      expect(Buffer.compare(head, text.subarray(0, headBytes))).toBe(0);
    }
  });
});

describe("a file that cannot be imported", () => {
  it.each([
    ["a palimpsest log", jsonLines({ v: 1, seq: 1, kind: "session" })],
    ["JSON lines of an unknown kind (fields: fruit)", jsonLines({ fruit: "pear" })],
    ["a JSON document without messages", JSON.stringify([1, 2])],
    ["a JSON document without messages", JSON.stringify({ model: "x", tools: long })],
    ["binary data", "\u0001\0\0\0"],
    ["UTF-16 text", Buffer.from("\uFEFF[]", "utf16le")],
    ["text that is not JSON", "Dear diary"],
  ])("is refused with what it looks like: %s", async (look, content) => {
    const { error, entries } = await importBytes(content, { file: "what.jsonl" });
    expect(error).toMatchObject({ code: "unknown-format", path: "what.jsonl" });
    expect(error?.message).toContain(`what.jsonl looks like ${look}`);
    expect(error?.fix).toContain("Supported are transcripts of Claude Code");
    expect(entries).toEqual([]);
  });

  it.each([
    ["no bytes", ""],
    ["blank lines", "\n \r\n\t"],
    ["an empty gzip", gzipSync("")],
  ])("is refused as empty when it holds %s", async (_what, content) => {
    const { error } = await importBytes(content, { file: "none.jsonl" });
    expect(error).toMatchObject({ code: "invalid-input", message: "none.jsonl is empty." });
  });

  it("is refused as damaged when nothing of its gzip can be read", async () => {
    const { error } = await importBytes(gzipSync("x").subarray(0, 6));
    expect(error?.code).toBe("corrupt");
  });
});
