import { type NotesHeadline, notesHeadline } from "../../../layers/3-session-notes/rules/notes-document.ts";
import { createLineJudge } from "../../../log/line-judge.ts";
import { scanLines } from "../../../log/scan-lines.ts";
import {
  type Disk,
  type DiskFile,
  type Entry,
  type LogListing,
  ok,
  type Result,
} from "../../../spec/index.ts";
import { promptOf } from "../../shared/log.ts";

/** How much of a log's head and tail a listing looks at; titles are written again near the tail. */
const lookBytes = 64 * 1024;

/** The listing of a log from its first and last lines, at a cost that does not grow with it. */
export async function listLog(disk: Disk, path: string, session: string): Promise<LogListing> {
  const stat = await disk.stat(path);
  const { bytes, modifiedMs } = stat.ok ? stat.value : { bytes: 0, modifiedMs: 0 };
  const listing = { session, bytes, modifiedAt: new Date(modifiedMs).toISOString() };
  const opened = await disk.open(path, "read");
  if (!opened.ok) return { ...listing, problem: opened.error.message };
  const file = opened.value;
  try {
    const head = await entriesIn(file, 0, Math.min(bytes, lookBytes));
    if (!head.ok) return { ...listing, problem: head.error.message };
    const tailFrom = Math.max(0, bytes - lookBytes);
    const tail = tailFrom === 0 ? ok({ entries: [], damaged: 0 }) : await entriesIn(file, tailFrom, bytes);
    if (!tail.ok) return { ...listing, problem: tail.error.message };
    if (bytes === 0) return { ...listing, problem: "it is empty" };
    const entries = [...head.value.entries, ...tail.value.entries];
    return { ...listing, ...damageOf(head.value.damaged + tail.value.damaged), ...describe(entries) };
  } finally {
    await file.close();
  }
}

interface Look {
  readonly entries: readonly Entry[];
  readonly damaged: number;
}

async function entriesIn(file: DiskFile, from: number, until: number): Promise<Result<Look>> {
  const entries: Entry[] = [];
  const judge = createLineJudge((entry) => entries.push(entry));
  const lines = await scanLines(
    file,
    (buffer, start, end, offset) => {
      // Looking begins somewhere, so the first line may be the end of one.
      if (from === 0 || offset > from) judge.line(buffer, start, end, offset);
    },
    { from, until, maxLineBytes: lookBytes, onLongLine: () => undefined },
  );
  return lines.ok ? ok({ entries, damaged: judge.report().corruptLines }) : lines;
}

function damageOf(damaged: number): Partial<LogListing> {
  return damaged === 0 ? {} : { problem: damaged === 1 ? "it has a damaged line" : "it has damaged lines" };
}

function describe(entries: readonly Entry[]): Partial<LogListing> {
  const first = entries[0];
  if (first?.kind !== "session") return { problem: "its first entry is damaged or missing" };
  const { cwd, model, parent } = first.session;
  let title: string | undefined;
  let headline: NotesHeadline = {};
  let firstPrompt: string | undefined;
  for (const entry of entries) {
    if (entry.kind === "note" && entry.note.topic === "title") title = entry.note.title;
    // Large notes are references to their blob, and are passed over.
    if (entry.kind === "note" && entry.note.topic === "notes" && typeof entry.note.text === "string")
      headline = notesHeadline(entry.note.text);
    if (entry.kind === "message") firstPrompt ??= promptOf(entry);
  }
  const { state } = headline;
  title = headline.title ?? title;
  return { createdAt: first.at, title, state, cwd, model, firstPrompt, parent: parent?.session };
}
