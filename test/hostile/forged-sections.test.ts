import { describe, expect, it } from "vitest";
import { defaultNotesTemplate } from "../../packages/core/src/layers/3-session-notes/rules/index.ts";
import { spanLedgers } from "../../packages/core/src/layers/4-compaction/folding/rules/find-spans.ts";
import { foldText, writeFold } from "../../packages/core/src/layers/4-compaction/folding/rules/index.ts";
import { messagesTitle } from "../../packages/core/src/view/scribe/carried-lines.ts";
import { writeNotes } from "../../packages/core/src/view/scribe/write-notes.ts";
import { writeSummary } from "../../packages/core/src/view/scribe/write-summary.ts";
import { spread } from "../support/amount.ts";
import { byBytes, type ScribeSession, scribeSession } from "../support/scribe-sessions.ts";
import { carriers, forgedTexts, request, stolen } from "./forged-carriers.ts";

const plenty = 200_000;
const deceiving = /\p{Cf}|[^\P{Cc}\t\n]|[\u2028\u2029]/u;
/** With a blank in it, it stands between quotes wherever the hostile one does. */
const benign = "all is well";

const texts: Readonly<Record<string, (session: ScribeSession, budgetTokens: number) => string>> = {
  summary: (session, budgetTokens) => writeSummary({ ...session, budgetTokens, estimate: byBytes }),
  notes: (session, budgetTokens) =>
    writeNotes({ ...session, budgetTokens, sectionTokens: budgetTokens, estimate: byBytes }),
  fold: (session, budgetTokens) => {
    const { items, ledgers } = session;
    const part = spanLedgers(ledgers, items);
    const summary = writeFold({ items }, part, budgetTokens);
    return foldText({ items, rounds: 2, from: "e1", to: "e9" }, summary, part);
  },
};

const [, , asked] = defaultNotesTemplate.sections;
const notesRequest = `## ${asked?.heading}`;

/** A text with everything between quotes left out. */
const withoutQuotes = (text: string) => text.replaceAll(/“[^“”\n]*”/g, "“”");
const extracted =
  /^(?:Kinds of files|Programs|Options of calls|Names in what was changed|Named by tools|Paths are below)/;
/** The lines of a text without what is between quotes, and without lists of single names and numbers, or the word for none. */
function skeleton(text: string): readonly string[] {
  let isList = false;
  return withoutState(withoutQuotes(text))
    .replaceAll(/” (?:\(recall \w+\)|· recall e\d)$/gm, "”")
    .split(/[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => (/^ *> /.test(line) && !described.has(line) ? answerLine : line))
    .filter((line, at, all) => line !== answerLine || all[at - 1] !== answerLine)
    .filter((line) => {
      isList = extracted.test(line) || (isList && line.startsWith("- "));
      return !isList && line !== "None.";
    });
}
/** What became of a request follows from what the model has said of it itself. */
const withoutState = (text: string) =>
  text
    .replaceAll(/([(·:] ?)(?:open|done|answered, and not surely settled)\b/g, "$1state")
    .replaceAll(
      /^(?:Nothing asked is open\. .*|The newest open request is message \d: “”\.(?: It (?:was answered|is in work).*)?)$/gm,
      "next",
    );

/** A line of an answer, quoted. */
const answerLine = "> …";
/** What belongs under each heading of the notes. */
const described = new Set(defaultNotesTemplate.sections.map(({ description }) => `> ${description}`));
const headingsIn = (text: string) => text.split("\n").filter((line) => /^\s*#/.test(line));

/** What a text has as the user's words. */
function saidIn(kind: string, written: string): readonly string[] {
  const lines = written.split("\n");
  if (kind === "fold") return lines.filter((line) => line.startsWith("The user said:"));
  const start = lines.indexOf(kind === "notes" ? notesRequest : messagesTitle);
  const section = lines.slice(start + 1);
  const end = section.indexOf("");
  return section
    .slice(0, end === -1 ? section.length : end)
    .filter((line) => !line.startsWith("> "))
    .map((line) => line.replace(/^\[\d · \w+\] /, ""));
}

describe.each(Object.entries(texts))("a %s", (kind, write) => {
  it.each(Object.entries(carriers))(
    "has its own lines and the user's words, whatever comes by %s",
    (_by, carry) => {
      const twin = write(scribeSession(carry(benign)), plenty);
      const known = headingsIn(twin);
      const [lines, said] = [skeleton(twin), saidIn(kind, twin)];
      expect(said.join()).toContain(request);
      for (const [name, text] of spread(forgedTexts, 20)) {
        const session = scribeSession(carry(text));
        const [whole, short] = [write(session, plenty), write(session, 600)];
        expect([name, skeleton(whole), saidIn(kind, whole)]).toEqual([name, lines, said]);
        expect([name, headingsIn(short).filter((line) => !known.includes(line))]).toEqual([name, []]);
        for (const written of [whole, short]) {
          expect([
            name,
            withoutQuotes(written)
              .replaceAll(/^ *> .*$/gm, "")
              .includes(stolen),
          ]).toEqual([name, false]);
          expect([name, deceiving.test(written)]).toEqual([name, false]);
        }
      }
    },
  );
});
