import { notesHeadline } from "../../../layers/3-session-notes/rules/notes-document.ts";
import { type Entry, type LogListing, ok, type Result } from "../../../spec/index.ts";
import { sessionFileName } from "../../shared/layout.ts";
import { promptOf } from "../../shared/log.ts";
import { absentSession, type ProjectRows } from "../upkeep/tombstone.ts";

/** A log, without its entries. Its id changes when it is written anew. */
export interface LogRow {
  readonly id: number;
  readonly epoch: number;
  readonly last_seq: number;
  readonly bytes: number;
  readonly format: number;
}

/** A log's row together with what it says about its entries. */
export interface DescribedLog extends LogRow {
  readonly listing: Buffer;
  readonly damaged_lines: number;
}

export const logColumns = "id, epoch, last_seq, bytes, format";

/** `not-found` or `collected` where there is none. */
export async function findLog(rows: ProjectRows, session: string): Promise<Result<LogRow>> {
  const name = sessionFileName(session);
  if (!name.ok) return name;
  const { database, project } = rows;
  const found = await database.query<LogRow>(
    `select ${logColumns} from ${database.schema}.log where project = $1 and session = $2`,
    [project, session],
    { isRepeatable: true },
  );
  if (!found.ok) return found;
  const [row] = found.value.rows;
  return row ? ok(row) : absentSession(rows, session);
}

/** A log's listing, as its entries come; kept beside it, so that listing reads no entries. */
export interface ListingState extends Pick<LogListing, "createdAt" | "cwd" | "model" | "parent" | "state"> {
  /** Of the last title note. */
  readonly title?: string;
  /** Of the last notes, which goes before it. */
  readonly headlineTitle?: string;
  readonly firstPrompt?: string;
  readonly hasHeader?: true;
}

/** The very same object where the entry says nothing new. */
export function advanceListing(listing: ListingState, entry: Entry, isFirst: boolean): ListingState {
  if (isFirst && entry.kind === "session") {
    const { cwd, model, parent } = entry.session;
    return { ...listing, hasHeader: true, createdAt: entry.at, cwd, model, parent: parent?.session };
  }
  if (entry.kind === "note" && entry.note.topic === "title") return { ...listing, title: entry.note.title };
  // Large notes are references to their blob, and are passed over.
  if (entry.kind === "note" && entry.note.topic === "notes" && typeof entry.note.text === "string") {
    const { title: headlineTitle, state } = notesHeadline(entry.note.text);
    return { ...listing, headlineTitle, state };
  }
  const firstPrompt = listing.firstPrompt ?? promptOf(entry);
  return firstPrompt === listing.firstPrompt ? listing : { ...listing, firstPrompt };
}

export function encodeListing(listing: ListingState): Buffer {
  return Buffer.from(JSON.stringify(listing));
}

export function toLogListing(bytes: Buffer, damagedLines: number): Partial<LogListing> {
  const { hasHeader, headlineTitle, title, ...rest } = JSON.parse(bytes.toString("utf8")) as ListingState;
  if (!hasHeader) return { problem: "its first entry is damaged or missing" };
  const known = { ...rest, title: headlineTitle ?? title };
  if (damagedLines === 0) return known;
  return { problem: damagedLines === 1 ? "it has a damaged line" : "it has damaged lines", ...known };
}
