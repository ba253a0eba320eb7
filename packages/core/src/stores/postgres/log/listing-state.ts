import { notesHeadline } from "../../../layers/3-session-notes/rules/notes-headline.ts";
import type { Entry, LogListing } from "../../../spec/index.ts";
import { promptOf } from "../../shared/log/first-prompt.ts";

/** What a log says about itself, as its entries come; kept beside it, so that listing reads no entries. */
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
