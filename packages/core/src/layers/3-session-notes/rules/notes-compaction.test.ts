import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CompactDecision,
  type ContentBlock,
  type Facts,
  isBlock,
  type Message,
  type NotesRecord,
  type View,
  type ViewItem,
} from "../../../spec/index.ts";
import { decidedItems } from "../../../view/projection/decided-items.ts";
import { messageItems } from "../../../view/projection/message-items.ts";
import { defaultNotesTemplate as template } from "../../../view/scribe/notes-template.ts";
import { estimateBlock, padEstimate } from "../../../view/tokens/index.ts";
import { notesNumbers } from "../settings.ts";
import { decideNotesCompaction, type NotesCompaction } from "./notes-compaction.ts";
import { renderNotes } from "./notes-document.ts";

const text = (tokens: number): ContentBlock => ({ type: "text", text: "x".repeat(tokens * 4) });
const call = (id: string): ContentBlock => ({ type: "tool_use", id, name: "T", input: {} });
const result = (id: string, tokens: number): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content: "x".repeat(tokens * 4),
});

type Said = Pick<Message, "type" | "content" | "responseId">;
const user = (...content: ContentBlock[]): Said => ({ type: "user", content });
const assistant = (responseId: string, ...content: ContentBlock[]): Said => ({
  type: "assistant",
  content,
  responseId,
});

/** Messages as `e1`, `e2`, … */
const itemsOf = (messages: readonly Said[], after = 0): readonly ViewItem[] =>
  messages.flatMap((message, index) => {
    const seq = after + index + 1;
    return messageItems(message, { entry: `e${seq}`, seq });
  });

const viewOf = (items: readonly ViewItem[], more: Partial<View> = {}): View =>
  ({ items, head: items.at(-1)?.seq ?? 0, ...more }) as View;

const someNotes = renderNotes(template, new Map([["Title", "Pruning the orchard"]]));
const notesOf = (covers: string | undefined, notes = someNotes): NotesRecord => ({
  entry: "n",
  seq: 1,
  text: notes,
  ...(covers !== undefined && { covers }),
  coversSeq: 0,
  tokensAt: 0,
});

const factsOf = (more: Partial<Facts> = {}, settings: object = {}): Facts =>
  ({
    settings,
    headTokens: 0,
    thresholds: { window: 200_000, effective: 180_000, auto: 167_000, warning: 0, error: 0, blocking: 0 },
    ...more,
  }) as Facts;

const decide = (messages: readonly Said[], covers: string | undefined, more: Partial<Facts> = {}) =>
  decideNotesCompaction(viewOf(itemsOf(messages)), notesOf(covers), factsOf(more));

const keptFrom = (decided: NotesCompaction) =>
  decided.choice === "compact" ? decided.keptFrom : decided.code;

