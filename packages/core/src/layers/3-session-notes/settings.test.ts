import { describe, expect, expectTypeOf, it } from "vitest";
import type { SessionNotesSettings, Tool } from "../../spec/index.ts";
import { hasEditTool } from "./rules/write-notes.ts";
import { type NotesNumbers, notesNumbers, notesNumbersOf } from "./settings.ts";

/** Values that no check lets through are read too: none may break a decision. */
const facts = (sessionNotes: object | undefined, window = 200_000) => ({
  settings: { ...(sessionNotes && { sessionNotes }) },
  thresholds: { window, effective: 0, auto: 0, warning: 0, error: 0, blocking: 0 },
});

describe("notesNumbersOf", () => {
  it("has the numbers of the specification", () => {
    expect(notesNumbersOf(facts(undefined))).toEqual(notesNumbers);
    expectTypeOf<keyof NotesNumbers>().toEqualTypeOf<keyof Omit<SessionNotesSettings, "template">>();
  });

  it("takes what was set, and passes over what is no count", () => {
    expect(notesNumbersOf(facts({ growTokens: 7, minCalls: -1, staleMs: "x", keepTokens: 1.5 }))).toEqual({
      ...notesNumbers,
      growTokens: 7,
    });
  });

  it("shrinks counts of tokens in a small window, and nothing else", () => {
    expect(notesNumbersOf(facts(undefined, 8_000))).toEqual({
      ...notesNumbers,
      firstTokens: 800,
      growTokens: 400,
      sectionTokens: 160,
      fileTokens: 960,
      keepTokens: 800,
      maxKeepTokens: 3_200,
    });
    expect(notesNumbersOf(facts(undefined, 100_000))).toEqual(notesNumbers);
  });
});

describe("hasEditTool", () => {
  const properties = { file_path: {}, old_string: {}, new_string: {} };
  const tool = (more: object): Tool => ({ name: "Edit", input_schema: { properties }, ...more });

  it.each([
    [tool({}), true],
    [tool({ name: "edit" }), false],
    [tool({ isDeferred: true }), false],
    [tool({ input_schema: { properties: { path: {} } } }), false],
    [tool({ input_schema: {} }), false],
  ])("%j: %s", (one, expected) => {
    expect(hasEditTool([one])).toBe(expected);
  });
});
