import { count, percent, scaledTokens, text } from "../../settings/declare.ts";
import { onByDefault } from "../../settings/flag.ts";
import { defaultsOf, readValues, scaleOf } from "../../settings/read-values.ts";
import type { ValueRefusal } from "../../settings/schemas.ts";
import type { ValuesOf } from "../../settings/setting.ts";
import { onceAConfiguration } from "../../settings/setting-values.ts";
import type { Facts } from "../../spec/index.ts";
import { parseTemplate } from "../../view/scribe/notes-template.ts";

/** Notes are a part of a line of the log: within this they are never large enough to be stored beside it. */
export const maxNotesTokens = 16_000;

/** In a small window all counts of tokens shrink in proportion, as the window's own do. */
const notesNumberSettings = {
  firstTokens: scaledTokens(10_000, "tokens of the conversation at which the notes are first updated", "up"),
  growTokens: scaledTokens(5_000, "new tokens until the notes are updated again", "up"),
  minCalls: count(
    3,
    "tool calls until the notes are updated again, unless the assistant's last message had none",
  ),
  staleMs: count(
    60_000,
    "milliseconds after which an unfinished update of the notes may be replaced by another",
  ),
  waitMs: count(
    15_000,
    "milliseconds that a request in need of a compaction waits for an update of the notes",
  ),
  budgetPercent: percent(10, "percent of the session's dollars that updates of the notes may cost"),
  sectionTokens: scaledTokens(2_000, "longest section of the notes in tokens", "up", { least: 1 }),
  fileTokens: scaledTokens(12_000, "longest notes in tokens", "up", { least: 1, most: maxNotesTokens }),
  keepTokens: scaledTokens(10_000, "newest tokens that compaction by notes keeps at least", "up"),
  keepMessages: count(5, "messages with text that compaction by notes keeps at least"),
  maxKeepTokens: scaledTokens(40_000, "newest tokens that compaction by notes keeps at most", "up"),
};

/** Notes about the session, and compaction by them. */
export const sessionNotesSettings = {
  template: text(
    "sections of the notes instead of the default ten: `## heading`, each with one line `> what belongs there`",
    refuseTemplate,
  ),
  ...notesNumberSettings,
};

export const sessionNotesFlags = {
  "session-notes": onByDefault("Keeps notes about the session in the background."),
  "notes-compaction": onByDefault(
    "Compacts with the session notes, without a model call, before more expensive ways.",
  ),
};

/** Every number that session notes rest on. */
export type NotesNumbers = ValuesOf<typeof notesNumberSettings>;

export const notesNumbers: NotesNumbers = defaultsOf(notesNumberSettings);

/** Reads what was set. Total: a value that does not fit is passed over. */
export const notesNumbersOf: (facts: Pick<Facts, "settings" | "thresholds">) => NotesNumbers =
  onceAConfiguration((facts) => readValues(notesNumberSettings, facts.settings.sessionNotes, scaleOf(facts)));

function refuseTemplate(template: string): ValueRefusal | undefined {
  const parsed = parseTemplate(template);
  if (parsed.ok) return undefined;
  const { message, fix = "" } = parsed.error;
  return { problem: message.replace(/\.$/, ""), fix: fix.replace(/\.$/, "") };
}
