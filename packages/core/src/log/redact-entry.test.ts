import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nastyText } from "../../../../test/support/entries.ts";
import { must } from "../../../testing/src/conformance/outcomes.ts";
import type { BlobRef, Entry, MessageEntry } from "../spec/index.ts";
import { redactEntry } from "./redact-entry.ts";
import { redactBytes } from "./redact-value.ts";
import { createRedaction } from "./redaction.ts";

const secret = "hunter2-hunter2";
const redaction = must(createRedaction(secret));
const none = new Map();
const oldHash = "a".repeat(64);
const newHash = "b".repeat(64);
const renewed = new Map([[oldHash, { ref: { blob: newHash, bytes: 9, lines: 1 }, occurrences: 3 }]]);

function entryWith(content: unknown, more: object = {}): Entry {
  const at = "2026-01-01T00:00:00.000Z";
  return {
    v: 1,
    seq: 7,
    epoch: 2,
    id: "msg_7",
    at,
    kind: "message",
    message: { type: "assistant", content },
    ...more,
  } as Entry;
}

describe("redactEntry", () => {
  it("takes the secret out of values and keys, wherever they stand", () => {
    const before = entryWith([
      { type: "text", text: `key=${secret}; again ${secret}` },
      { type: "tool_use", id: "t1", name: "Bash", input: { [secret]: [{ deep: `x${secret}x` }], plain: 1 } },
    ]);
    expect(redactEntry(before, redaction, none)).toEqual({
      entry: entryWith([
        { type: "text", text: "key=[REDACTED]; again [REDACTED]" },
        {
          type: "tool_use",
          id: "t1",
          name: "Bash",
          input: { "[REDACTED]": [{ deep: "x[REDACTED]x" }], plain: 1 },
        },
      ]),
      occurrences: 4,
      droppedBlocks: 0,
    });
  });

  it("gives the same object back where there is nothing to take out", () => {
    const before = entryWith([{ type: "text", text: "hunter2" }]);
    expect(redactEntry(before, redaction, none).entry).toBe(before);
  });

  it("removes a thinking block whole instead of editing it", () => {
    const before = entryWith([
      { type: "thinking", thinking: `the key is ${secret}`, signature: "sig" },
      { type: "redacted_thinking", data: `..${secret}..` },
      { type: "thinking", thinking: "harmless", signature: "sig" },
      { type: "text", text: "done" },
    ]);
    const { entry, droppedBlocks } = redactEntry(before, redaction, none);
    expect(droppedBlocks).toBe(2);
    expect(entry).toEqual(
      entryWith([
        { type: "thinking", thinking: "harmless", signature: "sig" },
        { type: "text", text: "done" },
      ]),
    );
  });

  it("names a small value of the session's head by the hash of what it holds now", () => {
    const { message: _message, ...rest } = entryWith("") as MessageEntry;
    const head = (system: BlobRef): Entry => ({
      ...rest,
      kind: "session",
      session: { id: "one", project: "", system },
    });
    const refOf = (text: string) => {
      const blob = createHash("sha256").update(text).digest("hex");
      return { blob, bytes: Buffer.byteLength(text), lines: 1, text };
    };
    const text = (words: string) => JSON.stringify([{ type: "text", text: words }]);
    const { entry, occurrences } = redactEntry(head(refOf(text(`Use ${secret}.`))), redaction, none);
    expect({ entry, occurrences }).toEqual({ entry: head(refOf(text("Use [REDACTED]."))), occurrences: 1 });
  });

  it("finds the secret inside JSON that stands inside a text", () => {
    const quoted = must(createRedaction('pa"ss\\word\n1'));
    const value = JSON.stringify({ inner: JSON.stringify({ key: 'pa"ss\\word\n1' }) });
    const { entry, occurrences } = redactEntry(entryWith(value), quoted, none);
    expect(occurrences).toBe(1);
    expect(entry).toEqual(entryWith(JSON.stringify({ inner: JSON.stringify({ key: "[REDACTED]" }) })));
  });

  it("refers to the new blob, and moves the places behind a block that is gone", () => {
    const ref = { blob: oldHash, bytes: 70_000, lines: 1 };
    const other = { blob: "c".repeat(64), bytes: 70_000, lines: 2 };
    const before = entryWith(
      [
        { type: "thinking", thinking: secret, signature: "sig" },
        { type: "text", text: ref },
        { type: "text", text: other },
        { type: "text", text: "the user's own", data: { blob: "not a hash" } },
      ],
      {
        blobs: [
          { path: ["message", "content", 1, "text"], as: "text" },
          { path: ["message", "content", 2, "text"], as: "json" },
        ],
      },
    );
    const { entry, occurrences, droppedBlocks } = redactEntry(before, redaction, renewed);
    expect({ occurrences, droppedBlocks }).toEqual({ occurrences: 4, droppedBlocks: 1 });
    expect(entry).toEqual(
      entryWith(
        [
          { type: "text", text: { blob: newHash, bytes: 9, lines: 1 } },
          { type: "text", text: other },
          { type: "text", text: "the user's own", data: { blob: "not a hash" } },
        ],
        {
          blobs: [
            { path: ["message", "content", 0, "text"], as: "text" },
            { path: ["message", "content", 1, "text"], as: "json" },
          ],
        },
      ),
    );
  });

  it("drops a thinking block whose text is a blob that held the secret", () => {
    const before = entryWith(
      [{ type: "thinking", thinking: { blob: oldHash, bytes: 70_000, lines: 1 }, signature: "s" }],
      { blobs: [{ path: ["message", "content", 0, "thinking"], as: "text" }] },
    );
    const { entry, droppedBlocks } = redactEntry(before, redaction, renewed);
    expect(droppedBlocks).toBe(1);
    expect(entry).toEqual(entryWith([]));
  });

  it("renews the blobs that a session's header and an offload name", () => {
    const head = { v: 1, seq: 1, epoch: 1, id: "e", at: "2026-01-01T00:00:00.000Z" } as const;
    const header = { id: "s", project: "p", system: { blob: oldHash, bytes: 1, lines: 1 } };
    const decision = {
      type: "offload",
      results: [{ toolUseId: "t", preview: `has ${secret}`, blob: oldHash }],
    };
    expect(
      redactEntry({ ...head, kind: "session", session: header }, redaction, renewed).entry,
    ).toMatchObject({
      session: { system: { blob: newHash, bytes: 9, lines: 1 } },
    });
    const offload = { ...head, kind: "decision", decision } as unknown as Entry;
    expect(redactEntry(offload, redaction, renewed).entry).toMatchObject({
      decision: { results: [{ toolUseId: "t", preview: "has [REDACTED]", blob: newHash }] },
    });
  });

  it("leaves hashes, times and counts alone that hold a secret by chance", () => {
    const digits = must(createRedaction("20260101"));
    const before = entryWith("nothing", { at: "2026-01-01T00:00:00.000Z", seq: 20_260_101 });
    expect(redactEntry(before, digits, none).entry).toBe(before);
    const hex = must(createRedaction("cccccccc"));
    const ref = { blob: "c".repeat(64), bytes: 1, lines: 1 };
    const blobbed = entryWith(ref, { blobs: [{ path: ["message", "content"], as: "text" }] });
    expect(redactEntry(blobbed, hex, none).entry).toBe(blobbed);
  });

  it("takes a secret of digits out of numbers inside content", () => {
    const digits = must(createRedaction("4929123412341234"));
    const before = entryWith([{ type: "tool_use", id: "t", name: "Pay", input: { card: 4929123412341234 } }]);
    expect(redactEntry(before, digits, none).entry).toEqual(
      entryWith([{ type: "tool_use", id: "t", name: "Pay", input: { card: "[REDACTED]" } }]),
    );
  });

  it("keeps both values of two keys that become one", () => {
    const before = entryWith([{ type: "x", "[REDACTED]": 1, [secret]: 2 }]);
    expect(redactEntry(before, redaction, none).entry).toEqual(
      entryWith([{ type: "x", "[REDACTED]": 1, "[REDACTED] (2)": 2 }]),
    );
  });

  it("leaves no secret in any text, also where the replacement would make it whole again", () => {
    const anySecret = fc.string({ unit: "grapheme", minLength: 8, maxLength: 12 });
    fc.assert(
      fc.property(
        anySecret,
        nastyText,
        nastyText,
        fc.string({ maxLength: 8 }),
        (hidden, a, b, replacement) => {
          const made = createRedaction(hidden, replacement);
          fc.pre(made.ok);
          if (!made.ok) return;
          const { entry } = redactEntry(
            entryWith([{ type: "text", text: a + hidden + hidden.slice(0, 4) + b }]),
            made.value,
            none,
          );
          expect(JSON.stringify((entry as unknown as { message: unknown }).message)).not.toContain(
            JSON.stringify(hidden).slice(1, -1),
          );
        },
      ),
    );
  });
});

