import { isRecord, textField } from "../../../json/json-values.ts";
import type { FileAction, FileRecord, Ledgers } from "../../../spec/index.ts";
import { boundedText } from "../../ledgers/ledger-parts.ts";
import { quoteCode, shortId, showName } from "../../quote-foreign.ts";
import type { IdWord } from "../../read-back.ts";
import { linesBelow } from "../carried-lines.ts";
import { type SeenPath, seenPaths, shownPath } from "../path-names.ts";
import type { Piece } from "../piece.ts";
import type { CallReading, SessionReading } from "../read-session.ts";

const snippetChars = [300, 900, 2_400] as const;
/** How many ids of one kind of call a file shows, the newest ones: where there is little room, and where there is more. */
const idCounts = [12, 100] as const;
/** How many seen files a line has, and how many are named at all. */
const seenPerLine = 12;
const maxSeen = 120;
const changedLabel = "Changed, newest first:";
const readLabel = "Read, newest first:";
const seenLabel = "Named by tools, not opened:";

export interface FileParts {
  /** The files written or edited, the newest first: their paths as they were given, then with the calls to recall. */
  readonly changed: readonly Piece[];
  readonly read: readonly Piece[];
  /** What was last put into each changed file, the newest first. */
  readonly snippets: readonly Piece[];
  /** The files that tools spoke of and nobody opened, the most telling first. */
  readonly seen: readonly Piece[];
}

export function fileParts(
  ledgers: Ledgers,
  reading: SessionReading,
  root: string,
  idWord: IdWord = "recall",
): FileParts {
  const { files } = ledgers;
  const byPath = callsByPath(reading);
  const records = [...files.values()].reverse();
  const changed = records.filter(isChanged);
  const read = records.filter((record) => !isChanged(record));
  const touched = new Set(records.flatMap(({ path }) => endsOf(path)));
  const older = olderIds(reading);
  const toPiece = (record: FileRecord) =>
    filePiece(
      record,
      record.path,
      byPath.get(record.path) ?? [],
      [record.path, shownPath(record.path, root)].flatMap((path) => older.get(showName(path)) ?? []),
      idWord,
    );
  const others = seenPaths(ledgers, root).filter(({ path }) => !touched.has(path));
  return {
    changed: changed.map(toPiece),
    read: read.map(toPiece),
    snippets: changed.flatMap((record) => snippetPiece(record, byPath.get(record.path) ?? [], root)),
    seen: seenPieces(others.slice(0, maxSeen)),
  };
}

/** A path with ever fewer of its folders: tools name files from where they stand. */
function endsOf(path: string): readonly string[] {
  const ends = [path];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) ends.push(path.slice(at + 1));
  return ends;
}

/** Whether the session wrote or edited a file, whatever it did with it since. */
export function isChanged({ writtenSeq, editedSeq }: FileRecord): boolean {
  return writtenSeq !== undefined || editedSeq !== undefined;
}

/** What was done to a file last, a look at what was changed apart. */
function lastChange({ lastAction, writtenSeq = -1, editedSeq = -1 }: FileRecord): FileAction {
  if (writtenSeq < 0 && editedSeq < 0) return lastAction;
  return editedSeq > writtenSeq ? "edited" : "written";
}

function callsByPath({ calls }: SessionReading): ReadonlyMap<string, readonly CallReading[]> {
  const byPath = new Map<string, CallReading[]>();
  for (const call of calls) {
    if (call.purpose.purpose !== "file" || call.outcome?.failed) continue;
    const known = byPath.get(call.purpose.path);
    if (known) known.push(call);
    else byPath.set(call.purpose.path, [call]);
  }
  return byPath;
}

function filePiece(
  record: FileRecord,
  shown: string,
  calls: readonly CallReading[],
  older: readonly string[],
  idWord: IdWord,
): Piece {
  const bare = `- ${showName(shown)} · ${lastChange(record)}`;
  const label = isChanged(record) ? changedLabel : readLabel;
  const newest = `${bare} · ${idWord} ${shortId(record.toolUseId)}`;
  const hasMore = older.length > 0 || calls.some(({ id }) => id !== record.toolUseId);
  const ids = hasMore
    ? idCounts.map((count) => `${bare} · ${idWord} ${idsOf(record, calls, older, count)}`)
    : [];
  return { label, levels: [bare, newest, ...new Set(ids)] };
}

