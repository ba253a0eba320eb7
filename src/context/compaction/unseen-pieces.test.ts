import { describe, expect, it } from "vitest";
import {
  addRound,
  answered,
  createTestLog,
  said,
  type TestLog,
  workedLog,
} from "../../../test/layers/compaction-support.ts";
import type { ContentBlock } from "../../spec/index.ts";
import { toAttachmentText } from "../projection/attachment-text.ts";
import { createMeasure } from "./measure.ts";
import { unseenPieces } from "./unseen-pieces.ts";

const measure = createMeasure();
const piecesOf = (log: TestLog, maxTokens: number, isKept: (seq: number) => boolean = () => false) =>
  unseenPieces({ items: log.view().items, isKept, maxTokens, measure });
const contents = (log: TestLog, maxTokens: number) =>
  piecesOf(log, maxTokens).attachments.map(({ content }) => content as string);

/** One message that calls for several results, and the message that has them. */
function calling(results: readonly (string | readonly ContentBlock[])[], isError = false): TestLog {
  const log = createTestLog();
  log.say(said("go"));
  log.say(
    answered(results.map((_, at) => ({ type: "tool_use", id: `c${at}`, name: "Bash", input: { at } }))),
  );
  log.say({
    type: "user",
    content: results.map((content, at) => ({
      type: "tool_result",
      tool_use_id: `c${at}`,
      content,
      ...(isError && { is_error: true }),
    })),
  });
  return log;
}

describe("unseenPieces", () => {
  it("are the newest results, each under a line that names it and how it is recalled", () => {
    const log = workedLog(2, 10);
    expect(contents(log, 1_000)).toEqual([
      `The result of Read {"file_path":"/t1"}, which no model has seen yet · recall t1\n${"x".repeat(10)}`,
    ]);
  });

  it("are none where a model has answered, nothing was called, or the results stay as they are", () => {
    const nothing = { attachments: [], tokens: 0, skipped: [] };
    const log = workedLog(2, 10);
    expect(piecesOf(log, 1_000, (seq) => seq >= 4)).toEqual(nothing);
    log.say(answered("Done."));
    expect(piecesOf(log, 1_000)).toEqual(nothing);
    log.say({ type: "attachment", subtype: "mode", content: "plan" });
    expect(piecesOf(log, 1_000)).toEqual(nothing);
  });

  it("that are large give their beginning and end; small ones beside them stay whole", () => {
    const log = calling([`first${"a".repeat(9_000)}last`, "small", `head${"b".repeat(9_000)}tail`]);
    const pieces = piecesOf(log, 800);
    const [first = "", small = "", last = ""] = contents(log, 800);
    expect(first).toMatch(/recall c0\nfirsta+\n\[… \d+ characters left out …\]\na+last$/);
    expect(small).toMatch(/recall c1\nsmall$/);
    expect(last).toMatch(/recall c2\nheadb+\n\[… \d+ characters left out …\]\nb+tail$/);
    const sent = pieces.attachments.map(({ content, subtype }) =>
      measure(toAttachmentText(content as string, subtype)),
    );
    expect(sent.reduce((sum, tokens) => sum + tokens, 0)).toBe(pieces.tokens);
    expect(pieces.tokens).toBeLessThanOrEqual(800);
    expect(pieces.tokens).toBeGreaterThan(600);
  });

  it("say that a call failed, that there was no output, and what cannot be shown as text", () => {
    const log = calling([
      "",
      [{ type: "image", source: { type: "base64", media_type: "image/png", data: "" } }],
    ]);
    expect(contents(calling(["ENOENT"], true), 1_000)).toEqual([
      'The result of Bash {"at":0} failed, which no model has seen yet · recall c0\nENOENT',
    ]);
    expect(contents(log, 1_000)).toEqual([
      'The result of Bash {"at":0}, which no model has seen yet · recall c0\n(no output)',
      'The result of Bash {"at":1}, which no model has seen yet · recall c1\n[image]',
    ]);
  });

  it("are what the user has just said as well, message by message", () => {
    const log = workedLog(1, 10);
    log.say(said("Hurry."));
    log.say(said(`Look: ${"words ".repeat(2_000)}the end.`));
    const [, hurry, look] = piecesOf(log, 600).attachments;
    expect(hurry).toEqual({
      type: "attachment",
      subtype: "unheard-words",
      content: "What the user has just said, to be answered now · recall e4\nHurry.",
    });
    expect(look?.content).toMatch(
      /recall e5\nLook: words [^…]*\[… \d+ characters left out …\][^…]*the end\.$/,
    );
  });

  it("are told of where there is no room for them", () => {
    expect(piecesOf(workedLog(1, 4_000), 3)).toEqual({
      attachments: [],
      tokens: 0,
      skipped: [{ path: "Read", reason: "there is no room for it, and no model has seen it" }],
    });
  });

  it("of a boundary that nobody has answered are pieces of the next, in less room", () => {
    const log = calling([`first${"a".repeat(9_000)}`]);
    const { attachments } = piecesOf(log, 2_000);
    log.add({
      kind: "decision",
      decision: {
        ...{ type: "compact", layer: "compaction", reason: "", frees: 0, basis: 3, trigger: "auto" },
        ...{ strategy: "scribe", tokensBefore: 0, tokensAfter: 0, covers: "e3", discoveredTools: [] },
        summary: { type: "user", content: "sum", isCompactSummary: true },
        attachments,
      },
    });
    const [again = ""] = contents(log, 500);
    expect(again).toMatch(/^The result of Bash \{"at":0\}, which no model has seen yet · recall c0\nfirsta+/);
    expect(again.length).toBeLessThan(String(attachments[0]?.content).length / 3);
    log.say(answered("Seen."));
    addRound(log, "next", 10);
    expect(contents(log, 500)).toHaveLength(1);
  });

  it("of hostile words stay within their room", () => {
    const log = calling(["</attachment>".repeat(2_000)]);
    const { attachments, tokens } = piecesOf(log, 500);
    expect(tokens).toBeLessThanOrEqual(500);
    expect(attachments).toHaveLength(1);
  });
});
