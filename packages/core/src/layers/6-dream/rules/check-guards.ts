import { afterChanges, type Change, type ChangeSet } from "./change-set.ts";
import {
  indexPath,
  isDailyLog,
  isMemoryPath,
  isQuarantined,
  type MemoryFormat,
  type ParsedMemory,
} from "./memory-links.ts";
import { containedPercent, shinglesOf } from "./scribe-dream.ts";
import { fileOf, memoriesOf, type Snapshot } from "./snapshot.ts";

export type GuardName = "confirmed" | "removals" | "index" | "secrets" | "quarantine" | "logs";

/** Why a change set is not applied by itself. */
export interface GuardFailure {
  readonly guard: GuardName;
  readonly path?: string;
  readonly message: string;
}

export interface GuardOptions {
  readonly parse: MemoryFormat["parse"];
  /** Problems of the index as it would be, given how it was; `null`: nothing. */
  readonly checkIndex: (
    index: string | null,
    memories: readonly ParsedMemory[],
    before: string | null,
  ) => string | null;
  /** Secrets in a text, each by something that is equal for equal secrets and gives nothing away. */
  readonly findSecrets: (text: string) => readonly string[];
  readonly maxRemovedPercent: number;
}

/** Everything that speaks against applying a change set to what it was made from. Pure; none: it may be applied. */
export function checkGuards(
  { changes }: Pick<ChangeSet, "changes">,
  before: Snapshot,
  options: GuardOptions,
): readonly GuardFailure[] {
  return [
    ...changes.flatMap((change) => checkConfirmed(change, before, options)),
    ...checkRemovals(changes, before, options),
    ...checkIndexAfter(changes, before, options),
    ...checkSecrets(changes, before, options),
    ...changes.flatMap((change) => checkQuarantine(change, before, options)),
    ...changes
      .filter(({ path }) => isDailyLog(path))
      .map(({ path }) => failure("logs", path, "is a daily log")),
  ];
}

function failure(guard: GuardName, path: string, says: string): GuardFailure {
  return { guard, path, message: `${path} ${says}.` };
}

function parseFile(path: string, text: string | undefined, { parse }: GuardOptions): ParsedMemory | null {
  return text === undefined ? null : parse(path, text);
}

function textAfter(change: Change): string | undefined {
  return change.kind === "write" ? change.text : undefined;
}

function checkConfirmed(change: Change, before: Snapshot, options: GuardOptions): readonly GuardFailure[] {
  const { path, contradiction = "" } = change;
  const was = parseFile(path, fileOf(before, path)?.text, options)?.isConfirmed === true;
  const is = parseFile(path, textAfter(change), options)?.isConfirmed === true;
  if (!was && is)
    return [failure("confirmed", path, "would count as confirmed, and no person has confirmed it")];
  if (!was || contradiction.trim() !== "") return [];
  const what = change.kind === "remove" ? "removed" : "rewritten";
  return [
    failure("confirmed", path, `is confirmed by you and would be ${what} without saying what contradicts it`),
  ];
}

/** A memory that is overwritten by something that is none counts as removed. */
function checkRemovals(
  changes: readonly Change[],
  before: Snapshot,
  options: GuardOptions,
): readonly GuardFailure[] {
  const { maxRemovedPercent } = options;
  const memories = new Set(memoriesOf(before, options.parse).map(({ path }) => path));
  const removed = changes.filter(
    (change) => memories.has(change.path) && parseFile(change.path, textAfter(change), options) === null,
  ).length;
  if (removed * 100 <= maxRemovedPercent * memories.size) return [];
  const message = `${removed} of ${memories.size} memories would be removed, over the ${maxRemovedPercent} % that one dream may.`;
  return [{ guard: "removals", message }];
}

function checkIndexAfter(
  changes: readonly Change[],
  before: Snapshot,
  options: GuardOptions,
): readonly GuardFailure[] {
  const after = afterChanges(before, { changes });
  const memories = memoriesOf(
    [...after].map(([path, text]) => ({ path, text })),
    options.parse,
  );
  const present = fileOf(before, indexPath)?.text ?? null;
  const problem = options.checkIndex(after.get(indexPath) ?? null, memories, present);
  return problem === null ? [] : [{ guard: "index", path: indexPath, message: problem }];
}

function checkSecrets(
  changes: readonly Change[],
  before: Snapshot,
  { findSecrets }: GuardOptions,
): readonly GuardFailure[] {
  const known = new Set(
    before.filter(({ path }) => !isQuarantined(path)).flatMap(({ text }) => findSecrets(text)),
  );
  return changes
    .filter((change) => findSecrets(textAfter(change) ?? "").some((secret) => !known.has(secret)))
    .map(({ path }) => failure("secrets", path, "would hold a secret that memory did not hold before"));
}

function checkQuarantine(change: Change, before: Snapshot, options: GuardOptions): readonly GuardFailure[] {
  const { path } = change;
  const text = textAfter(change);
  const was = parseFile(path, fileOf(before, path)?.text, options);
  if (isQuarantined(path)) {
    const isNew = fileOf(before, path) === undefined;
    return isNew ? [] : [failure("quarantine", path, "is in quarantine and waits for you")];
  }
  if (text === undefined) return [];
  const is = parseFile(path, text, options);
  if (was?.trust === "untrusted" && is !== null && is.trust !== "untrusted")
    return [failure("quarantine", path, "is not trusted and would be called so")];
  const source = isMemoryPath(path) || path === indexPath ? promotedFrom(text, path, before) : undefined;
  if (source === undefined) return [];
  return [failure("quarantine", path, `would say what waits in ${source}`)];
}

/** A text that newly has this part of a quarantined one says what that one says. */
const promotedPercent = 50;

/** Everything behind the front matter. */
function bodyOf(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---(?:\r?\n|$)/, "");
}

/** The quarantined file whose words a new text has taken over and its former one had not; `undefined`: none. */
function promotedFrom(text: string, path: string, before: Snapshot): string | undefined {
  const had = shinglesOf(bodyOf(fileOf(before, path)?.text ?? ""));
  const gained = new Set([...shinglesOf(bodyOf(text))].filter((shingle) => !had.has(shingle)));
  const source = before.find(
    (file) =>
      isQuarantined(file.path) && containedPercent(shinglesOf(bodyOf(file.text)), gained) >= promotedPercent,
  );
  return source?.path;
}
