import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createVirtualStore } from "../../../../test/support/virtual-store.ts";
import { must, refused } from "../../../testing/src/conformance/outcomes.ts";
import type { ContentBlock, Entry, EntryDraft } from "../spec/index.ts";
import { extractLargeValues, inlineLargeValues, inlineLimitBytes, storeLargeValues } from "./large-values.ts";

const large = "line\n".repeat(inlineLimitBytes / 4);
const draftOf = (...content: readonly ContentBlock[]): EntryDraft => ({
  kind: "message",
  message: { type: "user", content },
});
const entryOf = (draft: EntryDraft): Entry =>
  ({ v: 1, seq: 1, epoch: 1, id: "msg_1", at: "2026-01-01T00:00:00.000Z", ...draft }) as Entry;

async function roundTrip(draft: EntryDraft): Promise<Entry> {
  const { blobs } = createVirtualStore();
  const stored = must(await storeLargeValues(draft, "one", blobs, { durable: false }));
  const line = JSON.parse(JSON.stringify(entryOf(stored))) as Entry;
  return must(await inlineLargeValues(line, "one", blobs));
}

describe("large values", () => {
  it("leaves what is at the limit inline and takes out what is one byte over", () => {
    const atLimit = draftOf({ type: "text", text: "x".repeat(inlineLimitBytes) });
    expect(extractLargeValues(atLimit)).toEqual({ draft: atLimit, values: [] });
    const over = extractLargeValues(draftOf({ type: "text", text: "x".repeat(inlineLimitBytes + 1) }));
    expect(over.values.map(({ bytes }) => bytes.length)).toEqual([inlineLimitBytes + 1]);
  });

  it("counts bytes, not characters", () => {
    const text = "ü".repeat(inlineLimitBytes / 2 + 1);
    expect(extractLargeValues(draftOf({ type: "text", text })).values).toHaveLength(1);
  });

  it("puts a reference with size and lines in place of the value, and names the place", () => {
    const { draft, values } = extractLargeValues(
      draftOf({ type: "tool_result", tool_use_id: "toolu_1", content: large, is_error: true }),
    );
    const [value] = values;
    const reference = { blob: value?.sha256, bytes: large.length, lines: inlineLimitBytes / 4 };
    expect(draft).toEqual({
      ...draftOf({
        type: "tool_result",
        tool_use_id: "toolu_1",
        content: reference as never,
        is_error: true,
      }),
      blobs: [{ path: ["message", "content", 0, "content"], as: "text" }],
    });
    expect(Buffer.from(value?.bytes ?? []).toString()).toBe(large);
  });

  it.each([
    ["a plain string", { kind: "message", message: { type: "user", content: large } } as const],
    [
      "a tool input",
      draftOf({ type: "tool_use", id: "a", name: "Write", input: { file_path: "x", content: large } }),
    ],
    [
      "blocks inside a result",
      draftOf({ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: large }] }),
    ],
    [
      "an image",
      draftOf({ type: "image", source: { type: "base64", media_type: "image/png", data: large } }),
    ],
    [
      "signed thinking",
      draftOf({ type: "thinking", thinking: large, signature: "s".repeat(inlineLimitBytes * 2) }),
    ],
    ["an unknown block", draftOf({ type: "hologram", beams: [large, { deep: large }] })],
    ["a lone surrogate", draftOf({ type: "text", text: `${large}\ud800` })],
    [
      "a user's own object that looks like a reference",
      draftOf({
        type: "tool_use",
        id: "a",
        name: "T",
        input: { blob: "0".repeat(64), bytes: 1, lines: 1, pad: large },
      }),
    ],
    [
      "a compaction's messages",
      {
        kind: "decision",
        decision: {
          type: "compact",
          layer: "4",
          reason: "full",
          frees: 1,
          basis: 1,
          trigger: "auto",
          strategy: "full",
          tokensBefore: 2,
          tokensAfter: 1,
          covers: "msg_1",
          summary: { type: "user", content: large },
          attachments: [
            { type: "attachment", content: "small" },
            { type: "attachment", content: [{ type: "text", text: large }] },
          ],
          discoveredTools: [],
        },
      } as const,
    ],
  ] as const)("gives back %s as it was", async (_name, draft) => {
    expect(extractLargeValues(draft).values.length).toBeGreaterThan(0);
    expect(await roundTrip(draft)).toEqual(entryOf(draft));
  });

  it("gives back any mixture as it was", async () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(large, `${large}\udfff`, ""));
    const block: fc.Arbitrary<ContentBlock> = fc.oneof(
      text.map((value) => ({ type: "text", text: value })),
      fc.record({ type: fc.constant("unknown"), value: fc.jsonValue(), text }),
      text.map((value) => ({ type: "tool_result", tool_use_id: "a", content: value })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 5 }), async (content) => {
        const draft = draftOf(...content);
        expect(await roundTrip(draft)).toEqual(JSON.parse(JSON.stringify(entryOf(draft))));
      }),
    );
  });

  it("says which entry names a blob that is not in it, or not there", async () => {
    const { blobs } = createVirtualStore();
    const { draft } = extractLargeValues(draftOf({ type: "text", text: large }));
    expect(refused(await inlineLargeValues(entryOf(draft), "one", blobs))).toBe("not-found");
    const marked = must(
      await inlineLargeValues(entryOf(draft), "one", blobs, (ref, { code }) => `${ref.bytes} ${code}`),
    );
    expect(marked).toMatchObject({
      message: { content: [{ type: "text", text: `${large.length} not-found` }] },
    });
    const misplaced = { ...entryOf(draft), blobs: [{ path: ["message", "nowhere"], as: "text" as const }] };
    expect(refused(await inlineLargeValues(misplaced, "one", blobs))).toBe("corrupt");
  });
});