/** `reads 1+200 ID, 200+50 ID; changes ID; older ID`: every call that may be wanted again. */
function idsOf(
  record: FileRecord,
  calls: readonly CallReading[],
  older: readonly string[],
  maxIds: number,
): string {
  const reads = calls.filter(({ purpose }) => purpose.purpose === "file" && purpose.action === "read");
  const changes = calls.filter((call) => !reads.includes(call));
  const known = new Set(calls.map(({ id }) => shortId(id)));
  const before = [...older, shortId(record.toolUseId)].filter((id) => !known.has(id));
  const kinds = [
    ["reads", reads.map((call) => `${rangeOf(call)}${shortId(call.id)}`)],
    ["changes", changes.map(({ id }) => shortId(id))],
    ["older", [...new Set(before)]],
  ] as const;
  const shown = kinds.filter(([, ids]) => ids.length > 0);
  return `${shown.map(([kind, ids]) => `${kind} ${ids.slice(-maxIds).join(", ")}`).join("; ")}`;
}

/** The ids that summaries of the scribe's own named for each file. */
function olderIds(reading: SessionReading): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, readonly string[]>();
  for (const line of [...linesBelow(reading, changedLabel), ...linesBelow(reading, readLabel)]) {
    const [, shown = "", list = ""] =
      /^- (.*) · (?:read|written|edited) · (?:recall|id) (.*)$/.exec(line) ?? [];
    ids.set(shown, [...(ids.get(shown) ?? []), ...idsIn(list)]);
  }
  return ids;
}

/** Those that the list calls older first: the newest are last. */
function idsIn(list: string): readonly string[] {
  const kinds = list.split("; ").sort((one, other) => Number(isOlder(other)) - Number(isOlder(one)));
  return kinds.flatMap((kind) => kind.split(", ").map((part) => part.slice(part.lastIndexOf(" ") + 1)));
}

function isOlder(kind: string): boolean {
  return kind.startsWith("older ");
}

function rangeOf({ purpose }: CallReading): string {
  if (purpose.purpose !== "file" || !purpose.range) return "";
  const { offset = 1, limit } = purpose.range;
  return `${offset}${limit === undefined ? "+" : `+${limit}`} `;
}

function snippetPiece(record: FileRecord, calls: readonly CallReading[], root: string): readonly Piece[] {
  const call = calls.findLast(({ purpose }) => purpose.purpose === "file" && purpose.action !== "read");
  const text = call && textLeft(call);
  if (!call || text === undefined || text.trim() === "") return [];
  const head = `- ${showName(shownPath(record.path, root))}, as ${lastChange(record)}:`;
  const lengths = snippetChars.filter((_chars, at) => at === 0 || text.length > (snippetChars[at - 1] ?? 0));
  return [
    {
      label: "Last seen of them:",
      levels: lengths.map((chars) => `${head} ${quoteCode(boundedText(text, chars), 2 * chars)}`),
    },
  ];
}

/** The text that a call left in the file. */
function textLeft({ input, purpose }: CallReading): string | undefined {
  if (purpose.purpose !== "file" || !isRecord(input)) return undefined;
  const edits = Array.isArray(input.edits) ? input.edits.filter(isRecord) : [];
  const texts = [input, ...edits].flatMap(
    (one) => textField(one, "new_string") ?? textField(one, "newText") ?? textField(one, "new_source") ?? [],
  );
  return textField(input, "content") ?? (texts.length > 0 ? texts.join("\n…\n") : undefined);
}

/** Files of one folder stand together, as long as they are equally telling. */
function seenPieces(paths: readonly SeenPath[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < paths.length; at += seenPerLine) {
    const byFolder = new Map<string, string[]>();
    for (const { path } of paths.slice(at, at + seenPerLine)) {
      const slash = path.lastIndexOf("/");
      const folder = path.slice(0, slash + 1);
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), path.slice(slash + 1)]);
    }
    const groups = [...byFolder].map(
      ([folder, names]) => `${folder}${names.length > 1 ? `{${names.join(",")}}` : names[0]}`,
    );
    pieces.push({ label: seenLabel, levels: [`- ${groups.join(" ")}`] });
  }
  return pieces;
}
