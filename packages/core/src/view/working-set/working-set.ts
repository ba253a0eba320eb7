import type { FileRecord, Ledgers, View, ViewItem } from "../../spec/index.ts";
import type { ClearablePart } from "../clearing/clearable-parts.ts";
import { supersededResults } from "../clearing/superseded.ts";

/** The numbers of the working set; each can be set under `microcompact`. */
export interface WorkingSetNumbers {
  /** Whatever so many of the newest responses called stays, and so do readings of the files they changed. */
  readonly workingRequests: number;
  /** A file that was read and not changed since stays for so many requests, and for the turn at least. */
  readonly workingReadRequests: number;
  /** Of so many files at most: the ones read last. */
  readonly workingReadFiles: number;
  /** Readings of so many of the files changed last stay. */
  readonly workingChangedFiles: number;
  /** Whole contents that the model wrote stay for so many of the files changed last. */
  readonly workingFiles: number;
}

/**
 * Chosen on two sets of recorded coding sessions, each checked on the other
 * (docs/decisions/2026-11-19-working-set.md); round values, since neighbouring ones give nearly the same.
 */
export const workingSetNumbers: WorkingSetNumbers = {
  workingRequests: 5,
  workingReadRequests: 30,
  workingReadFiles: 12,
  workingChangedFiles: 2,
  workingFiles: 6,
};

/**
 * The parts of tool calls that the next calls are expected to need. An edit needs the text that it replaces, word for
 * word: from a reading where the file was not changed since, or is being changed now; later from what the model itself
 * wrote there. Other results have served their purpose after a few requests. Only parts as they were are told apart: an
 * older version of what was read or written again is in no working set.
 */
export function workingSet(
  { items, ledgers }: Pick<View, "items" | "ledgers">,
  parts: readonly ClearablePart[],
  numbers: WorkingSetNumbers,
): (part: ClearablePart) => boolean {
  const recentFrom = requestsBack(items, numbers.workingRequests);
  const recentSeq = items[recentFrom]?.seq ?? Number.POSITIVE_INFINITY;
  const readFrom = requestsBack(items, numbers.workingReadRequests);
  const turnSeq = ledgers.userMessages.at(-1)?.seq ?? 0;
  const failure = ledgers.unresolvedErrors.at(-1)?.toolUseId;
  const older = olderVersions(parts);
  const files = [...ledgers.files.values()];
  const changed = newestBy(changedAt, files, numbers.workingFiles);
  const changedLast = new Set(newestBy(changedAt, files, numbers.workingChangedFiles));
  const unchanged = new Set(newestBy(readUnchangedAt, files, numbers.workingReadFiles));

  function isReadInUse({ path }: { readonly path: string }, { seq, position }: ClearablePart): boolean {
    const changedSeq = changedAt(ledgers.files.get(path));
    if (changedSeq < seq) return unchanged.has(path) && (seq > turnSeq || position >= readFrom);
    return changedSeq >= recentSeq || changedLast.has(path);
  }

  return (part) => {
    const { call, position, toolUseId } = part;
    if (position >= recentFrom) return true;
    if (part.part === "result" && toolUseId === failure) return true;
    if (call.purpose !== "file" || older.has(versionOf(part))) return false;
    if (part.part === "input") return call.action === "written" && changed.includes(call.path);
    return call.action === "read" && isReadInUse(call, part);
  };
}

/** The files of the working set, by the ledgers alone: what a compaction brings back first. The last touched is the first. */
export function workingFilesOf(
  { files, userMessages }: Pick<Ledgers, "files" | "userMessages">,
  numbers: WorkingSetNumbers = workingSetNumbers,
): readonly string[] {
  const turnSeq = userMessages.at(-1)?.seq ?? 0;
  const all = [...files.values()];
  const changed = newestBy(changedAt, all, numbers.workingFiles);
  const unchanged = newestBy(readUnchangedAt, all, numbers.workingReadFiles).filter(
    (path) => (files.get(path)?.readSeq ?? 0) > turnSeq,
  );
  const working = new Set([...changed, ...unchanged]);
  return all.flatMap(({ path }) => (working.has(path) ? path : [])).toReversed();
}

/** Where the response begins that is the n-th from the end; 0 where there are not so many. */
export function requestsBack(items: readonly ViewItem[], count: number): number {
  let left = count;
  let from = items.length;
  let isOpen = false;
  let response: string | undefined;
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const { role, response: own } = items[at] as ViewItem;
    if (role !== "assistant") {
      isOpen = false;
      continue;
    }
    const isSame = isOpen || (own !== undefined && own === response);
    if (!isSame && left === 0) return from;
    if (!isSame) left -= 1;
    isOpen = true;
    response = own;
    from = at;
  }
  return left === 0 ? from : 0;
}

/** Results of readings that a later one covers, and inputs whose file was written whole again. */
function olderVersions(parts: readonly ClearablePart[]): ReadonlySet<string> {
  const whole = parts.filter(({ call }) => call.purpose !== "file" || call.action !== "edited");
  const older = new Set([...supersededResults(whole)].map((id) => `result ${id}`));
  const written = new Set<string>();
  for (const part of parts.toReversed()) {
    const { call } = part;
    if (part.part !== "input" || call.purpose !== "file" || call.action !== "written") continue;
    if (written.has(call.path)) older.add(versionOf(part));
    written.add(call.path);
  }
  return older;
}

function versionOf({ part, toolUseId }: ClearablePart): string {
  return `${part} ${toolUseId}`;
}

/** The newest change of a file; 0 where there was none. */
function changedAt(file: FileRecord | undefined): number {
  return Math.max(file?.editedSeq ?? 0, file?.writtenSeq ?? 0);
}

/** The newest reading of a file that was not changed since; 0 where there is none. */
function readUnchangedAt(file: FileRecord): number {
  const { readSeq = 0 } = file;
  return readSeq > changedAt(file) ? readSeq : 0;
}

/** The paths of the files of which something happened last; those of which it never did are left out. */
function newestBy(
  happenedAt: (file: FileRecord) => number,
  files: readonly FileRecord[],
  count: number,
): readonly string[] {
  return files
    .filter((file) => happenedAt(file) > 0)
    .sort((one, other) => happenedAt(other) - happenedAt(one))
    .slice(0, count)
    .map(({ path }) => path);
}