describe("compaction by notes", () => {
  const six = [4_000, 4_000, 4_000, 4_000, 4_000, 4_000].map((tokens) => user(text(tokens)));

  it("keeps what the notes do not cover, and names it by entry and number", () => {
    const decided = decideNotesCompaction(
      viewOf(itemsOf(six)),
      notesOf("e3"),
      factsOf({}, { sessionNotes: { keepTokens: 1, keepMessages: 1 } }),
    );
    expect(decided).toEqual({
      choice: "compact",
      summary: "## Title\n\nPruning the orchard",
      keptFrom: 3,
      kept: { head: "e4", headSeq: 4, tail: "e6", tailSeq: 6, anchor: "summary" },
      tokensAfter: Math.ceil(((3 * 4_000 + 8) * 4) / 3),
    });
  });

  it("keeps nothing where all is covered and nothing has to be", () => {
    const settings = { sessionNotes: { keepTokens: 0, keepMessages: 0 } };
    const decided = decideNotesCompaction(viewOf(itemsOf(six)), notesOf("e6"), factsOf({}, settings));
    expect(decided).toMatchObject({ choice: "compact", keptFrom: 6 });
    expect(decided).not.toHaveProperty("kept");
  });

  it.each([
    ["5 messages are short of 10,000 tokens", [1, 1, 3_000, 3_000, 1, 2_000, 2_000], 2],
    ["5 messages are 9,999 tokens", [1, 1, 1_999, 2_000, 2_000, 2_000, 2_000], 1],
    ["5 messages are 10,000 tokens", [1, 1, 2_000, 2_000, 2_000, 2_000, 2_000], 2],
    ["10,000 tokens are in one message", [1, 1, 1, 1, 1, 1, 10_000], 2],
  ])("goes back until there is enough: %s", (_what, sizes, start) => {
    const messages = sizes.map((tokens) => user(text(tokens)));
    expect(keptFrom(decide(messages, `e${sizes.length}`))).toBe(start);
  });

  it.each([
    [10_000, 10_000, 10_000, 2],
    [10_000, 10_000, 10_001, 3],
  ])("goes no further back than 40,000 tokens: %d, %d, %d", (a, b, c, start) => {
    const messages = [1, 1, a, b, c, 10_000].map((tokens) => user(text(tokens)));
    expect(keptFrom(decide(messages, "e6"))).toBe(start);
  });

  it("keeps more than that where the notes do not cover it", () => {
    const messages = [1, 1, 30_000, 30_000].map((tokens) => user(text(tokens)));
    expect(keptFrom(decide(messages, "e2"))).toBe(2);
  });

  it("counts messages with text only, and a response once", () => {
    const messages = [
      user(text(1)),
      user(text(1)),
      user(text(1)),
      user(text(1)),
      assistant("r", text(1), text(1), call("a")),
      user(result("a", 12_000)),
      assistant("s", text(1)),
    ];
    expect(keptFrom(decide(messages, "e7"))).toBe(1);
  });

  it("parts no call from its result", () => {
    const messages = [
      user(text(1)),
      assistant("r", call("a"), call("b")),
      user(result("a", 1)),
      user(result("b", 1)),
    ];
    const settings = { sessionNotes: { keepTokens: 0, keepMessages: 0 } };
    const from = (covers: string) =>
      keptFrom(decideNotesCompaction(viewOf(itemsOf(messages)), notesOf(covers), factsOf({}, settings)));
    expect(["e1", "e2", "e3", "e4"].map(from)).toEqual([1, 1, 1, 5]);
  });

  it.each([
    ["there are none", undefined, "no-notes"],
    ["they are empty", renderNotes(template, new Map()), "no-notes"],
  ])("is refused where %s", (_what, notes, code) => {
    const record = notes === undefined ? undefined : notesOf("e1", notes);
    expect(decideNotesCompaction(viewOf(itemsOf(six)), record, factsOf())).toMatchObject({
      choice: "refuse",
      code,
    });
  });

  it("is refused where it is off, where nothing is covered, and where nothing would go", () => {
    const off = factsOf({}, { switches: { notesCompaction: false } });
    expect(keptFrom(decideNotesCompaction(viewOf(itemsOf(six)), notesOf("e3"), off))).toBe("off");
    expect(keptFrom(decide(six, "gone"))).toBe("not-covered");
    expect(keptFrom(decide(six, undefined))).toBe("not-covered");
    expect(keptFrom(decide([user(text(1)), user(text(1))], "e2"))).toBe("no-room");
  });

  it.each([
    [0, "compact"],
    [1, "refuse"],
  ])("is refused at the threshold and over it, system and tools counted: %d tokens more", (more, choice) => {
    const summaryTokens = 8;
    const messages = [...six, user(text(40_000))];
    const headTokens = 167_000 - padEstimate(40_000 + summaryTokens + 5_000);
    const decided = decideNotesCompaction(viewOf(itemsOf(messages)), notesOf("e6"), factsOf({ headTokens }), {
      besideTokens: 5_000 - 1 + more,
    });
    expect(decided.choice).toBe(choice);
    if (decided.choice === "refuse")
      expect(decided).toMatchObject({ code: "too-large", tokensAfter: 167_000, threshold: 167_000 });
  });
});

/** A history in which responses come in pieces, and results late. */
type Step = readonly ["user" | "text" | "calls" | "pieces", size: number];
const step = fc.tuple(
  fc.constantFrom("user" as const, "text" as const, "calls" as const, "pieces" as const),
  fc.constantFrom(1, 50, 900, 3_000, 12_000),
);