describe("createRedaction", () => {
  it("refuses what cannot be taken out safely", () => {
    expect(createRedaction("short12")).toMatchObject({ ok: false, error: { code: "invalid-input" } });
    expect(createRedaction("tool_result")).toMatchObject({ ok: false, error: { code: "invalid-input" } });
    expect(createRedaction("thinking")).toMatchObject({ ok: false, error: { code: "invalid-input" } });
    expect(createRedaction(secret, `<${secret}>`)).toMatchObject({
      ok: false,
      error: { code: "invalid-input" },
    });
    expect(createRedaction("contraseña").ok).toBe(true);
  });
});

describe("redactBytes", () => {
  it("reads JSON as values and everything else as text, and bytes that are no text as bytes", () => {
    const json = Buffer.from(JSON.stringify({ a: [secret, 1], b: "x" }));
    expect(Buffer.from(redactBytes(json, undefined, redaction).bytes).toString()).toBe(
      '{"a":["[REDACTED]",1],"b":"x"}',
    );
    const text = Buffer.from(`[ not json ${secret}`);
    expect(Buffer.from(redactBytes(text, undefined, redaction).bytes).toString()).toBe(
      "[ not json [REDACTED]",
    );
    const raw = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(secret), Buffer.of(0x00)]);
    const expected = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from("[REDACTED]"), Buffer.of(0x00)]);
    expect(Buffer.compare(redactBytes(raw, undefined, redaction).bytes, expected)).toBe(0);
  });

  it("is not misled by an escape that looks like the beginning of the secret", () => {
    const starting = must(createRedaction("nABCDEFGH"));
    const json = Buffer.from(JSON.stringify({ text: "\nABCDEFGH" }));
    expect(redactBytes(json, "json", starting)).toEqual({ bytes: json, occurrences: 0 });
  });
});
