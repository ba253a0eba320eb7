import { recallToolName } from "../../../catalog/known-tools.ts";
import { quoteForeign, shortId, showName } from "../../quote-foreign.ts";
import type { IdWord } from "../../read-back.ts";
import { carriedLines } from "../carried-lines.ts";
import { foundPlaces } from "../path-names.ts";
import type { Piece } from "../piece.ts";
import type { CallReading, SessionReading } from "../read-session.ts";

const commandChars = 140;
const outcomeChars = 120;
const errorChars = 240;
const argumentChars = 100;
const placesChars = 400;
/** How many calls after a failure are named as what followed. */
const maxFollowing = 3;
const followingChars = 60;

const commandsLabel = "Commands, oldest first:";
const othersLabel = "Other calls, oldest first:";

export interface CallParts {
  /** Commands with their outcome, oldest first. */
  readonly commands: readonly Piece[];
  /** All other calls that touched no file: searches, fetches, agents. */
  readonly others: readonly Piece[];
  /** Failures, and what followed. */
  readonly failures: readonly Piece[];
  /** The last few calls. */
  readonly last: readonly Piece[];
  /** Calls that nothing came back from yet. */
  readonly open: readonly Piece[];
}

export function callParts(reading: SessionReading, lastCalls: number, idWord: IdWord = "recall"): CallParts {
  const { calls } = reading;
  const commands = calls.filter(({ purpose }) => purpose.purpose === "command");
  const others = calls.filter(({ purpose, tool }) => purpose.purpose === "other" && tool !== recallToolName);
  return {
    commands: [
      ...carriedLines(reading, commandsLabel),
      ...commands.map((call) => ({ label: commandsLabel, levels: commandLevels(call, idWord) })),
    ],
    others: [
      ...carriedLines(reading, othersLabel),
      ...others.map((call) => ({ label: othersLabel, levels: searchLevels(call, idWord) })),
    ],
    failures: failurePieces(calls, idWord),
    last: calls
      .slice(-lastCalls)
      .filter(({ outcome }) => outcome !== undefined)
      .map((call) => ({ label: "Last calls:", levels: [`- ${callLine(call)}: ${outcomeOf(call)}`] })),
    open: calls
      .filter(({ outcome }) => outcome === undefined)
      .map((call) => ({
        label: "Without a result yet:",
        levels: [`- ${callLine(call)} · ${idWord} ${shortId(call.id)}`],
      })),
  };
}

/** The tool, and what it was called for: one word as it is, others between quotes. */
function callLine({ tool, argument, sought }: CallReading, maxChars = argumentChars): string {
  const shown = (text: string) => (text.length > maxChars ? quoteForeign(text, maxChars) : showName(text));
  const about = sought === undefined ? [argument] : [sought, "in", argument];
  return [showName(tool), ...about.flatMap((part) => (part === "" ? [] : shown(part)))].join(" ");
}

function commandLevels(call: CallReading, idWord: IdWord): readonly string[] {
  const command = call.purpose.purpose === "command" ? call.purpose.command : call.argument;
  const short = `- ${quoteForeign(call.argument, commandChars)} · ${call.outcome?.failed ? "failed" : "ran"} · ${idWord} ${shortId(call.id)}`;
  return [
    short,
    `- ${quoteForeign(command, commandChars)} → ${outcomeOf(call)} · ${idWord} ${shortId(call.id)}`,
  ];
}

/** Searches, and where they found something. */
function searchLevels(call: CallReading, idWord: IdWord): readonly string[] {
  const end = ` · ${idWord} ${shortId(call.id)}`;
  const found = call.outcome && !call.outcome.isReplaced ? foundPlaces(call.outcome.text, placesChars) : "";
  const short = `- ${callLine(call)}${end}`;
  return found === "" ? [short] : [short, `- ${callLine(call)} → ${found}${end}`];
}

/** The last line of what came back: results and tests sum up at the end. */
function outcomeOf({ outcome }: CallReading): string {
  if (!outcome) return "no result";
  const state = outcome.failed ? "failed" : "ok";
  if (outcome.isReplaced) return state;
  const end = outcome.text.slice(-2_000).trimEnd();
  const line = end.slice(end.lastIndexOf("\n") + 1);
  return line.trim() === "" ? state : `${state}: ${quoteForeign(line, outcomeChars)}`;
}

const telling = [
  /error|exception|panic|cannot|can't|not found|no such|denied|invalid|unexpected|undefined/i,
  /fail/i,
  /\S/,
];

/** The line of an error that says most: the first that names one, else the first that speaks of failing. */
function errorLine(text: string): string {
  const lines = text.slice(0, 8_000).split("\n");
  const found = telling.map((pattern) => lines.find((line) => pattern.test(line)));
  return quoteForeign(found.find((line) => line !== undefined) ?? "", errorChars);
}

function failurePieces(calls: readonly CallReading[], idWord: IdWord): readonly Piece[] {
  const solved = solvedLater(calls);
  return calls.flatMap((call, at): readonly Piece[] => {
    if (!call.outcome?.failed) return [];
    const later = solved.get(at);
    const end = later === undefined ? "not tried again with success" : "then it succeeded";
    const between = calls.slice(at + 1, later ?? at + 1 + maxFollowing).slice(0, maxFollowing);
    const followed = [...between.map((one) => callLine(one, followingChars)), end].join("; ");
    const what = `- ${callLine(call)}: ${errorLine(call.outcome.text)} · ${idWord} ${shortId(call.id)}`;
    return [{ label: "Failures and what followed, oldest first:", levels: [what, `${what} → ${followed}`] }];
  });
}

/** For each failed call the next one of the same tool about the same thing that succeeded. */
function solvedLater(calls: readonly CallReading[]): ReadonlyMap<number, number> {
  const next = new Map<string, number>();
  const solved = new Map<number, number>();
  for (let at = calls.length - 1; at >= 0; at -= 1) {
    const call = calls[at] as CallReading;
    const key = `${call.tool} ${call.sought ?? ""} ${call.argument}`;
    const later = next.get(key);
    if (call.outcome?.failed && later !== undefined) solved.set(at, later);
    if (call.outcome && !call.outcome.failed) next.set(key, at);
  }
  return solved;
}
