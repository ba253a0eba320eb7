import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  descriptionLine,
  headingLine,
  type NotesTemplate,
  parseTemplate,
  defaultNotesTemplate as template,
} from "../../../view/scribe/notes-template.ts";
import {
  hasNotes,
  mergeNotes,
  notesHeadline,
  notesSummary,
  parseNotes,
  renderNotes,
} from "./notes-document.ts";
import { describeExcess, notesExcess } from "./notes-limits.ts";

const small: NotesTemplate = {
  sections: [
    { heading: "Title", description: "What it is." },
    { heading: "State", description: "How it is." },
  ],
};

const hostileLine = fc.oneof(
  fc.constantFrom("## Title", "## State ", "> What it is.", "", "  ", "```", "## title", "##Title", "\u2028"),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
);
const hostileText = fc.array(hostileLine, { maxLength: 12 }).map((lines) => lines.join("\n"));

describe("the template", () => {
  it("has ten sections with a line of description each", () => {
    expect(template.sections).toHaveLength(10);
    expect(template.sections.every(({ description }) => /^\S.*\.$/.test(description))).toBe(true);
  });

  it("reads what a person wrote, and gives it back", () => {
    const text = template.sections
      .map((one) => `${headingLine(one)}\r\n${descriptionLine(one)}\r\n\r\n`)
      .join("");
    expect(parseTemplate(text)).toEqual({ ok: true, value: template });
  });

  it.each([
    ["", "it has no section"],
    ["Title", "line 1 is “Title”"],
    ["## Title", "“Title” has no description"],
    ["## Title\ntext", "line 2 is “text”"],
    ["> lonely", "line 1 is “> lonely”"],
    ["## A\n> a\nmore", "line 3 is “more”"],
    ["## A\n> a\n## A\n> b", "two sections have the same heading"],
    [Array.from({ length: 21 }, (_, at) => `## ${at}\n> x`).join("\n"), "it has 21 sections, over 20"],
  ])("refuses %j with what is wrong", (text, what) => {
    expect(parseTemplate(text)).toMatchObject({
      ok: false,
      error: { code: "invalid-input", message: expect.stringContaining(what), path: "sessionNotes.template" },
    });
  });
});

describe("notes", () => {
  it("have every heading and description, empty or not", () => {
    const empty = renderNotes(small, new Map());
    expect(empty).toBe("## Title\n> What it is.\n\n## State\n> How it is.\n");
    expect(hasNotes(empty, small)).toBe(false);
    expect(renderNotes(small, new Map([["State", "fine"]]))).toBe(
      "## Title\n> What it is.\n\n## State\n> How it is.\n\nfine\n",
    );
  });

  it("change under their headings only", () => {
    const former = renderNotes(small, new Map([["Title", "old"]]));
    const broken = "Here you are:\n## State\nfine\n\n## Other\nstays text\n### Title\n";
    expect(mergeNotes(small, former, broken)).toEqual({
      ok: true,
      value: renderNotes(
        small,
        new Map([
          ["Title", "old"],
          ["State", "fine\n\n## Other\nstays text\n### Title"],
        ]),
      ),
    });
  });

  it("can have a section emptied, and keep one whose heading was lost", () => {
    const former = renderNotes(
      small,
      new Map([
        ["Title", "old"],
        ["State", "stale"],
      ]),
    );
    const emptied = former.replace("stale", "").replace("## Title", "Title");
    const merged = mergeNotes(small, former, emptied);
    expect(merged).toEqual({ ok: true, value: renderNotes(small, new Map([["Title", "old"]])) });
  });

  it("are not made of a text without headings", () => {
    expect(mergeNotes(small, "", "I cannot do that.")).toMatchObject({ ok: false });
  });

  it("keep their shape, and read back as they were written, whatever is under the headings", () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, (title, state, update) => {
        const bodies = parseNotes(`## Title\n${title}\n## State\n${state}`, small);
        const text = renderNotes(small, bodies);
        const again = parseNotes(text, small);
        expect(renderNotes(small, again)).toBe(text);
        const merged = mergeNotes(small, text, update);
        if (!merged.ok) return;
        const headings = merged.value.split("\n").filter((line) => /^## (?:Title|State)\s*$/.test(line));
        expect(headings).toEqual(["## Title", "## State"]);
        expect(merged.value.isWellFormed()).toBe(true);
        expect(mergeNotes(small, merged.value, merged.value)).toEqual(merged);
      }),
    );
  });

  it("make a summary of what is there", () => {
    expect(notesSummary(renderNotes(small, new Map([["State", "fine"]])), small)).toBe("## State\n\nfine");
    expect(notesSummary(renderNotes(small, new Map()), small)).toBe("");
  });

  it("say what a session is about", () => {
    const text = renderNotes(
      template,
      new Map([
        ["Title", "Pruning the orchard\nsecond"],
        ["Current state", "Half of it is done."],
      ]),
    );
    expect(notesHeadline(text)).toEqual({ title: "Pruning the orchard", state: "Half of it is done." });
    expect(notesHeadline("")).toEqual({});
  });
});

describe("limits", () => {
  const limits = { sectionTokens: 2_000, fileTokens: 12_000 };
  const withBody = (bytes: number) => renderNotes(template, new Map([["Worklog", "x".repeat(bytes)]]));

  it.each([
    [8_000, []],
    [8_001, ["the section “Worklog”"]],
  ])("of a section hold at %d bytes: %j", (bytes, expected) => {
    expect(notesExcess(withBody(bytes), template, limits).map(({ what }) => what)).toEqual(expected);
  });

  it.each([
    [48_000, []],
    [48_001, ["the whole file"]],
  ])("of the file hold at %d bytes: %j", (bytes, expected) => {
    const heads = renderNotes(template, new Map(template.sections.map(({ heading }) => [heading, ""])));
    const room = bytes - heads.length;
    const each = 7_000;
    const names = template.sections.map(({ heading }) => heading);
    const sizes = names.map((_, at) => Math.max(0, Math.min(each, room - 2 * names.length - at * each)));
    const bodies = new Map(names.map((name, at) => [name, "x".repeat(sizes[at] ?? 0)]));
    const used = renderNotes(template, bodies);
    const exact = used + "x".repeat(bytes - used.length);
    expect(notesExcess(exact, template, limits).map(({ what }) => what)).toEqual(expected);
  });

  it("are told in words", () => {
    expect(describeExcess(notesExcess(withBody(8_001), template, limits))).toBe(
      "the section “Worklog” has 2001 tokens, at most 2000 are allowed",
    );
  });
});