function messagesOf(steps: readonly Step[]): readonly Said[] {
  return steps.flatMap(([kind, size], index): Said[] => {
    const [a, b, response] = [`a${index}`, `b${index}`, `r${index}`];
    if (kind === "user") return [user(text(size))];
    if (kind === "text") return [assistant(response, text(size))];
    if (kind === "calls")
      return [assistant(response, text(1), call(a), call(b)), user(result(a, size)), user(result(b, 1))];
    return [
      assistant(response, call(a)),
      user(result(a, size)),
      assistant(response, call(b)),
      user(result(b, 1)),
    ];
  });
}

const boundary = { entry: "c", seq: 1, decision: "c" };

describe("compaction by notes, of any history", () => {
  it("keeps what it must, splits nothing, and is what the projection makes of it", () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.nat(),
        fc.boolean(),
        (steps, pick, isBehind) => {
          const said = itemsOf(messagesOf(steps), 1);
          const before = isBehind ? messageItems({ type: "user", content: "summary" }, boundary) : [];
          const items = [...before, ...said];
          const covered = said[pick % said.length] as ViewItem;
          const view = viewOf(items, isBehind ? { boundarySeq: 1 } : {});
          const decided = decideNotesCompaction(view, notesOf(covered.entry), factsOf());
          if (decided.choice === "refuse") return;
          const kept = items.slice(decided.keptFrom);
          expect(kept.filter(({ entry }) => entry === "c")).toEqual([]);
          expect(decided.keptFrom).toBeLessThanOrEqual(
            items.findLastIndex(({ entry }) => entry === covered.entry) + 1,
          );
          expectWhole(items, decided.keptFrom);
          expectEnough(items, decided.keptFrom, covered, before.length);
          expect(projected(items, decided)).toEqual(kept);
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** No entry, response or call with its result is on both sides. */
function expectWhole(items: readonly ViewItem[], start: number): void {
  const keys = ({ entry, response, block }: ViewItem) => [
    entry,
    response ?? entry,
    isBlock(block, "tool_use") ? block.id : isBlock(block, "tool_result") ? block.tool_use_id : entry,
  ];
  const gone = new Set(items.slice(0, start).flatMap(keys));
  expect(
    items
      .slice(start)
      .flatMap(keys)
      .filter((key) => gone.has(key)),
  ).toEqual([]);
}

/** Where it went back less far than it might, there is enough, or the next step would have been too much. */
function expectEnough(items: readonly ViewItem[], start: number, covered: ViewItem, first: number): void {
  const { keepTokens, keepMessages, maxKeepTokens } = notesNumbers;
  const sum = (from: number) => items.slice(from).reduce((all, { block }) => all + estimateBlock(block), 0);
  const texts = new Set(
    items
      .slice(start)
      .flatMap(({ block, response, entry }) => (isBlock(block, "text") ? (response ?? entry) : [])),
  );
  const wanted = items.findLastIndex(({ entry }) => entry === covered.entry) + 1;
  const isWhole = (at: number) => {
    try {
      expectWhole(items, at);
      return true;
    } catch {
      return false;
    }
  };
  const starts = items.map((_, at) => at).filter((at) => at >= first && at < start && isWhole(at));
  const next = starts.at(-1);
  const hasEnough = sum(start) >= keepTokens && texts.size >= keepMessages;
  const isStuck = next === undefined || sum(next) > maxKeepTokens;
  expect(hasEnough || isStuck).toBe(true);
  const least =
    items
      .map((_, at) => at)
      .concat(items.length)
      .filter((at) => at <= wanted && isWhole(at))
      .at(-1) ?? 0;
  if (start < least) expect(sum(start)).toBeLessThanOrEqual(maxKeepTokens);
}

function projected(items: readonly ViewItem[], decided: NotesCompaction & { readonly choice: "compact" }) {
  const decision: CompactDecision = {
    type: "compact",
    layer: "test",
    reason: "",
    frees: 0,
    basis: items.at(-1)?.seq ?? 0,
    trigger: "auto",
    strategy: "notes",
    tokensBefore: 0,
    tokensAfter: decided.tokensAfter,
    summary: { type: "user", content: decided.summary },
    covers: "",
    ...(decided.kept && { kept: decided.kept }),
    attachments: [],
    discoveredTools: [],
  };
  return decidedItems(items, { decision, id: "d", seq: 1_000 }).slice(1);
}
