import { isCount } from "../../json/json-values.ts";
import type { Facts } from "../../spec/index.ts";
import { onceAConfiguration } from "../../view/setting-values.ts";
import { windowNumbers } from "../../view/window/window-numbers.ts";

/** Every number that session notes rest on; each can be set under `sessionNotes`. */
export interface NotesNumbers {
  /** The first update comes once the conversation has so many tokens, */
  readonly firstTokens: number;
  /** later ones once it grew by so many since, */
  readonly growTokens: number;
  /** with so many calls since, unless the assistant's last message had none. */
  readonly minCalls: number;
  /** An update that takes longer may be replaced by another. */
  readonly staleMs: number;
  /** A request that needs a compaction waits so long for an update. */
  readonly waitMs: number;
  /** The part of the session's dollars that updates may cost. */
  readonly budgetPercent: number;
  /** Token limits of a section, and of all notes. */
  readonly sectionTokens: number;
  readonly fileTokens: number;
  /** Notes compaction keeps at least so many of the newest tokens and messages with text, */
  readonly keepTokens: number;
  readonly keepMessages: number;
  /** and goes back for them no further than this. */
  readonly maxKeepTokens: number;
}

export const notesNumbers: NotesNumbers = {
  firstTokens: 10_000,
  growTokens: 5_000,
  minCalls: 3,
  staleMs: 60_000,
  waitMs: 15_000,
  budgetPercent: 10,
  sectionTokens: 2_000,
  fileTokens: 12_000,
  keepTokens: 10_000,
  keepMessages: 5,
  maxKeepTokens: 40_000,
};

/** Notes are a part of a line of the log: within this they are never large enough to be stored beside it. */
export const maxNotesTokens = 16_000;

const counts = Object.keys(notesNumbers) as (keyof NotesNumbers)[];

/**
 * Reads what was set. Total: a value that is no count is passed over. In a small window all counts of tokens shrink in
 * proportion, as the window's own do.
 */
export const notesNumbersOf = onceAConfiguration(readNumbers);

function readNumbers({ settings, thresholds }: Pick<Facts, "settings" | "thresholds">): NotesNumbers {
  const given = settings.sessionNotes ?? {};
  const scaleBelow = settings.window?.scaleBelowTokens ?? windowNumbers.scaleBelowTokens;
  const scale = Math.min(1, thresholds.window / scaleBelow);
  const read = counts.map((name) => {
    const value = given[name];
    const number = isCount(value) ? value : notesNumbers[name];
    return [name, name.endsWith("Tokens") ? Math.ceil(number * scale) : number] as const;
  });
  return { ...notesNumbers, ...Object.fromEntries(read) };
}
