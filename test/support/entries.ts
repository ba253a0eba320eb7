import fc from "fast-check";
import type { Entry, EntryDraft, MessageEntry } from "../../packages/core/src/spec/index.ts";
import { anyCharacter } from "./any-character.ts";

/** A user message entry; everything can be set. */
export function messageEntry(
  seq: number,
  content = `message ${seq}`,
  more: Partial<MessageEntry> = {},
): MessageEntry {
  return {
    v: 1,
    seq,
    epoch: 1,
    id: `msg_${seq}`,
    at: new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString(),
    kind: "message",
    message: { type: "user", content },
    ...more,
  };
}

export function messageDraft(content: string): EntryDraft {
  return { kind: "message", message: { type: "user", content } };
}

export function sessionDraft(id: string) {
  return { kind: "session", session: { id, project: "test-00000000" } } as const;
}

/** Text with everything that has broken a log reader somewhere: separators, quotes, lone surrogates, the log's own marks. */
export const nastyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "\u2028",
    "\u2029",
    "\u0085",
    "\r",
    "\r\n",
    "\n",
    "\0",
    '{"v":',
    ',"crc":"00000000"}',
    "\ud800",
    "😀",
    "",
  ),
);

export const arbitraryEntries: fc.Arbitrary<readonly Entry[]> = fc
  .array(fc.tuple(nastyText, fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 12 })
  .map((items) => {
    let seq = 0;
    return items.map(([text, step]) => {
      seq += step;
      return messageEntry(seq, text);
    });
  });
