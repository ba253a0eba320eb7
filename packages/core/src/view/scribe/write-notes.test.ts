import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answered, called, said } from "../../../../../test/support/ledger-entries.ts";
import {
  anyEstimate,
  anySession,
  byBytes,
  scribeSession,
} from "../../../../../test/support/scribe-sessions.ts";
import { defaultNotesTemplate } from "../../layers/3-session-notes/rules/index.ts";
import type { Message } from "../../spec/index.ts";
import { maxNoteSectionTokens, maxNotesTokens } from "./notes-template.ts";
import { writeNotes } from "./write-notes.ts";

const replied = (text: string): Message => ({ type: "assistant", content: [{ type: "text", text }] });
const { sections: noteSections } = defaultNotesTemplate;
const headings = noteSections.map(({ heading, description }) => `## ${heading}\n> ${description}`);

describe("writeNotes", () => {
  it("has ten sections with their fixed headings and descriptions, and what the log says under them", () => {
    const session = scribeSession([
      said("Add a cache to the store, and never touch the schema of the data base please"),
      called("t1", "Edit", { file_path: "/work/store.ts", old_string: "a", new_string: "cached" }),
      answered("t1"),
      called("t2", "Bash", { command: "npm test" }),
      answered("t2", "12 passed"),
      replied("The cache is in, and the tests pass."),
      said("no, put it into a file of its own"),
    ]);
    const notes = writeNotes({ ...session, budgetTokens: 12_000, estimate: byBytes });
    for (const heading of headings) expect(notes).toContain(heading);
    expect(notes).toContain(`${headings[0]}\nAdd a cache to the store, and never touch the…`);
    expect(notes).toContain("The newest open request is message 2");
    expect(notes).toContain("[1 · standing order, the rest is superseded] Add a cache");
    expect(notes).toContain("- /work/store.ts · edited · recall t1");
    expect(notes).toContain("- “npm test” → ok: “12 passed” · recall t2");
    expect(notes).toContain("Corrections by the user, newest first:\n- Message 2: “no, put it");
    expect(notes).toContain(
      "- Add a cache to the store, and never touch the schema of the data base please · recall e1",
    );
  });

  it("keeps every section under its limit and the whole under its own, however much there is", () => {
    const long = "many words of one request, again and again. ".repeat(200);
    const rounds = Array.from({ length: 80 }, (_none, at) => [
      said(`${at} ${long}`),
      called(`t${at}`, "Edit", { file_path: `/work/part-${at}.ts`, old_string: "a", new_string: long }),
      answered(`t${at}`),
      called(`c${at}`, "Bash", { command: `npm test -- ${at} ${long}` }),
      answered(`c${at}`, long),
      replied(`Part ${at} is done. ${long}`),
    ]).flat();
    const notes = writeNotes({ ...scribeSession(rounds), budgetTokens: 100_000, estimate: byBytes });
    const sections = notes.split(/^(?=## )/m).slice(1);
    expect(sections).toHaveLength(noteSections.length);
    for (const section of sections) expect(byBytes(section)).toBeLessThan(maxNoteSectionTokens);
    expect(byBytes(notes)).toBeLessThan(maxNotesTokens);
    expect(byBytes(notes)).toBeGreaterThan(4_000);
  });

  it("is within any budget by any estimate, well-formed and the same every time", () => {
    fc.assert(
      fc.property(anySession, fc.nat(14_000), anyEstimate, (given, budgetTokens, estimate) => {
        const input = { ...given, budgetTokens, estimate };
        const notes = writeNotes(input);
        if (notes !== "")
          expect(estimate(notes)).toBeLessThanOrEqual(Math.min(budgetTokens, maxNotesTokens - 1));
        expect(notes.isWellFormed()).toBe(true);
        expect(writeNotes(input)).toBe(notes);
      }),
    );
  });
});
