import { recallToolName } from "../../../catalog/known-tools.ts";
import type { ErrorRecord } from "../../../spec/index.ts";
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

/** More lines than these nobody reads: the newest ones. */
const maxCommands = 60;
const maxOthers = 40;
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

/** `told`: failures that stand elsewhere, by the ids of their calls. */
export function callParts(
  reading: SessionReading,
  lastCalls: number,
  idWord: IdWord = "recall",
  told: ReadonlySet<string> = new Set(),
): CallParts {
  const { calls } = reading;
  const commands = calls.filter(({ purpose }) => purpose.purpose === "command");
  const others = calls.filter(({ purpose, tool }) => purpose.purpose === "other" && tool !== recallToolName);
  return {
    commands: [
      ...carriedLines(reading, commandsLabel),
      ...groupByCommand(commands)
        .slice(-maxCommands)
        .map((runs) => ({
          label: commandsLabel,
          levels: commandLevels(runs, idWord),
        })),
    ],
    others: [
      ...carriedLines(reading, othersLabel),
      ...others.slice(-maxOthers).map((call) => ({ label: othersLabel, levels: searchLevels(call, idWord) })),
    ],
    failures: failurePieces(calls, told, idWord),
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

/** The runs of each command, oldest first, in the order of their newest ones. */
function groupByCommand(calls: readonly CallReading[]): readonly (readonly CallReading[])[] {
  const byKey = new Map<string, readonly CallReading[]>();
  for (const call of calls) {
    const key = keyOf(call);
    const runs = byKey.get(key) ?? [];
    byKey.delete(key);
    byKey.set(key, [...runs, call]);
  }
  return [...byKey.values()];
}

/** How many ids of earlier runs a command shows. */
const maxEarlier = 6;

/** A command with the outcome of its newest run; the id of that is the last. */
function commandLevels(runs: readonly CallReading[], idWord: IdWord): readonly string[] {
  const call = runs.at(-1) as CallReading;
  const command = call.purpose.purpose === "command" ? call.purpose.command : call.argument;
  const times = runs.length > 1 ? ` · ${runs.length} times` : "";
  const ids = runs.slice(-1 - maxEarlier).map(({ id }) => shortId(id));
  const end = `${times} · ${idWord} ${ids.join(", ")}`;
  return [
    `- ${quoteForeign(call.argument, commandChars)} · ${hasFailed(call) ? "failed" : "ran"}${end}`,
    `- ${quoteForeign(command, commandChars)} → ${outcomeOf(call)}${end}`,
  ];
}

/** Searches, and where they found something. */
function searchLevels(call: CallReading, idWord: IdWord): readonly string[] {
  const end = ` · ${idWord} ${shortId(call.id)}`;
  const found = call.outcome && !call.outcome.isReplaced ? foundPlaces(call.outcome.text, placesChars) : "";
  const short = `- ${callLine(call)}${end}`;
  return found === "" ? [short] : [short, `- ${callLine(call)} → ${found}${end}`];
}

/**
 * The last line of what came back: results and tests sum up at the end. What a file tool says where it went well is that
 * it did. A pipe hides how a command ended: where its last line tells of a failure, it is not said that it went well.
 */
function outcomeOf(call: CallReading): string {
  const { outcome, purpose } = call;
  if (!outcome) return "no result";
  const state = outcome.failed ? "failed" : "ok";
  if (outcome.isReplaced || (purpose.purpose === "file" && !outcome.failed)) return state;
  const line = lastLine(outcome.text);
  if (line.trim() === "" || placeholder.test(outcome.text)) return state;
  return `${hasFailed(call) && !outcome.failed ? "ended with" : `${state}:`} ${quoteForeign(line, outcomeChars)}`;
}

function lastLine(text: string): string {
  const end = text.slice(-2_000).trimEnd();
  return end.slice(end.lastIndexOf("\n") + 1);
}

/** What harnesses put in the place of a result that they took out, or of one without text. */
const placeholder =
  /^\s*(?:\[Old tool result content cleared\]|\(no (?:content|output)\)|\(?Tool ran without output or errors\)?|<system>[^<]*<\/system>|<persisted-output>)/i;
const failedLine =
  /^\W*(?:FAIL|FAILED)(?![\p{L}])|(?<![\p{L}])(?:ERROR task failed|exit (?:code|status)[: ]+[1-9]|[1-9]\d* (?:failed|failing|errors?)(?![\p{L}]))|^(?:error|fatal|panic)(?:\[\w+\])?:/iu;

/** Whether a call failed, by its flag or by the last line of what a command printed. */
export function hasFailed({ outcome, purpose }: CallReading): boolean {
  if (!outcome) return false;
  if (outcome.failed) return true;
  return purpose.purpose === "command" && !outcome.isReplaced && failedLine.test(lastLine(outcome.text));
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

/** Not of the work: the harness wanted a file read first, or another call of the same round had failed. */
export const mechanical =
  /(?:has been (?:unexpectedly )?modified|has not been read yet|Sibling tool call errored|String to replace not found|No changes to make)/;
const lookingAtNothing =
  /^(?:Exit code \d+\s+)?(?:<tool_use_error>)?(?:\(eval\):|\/bin\/|bash: |sh: |zsh: )?(?:(?:line \d+: )?(?:cd|ls|cat|wc|e?grep|rg|head|tail|sed|awk|stat|find|diff|file|cp|mv|rm|du)\b[^\n]{0,300}(?:no such file|not a directory|does not exist|no matches found)|File does not exist|Path does not exist|InputValidationError|EISDIR)/i;

/** Whether a call failed since it named a file or an argument that is not there: a slip, no failure of the work. */
export function isMisaddressed(text: string): boolean {
  return lookingAtNothing.test(text.slice(0, 600));
}

/** The user said no to a call. */
export const rejection = /^The user doesn't want to proceed with this tool use/;

/** The newest failure of each call that failed: what followed, and whether it passes now. */
function failurePieces(
  calls: readonly CallReading[],
  told: ReadonlySet<string>,
  idWord: IdWord,
): readonly Piece[] {
  const solved = solvedLater(calls);
  const newest = new Map<string, number>();
  for (const [at, call] of calls.entries())
    if (hasFailed(call) && !rejection.test(call.outcome?.text ?? "")) newest.set(keyOf(call), at);
  const open = [...newest.values()].filter((at) => !solved.has(at));
  const passing = [...newest.values()].filter((at) => solved.has(at));
  return [...open, ...passing].flatMap((at): readonly Piece[] => {
    const call = calls[at] as CallReading;
    const later = solved.get(at);
    if (!call.outcome || told.has(call.id)) return [];
    if (later !== undefined && mechanical.test(call.outcome.text)) return [];
    const what = `- ${callLine(call)}: ${errorLine(call.outcome.text)} · ${idWord} ${shortId(call.id)}`;
    if (later !== undefined) {
      const end = `it passes now · ${idWord} ${shortId((calls[later] as CallReading).id)}`;
      return [{ label: "Failed before, and passes now:", levels: [`${what} → ${end}`] }];
    }
    return [
      {
        label: "Failed, and not tried again with success:",
        levels: [what, `${what}${whatFollowed(calls, call.id)}`],
      },
    ];
  });
}

/** The next few calls behind a failure; empty where it is not in the view, or the last. */
export function whatFollowed(calls: readonly CallReading[], id: string): string {
  const at = calls.findIndex((call) => call.id === id);
  const followed = at === -1 ? [] : calls.slice(at + 1, at + 1 + maxFollowing);
  return followed.length === 0 ? "" : ` → ${followed.map((one) => callLine(one, followingChars)).join("; ")}`;
}

/** For each failed call the next one of the same tool about the same thing that succeeded. */
function solvedLater(calls: readonly CallReading[]): ReadonlyMap<number, number> {
  const next = new Map<string, number>();
  const solved = new Map<number, number>();
  for (let at = calls.length - 1; at >= 0; at -= 1) {
    const call = calls[at] as CallReading;
    const key = keyOf(call);
    const later = next.get(key);
    if (hasFailed(call) && later !== undefined) solved.set(at, later);
    if (call.outcome && !hasFailed(call)) next.set(key, at);
    else if (hasFailed(call) && later === undefined) {
      const other = [...next].find(([passed, position]) => position > at && isWithoutWrapper(key, passed));
      if (other) solved.set(at, other[1]);
    }
  }
  return solved;
}

/** `npm test` has passed where `wrapper npm test` had failed. */
function isWithoutWrapper(failed: string, passed: string): boolean {
  const [tool, ...words] = passed.split(" ");
  return words.length > 1 && failed.startsWith(`${tool} `) && failed.endsWith(` ${words.join(" ")}`);
}

/** The calls after which a failure is none any more, by the id of what failed. */
export function solvedBy(calls: readonly CallReading[]): ReadonlyMap<string, CallReading> {
  const solved = new Map<string, CallReading>();
  for (const [at, later] of solvedLater(calls)) {
    const [failed, success] = [calls[at], calls[later]];
    if (failed && success) solved.set(failed.id, success);
  }
  return solved;
}

/** What a call tries: a command without the folder it runs in, and without what only shows less of its output. */
function keyOf({ tool, purpose, sought, argument }: CallReading): string {
  if (purpose.purpose !== "command") return `${tool} ${sought ?? ""} ${argument}`;
  return `${tool} ${plainCommand(purpose.command)}`;
}

function plainCommand(command: string): string {
  return command
    .replace(/^(?:\s*cd\s+[^&;|]+(?:&&|;))+/, "")
    .replace(/\s*(?:\d?>&?\s*\S+|\|\s*(?:tail|head|grep|cat|tee)\b[^|;&]*)/g, "")
    .trim();
}

/** Whether a call in the view tried behind an error what that had failed at, and it went well. */
export function passesSince(
  calls: readonly CallReading[],
  { tool, target, toolUseId }: ErrorRecord,
): boolean {
  if (target === undefined) return false;
  const from = calls.findIndex(({ id }) => id === toolUseId) + 1;
  const failed = `${tool} ${plainCommand(target)}`;
  return calls.slice(from).some((call) => {
    if (call.purpose.purpose !== "command" || !call.outcome || hasFailed(call)) return false;
    const passed = keyOf(call);
    return passed === failed || isWithoutWrapper(failed, passed);
  });
}
