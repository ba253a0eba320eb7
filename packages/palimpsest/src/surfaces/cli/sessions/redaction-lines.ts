import type { SecretSurvey } from "@palimpsest/core/spec";
import { formatNumber } from "../format-amount.ts";
import { toHarmless } from "../harmless.ts";
import type { Style } from "../style.ts";

export interface RedactionOutcome {
  readonly session: string;
  /** Agents first, the session itself last. */
  readonly surveys: readonly SecretSurvey[];
  readonly isDone: boolean;
  /** Addresses of what else holds it still: other sessions, memory, the search index. */
  readonly elsewhere: readonly string[];
}

const maxElsewhere = 10;

export function redactionLines(outcome: RedactionOutcome, style: Style): readonly string[] {
  const { session, isDone, elsewhere } = outcome;
  const surveys = outcome.surveys.filter(({ isClean }) => !isClean);
  const lines = surveys.flatMap((survey) => surveyLines(survey, isDone));
  if (surveys.length === 0) lines.push(`The secret is nowhere in ${toHarmless(session)}.`);
  if (elsewhere.length === 0) return lines;
  return [
    ...lines,
    style.yellow(`It is still in ${formatNumber(elsewhere.length, ...placesIn(elsewhere))}:`),
    ...elsewhere.slice(0, maxElsewhere).map((path) => `  ${toHarmless(path)}`),
    ...(elsewhere.length > maxElsewhere
      ? [`  and ${elsewhere.length - maxElsewhere} more; --json lists them`]
      : []),
  ];
}

function placesIn(addresses: readonly string[]): readonly [one: string, many: string] {
  const isInDatabase = addresses.some((address) => /^postgres(ql)?:/.test(address));
  return isInDatabase
    ? ["other place of the database", "other places of the database"]
    : ["other file of the data root", "other files of the data root"];
}

function surveyLines(survey: SecretSurvey, isDone: boolean): readonly string[] {
  const { session, entries, occurrences, droppedBlocks, blobs, toolResults, notes, removable, inDamage } =
    survey;
  const places = [
    ...(entries > 0 ? [formatNumber(entries, "entry", "entries")] : []),
    ...(blobs > 0 ? [formatNumber(blobs, "stored result")] : []),
    ...(toolResults.length > 0 ? [formatNumber(toolResults.length, "tool-result file")] : []),
    ...(notes.length > 0 ? ["the session's notes"] : []),
    ...(inDamage ? ["damaged lines of the log"] : []),
  ];
  const where = places.length > 0 ? places.join(", ") : "files kept aside";
  const times = occurrences > 0 ? ` ${formatNumber(occurrences, "time")}` : "";
  const thinking = formatNumber(droppedBlocks, "thinking block");
  return [
    `${isDone ? "Taken out of" : "Found in"} ${toHarmless(session)}${times}: ${where}.`,
    ...(droppedBlocks > 0 ? [`  ${isDone ? "removed whole" : "would be removed whole"}: ${thinking}`] : []),
    ...removable.map((path) => `  ${isDone ? "deleted" : "would be deleted"}: ${toHarmless(path)}`),
  ];
}

export function redactionRecord(
  { session, surveys, isDone, elsewhere }: RedactionOutcome,
  isDryRun: boolean,
) {
  return {
    session,
    dryRun: isDryRun,
    redacted: isDone,
    sessions: surveys.map((survey) => ({
      session: survey.session,
      entries: survey.entries,
      occurrences: survey.occurrences,
      droppedBlocks: survey.droppedBlocks,
      blobs: survey.blobs,
      toolResults: survey.toolResults,
      notes: survey.notes,
      inDamage: survey.inDamage,
      removed: survey.removable,
    })),
    elsewhere,
  };
}
