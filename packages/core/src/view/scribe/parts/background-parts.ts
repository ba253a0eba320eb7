import type { Ledgers } from "../../../spec/index.ts";
import { boundedText } from "../../ledgers/bounded-text.ts";
import { quoteForeign } from "../../quote-foreign.ts";
import type { IdWord } from "../../read-back.ts";
import { shortId } from "../../short-id.ts";
import type { Piece } from "../piece.ts";
import type { SessionReading } from "../read-session.ts";
import { namePieces } from "./name-parts.ts";
import { optionPieces } from "./option-pieces.ts";

const wordsChars = [140, 420] as const;
/** Shorter words announce a call and say nothing more. */
const minWordsChars = 60;
const summaryChars = [1_200, 4_000, 12_000] as const;

export interface BackgroundParts {
  /** Languages and programs that the work was done with. */
  readonly concepts: readonly Piece[];
  /** What tools were called with last. */
  readonly options: readonly Piece[];
  readonly names: readonly Piece[];
  /** What the model said while it worked, oldest first. */
  readonly words: readonly Piece[];
  /** Summaries of what came before, which somebody else wrote. */
  readonly summaries: readonly Piece[];
}

export function backgroundParts(
  ledgers: Ledgers,
  reading: SessionReading,
  idWord: IdWord = "recall",
): BackgroundParts {
  const told = reading.words.slice(0, -1).filter(({ text }) => text.trim().length >= minWordsChars);
  return {
    concepts: conceptPieces(ledgers, reading),
    options: optionPieces(reading),
    names: namePieces(reading),
    words: told.map(({ text, entry }) => ({
      label: "What the assistant said while working, oldest first:",
      levels: wordsChars.map((chars) =>
        text.length > chars
          ? `- ${quoteForeign(text, chars)} · ${idWord} ${shortId(entry)}`
          : `- ${quoteForeign(text, chars)}`,
      ),
    })),
    summaries: reading.summaries.map(({ id, text }) => ({
      label: "From an earlier summary:",
      levels: summaryChars.map(
        (chars) => `- ${quoteForeign(boundedText(text, chars), 2 * chars)} (${idWord} ${shortId(id)})`,
      ),
    })),
  };
}

function conceptPieces({ files }: Ledgers, { calls }: SessionReading): readonly Piece[] {
  const kinds = [...files.keys()].flatMap((path) => /\.(\w{1,10})$/.exec(path)?.[1] ?? []);
  const programs = calls.flatMap(({ purpose }) =>
    purpose.purpose === "command" ? programOf(purpose.command) : [],
  );
  const lines = [
    ["Kinds of files", mostOften(kinds, 10)],
    ["Programs", mostOften(programs, 12)],
  ] as const;
  return lines.flatMap(([what, names]) =>
    names.length > 0 ? [{ levels: [`${what}: ${names.join(", ")}`] }] : [],
  );
}

function programOf(command: string): readonly string[] {
  const words = command.trim().slice(0, 200).split(/\s+/);
  const at = words.findIndex((word) => /^[a-z][\w.-]*$/.test(word) && word !== "cd" && word !== "sudo");
  return at === -1 ? [] : [words[at] as string];
}

function mostOften(names: readonly string[], max: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, max).map(([name]) => name);
}
