import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../../spec/index.ts";
import { readSummary } from "./read-summary.ts";

const summaryOf = (text: string) => {
  const read = readSummary({ text, end: "done" });
  return read.ok ? read.summary : `(${read.reason})`;
};

describe("readSummary", () => {
  it.each([
    ["<analysis>draft</analysis>\n<summary>\n1. All\n</summary>", "1. All"],
    ["<analysis>a <summary> in the draft</analysis><summary>real</summary>", "real"],
    ["no tags at all", "no tags at all"],
    ["<analysis>draft</analysis>\n\nthe rest", "the rest"],
    ["<analysis>never ended <summary>kept</summary>", "kept"],
    ["<summary>never ended\n\n\n\nand  \n \n\t\nblank", "never ended\n\nand  \n\nblank"],
    ["<SUMMARY>a</SUMMARY> and more", "a"],
    ["<summary>code: `</summary>` inside</summary>", "code: `</summary>` inside"],
    ["a\r\n\r\n\r\nb", "a\n\nb"],
  ])("reads %j as %j", (text, expected) => {
    expect(summaryOf(text)).toBe(expected);
  });

  it.each(["", " \n ", "<analysis>only a draft</analysis>", "<analysis>never ended", "<summary> </summary>"])(
    "finds no summary in %j",
    (text) => {
      expect(summaryOf(text)).toBe("(no_summary)");
    },
  );

  it.each([
    'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}',
    '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long"}}',
    '{"error": {"message": "no such model"}}',
    "Prompt is too long",
    "<summary>API Error: 500 internal</summary>",
  ])("never takes an error for a summary: %s", (text) => {
    expect(summaryOf(text)).toBe("(api_error)");
  });

  it("takes a summary that speaks of errors", () => {
    expect(summaryOf("<summary>4. Errors and fixes: API Error: 529 came twice.</summary>")).toMatch(
      /^4\. Errors/,
    );
  });

  it.each([
    [{ isApiErrorMessage: true }, "api_error"],
    [{ end: "aborted" }, "aborted"],
    [{ end: "blocked" }, "prompt_too_long"],
    [{ end: "max-output" }, "cut"],
    [{ stopReason: "max_tokens" }, "cut"],
    [{ stopReason: "model_context_window_exceeded" }, "cut"],
    [{ end: "max-turns" }, "tool_call"],
    [{ end: "refusal" }, "api_error"],
    [{ stopReason: "refusal" }, "api_error"],
    [{ end: "max-turns", content: [{ type: "tool_use", id: "t", name: "Read", input: {} }] }, "tool_call"],
    [{ error: new PalimpsestError("overloaded", "busy") }, "api_error"],
    [{ error: new PalimpsestError("aborted", "stopped") }, "aborted"],
    [{ error: new PalimpsestError("prompt-too-long", "long") }, "prompt_too_long"],
  ] as const)("refuses a text that came with %j as %s", (how, reason) => {
    const answer = { text: "<summary>looks fine</summary>", ...how };
    expect(readSummary(answer)).toMatchObject({ ok: false, reason });
  });

  it("tells by how much a prompt was too long", () => {
    const error = new PalimpsestError("prompt-too-long", "long", { facts: { excessTokens: 123 } });
    expect(readSummary({ text: "", error })).toMatchObject({ reason: "prompt_too_long", excessTokens: 123 });
  });

  it("never lets the draft into the context", () => {
    const words = (...all: readonly string[]) => fc.array(fc.constantFrom(...all), { maxLength: 8 });
    const draft = words("<summary>", "</summary>", "secret", "\n", "<b>");
    const rest = words("<analysis>", "</analysis>", "<summary>", "</summary>", "\n", "fact");
    fc.assert(
      fc.property(draft, rest, (inside, behind) => {
        const text = `<analysis>${inside.join("")}</analysis>${behind.join("")}`;
        const read = readSummary({ text, end: "done" });
        if (read.ok) expect(read.summary).not.toContain("secret");
      }),
    );
  });
});
