import { inlineLargeValues } from "../../log/large-values.ts";
import type { RecallDocument, RecallDocumentHead, SessionProgress } from "../../recall/index.ts";
import {
  type BlobStore,
  type ContentBlock,
  type Entry,
  fail,
  isBlock,
  type LogSize,
  ok,
  type RecallBase,
  type RecallDraft,
  type Result,
  type Store,
} from "../../spec/index.ts";
import type { CollectedChanges, SeenChanges } from "./collect-changes.ts";
import { memoryTree } from "./recall-parts.ts";

/** So many documents are taken in before they are published: what a process loses when it is killed. */
export const publishedDocuments = 20_000;

/** Reads what was seen to differ; a log that cannot be read waits for the next time. */
export async function readChanges(
  store: Store,
  { progress, isDamaged }: RecallBase,
  { memories, gone, unread }: SeenChanges,
  draft: RecallDraft,
  signal?: AbortSignal,
): Promise<Result<CollectedChanges>> {
  for (const document of memories.documents) draft.add(document);
  const sessions = new Map(progress.sessions);
  for (const session of gone) sessions.delete(session);
  const droppedSessions = new Set(gone);
  const droppedNotes = new Set<string>();
  const problems = [...memories.problems];
  let isMore = false;
  let isNew = isDamaged || memories.documents.length + memories.dropped.size + gone.length > 0;
  for (const size of unread) {
    if (signal?.aborted) return fail("aborted", "The update of the search index was stopped.");
    isMore = draft.documents >= publishedDocuments;
    if (isMore) break;
    const read = await collectSession(store, size, progress.sessions.get(size.session), signal);
    if (!read.ok) {
      problems.push(read.error);
      continue;
    }
    const { messages, notes, isAnew } = read.value;
    if (isAnew) droppedSessions.add(size.session);
    if (notes) droppedNotes.add(size.session);
    for (const document of notes ? [...messages, notes] : messages) draft.add(document);
    isNew = true;
    sessions.set(size.session, read.value.progress);
  }
  const drop = {
    droppedMemories: memories.dropped,
    droppedNotes,
    droppedSessions,
    progress: { sessions, memories: memories.versions },
  };
  const removed = memories.dropped.size + droppedSessions.size;
  return ok({ ...(isNew && { change: { draft, drop } }), added: draft.documents, removed, problems, isMore });
}

interface CollectedSession {
  readonly messages: readonly RecallDocument[];
  /** The newest notes, where there are new ones. */
  readonly notes?: RecallDocument;
  readonly progress: SessionProgress;
  /** The log was read from its start: what the index has of it goes. */
  readonly isAnew: boolean;
}

interface PlacedEntry {
  readonly entry: Entry;
  readonly place: number;
}

/** Reads what is new in a log; all of it when it was rewritten, as a redaction does. */
async function collectSession(
  store: Store,
  size: LogSize,
  known: SessionProgress | undefined,
  signal?: AbortSignal,
): Promise<Result<CollectedSession>> {
  const { session } = size;
  const from = known && (await isUnchanged(store, size, known)) ? known : undefined;
  const placed: PlacedEntry[] = [];
  const keep = (entry: Entry, position: number) => {
    const isOld = from !== undefined && (entry.seq <= from.lastSeq || entry.epoch < from.epoch);
    if (!isOld) placed.push({ entry, place: position });
  };
  const scanned = await store.logs.scan(session, keep, { from: from?.end, signal });
  if (!scanned.ok) return scanned;
  if (from && placed.some(({ entry }) => entry.kind === "note" && entry.note.topic === "redacted"))
    return collectSession(store, size, undefined, signal);
  const found = await toDocuments(store, session, placed, from?.messages ?? 0);
  const last = placed.at(-1);
  const progress: SessionProgress = {
    end: Math.max(scanned.value.end, from?.end ?? 0),
    lastSeq: last?.entry.seq ?? from?.lastSeq ?? 0,
    epoch: Math.max(scanned.value.epoch, from?.epoch ?? 0),
    lastPlace: last?.place ?? from?.lastPlace ?? 0,
    lastId: last?.entry.id ?? from?.lastId ?? "",
    messages: (from?.messages ?? 0) + found.messages.length,
    bytes: size.bytes,
    modifiedAt: size.modifiedAt,
  };
  return ok({ ...found, progress, isAnew: known !== undefined && from === undefined });
}

async function isUnchanged(store: Store, size: LogSize, known: SessionProgress): Promise<boolean> {
  if (known.lastId === "" || size.bytes < known.end) return false;
  const last = await store.logs.read(size.session, known.lastPlace);
  return last.ok && last.value.id === known.lastId && last.value.seq === known.lastSeq;
}

async function toDocuments(
  { blobs }: Store,
  session: string,
  placed: readonly PlacedEntry[],
  messagesBefore: number,
): Promise<Pick<CollectedSession, "messages" | "notes">> {
  const messages: RecallDocument[] = [];
  let notes: RecallDocument | undefined;
  for (const { entry, place } of placed) {
    const isNotes = entry.kind === "note" && entry.note.topic === "notes";
    if (!isNotes && !isSaid(entry)) continue;
    const body = await entryText(entry, session, blobs);
    if (body.trim() === "") continue;
    const head = { id: entry.id, session, atMs: Date.parse(entry.at) || 0, place, fields: { body } };
    if (isNotes) notes = { kind: "notes", number: entry.seq, ...head };
    else messages.push({ kind: "message", number: messagesBefore + messages.length + 1, ...head });
  }
  return { messages, ...(notes && { notes }) };
}

/** Whether an entry is something the user or the assistant said, and not something the engine put in their mouth. */
export function isSaid(entry: Entry): boolean {
  if (entry.kind !== "message") return false;
  const { type, isMeta, isCompactSummary, isApiErrorMessage, isSidechain, isAborted } = entry.message;
  const isPerson = type === "user" || type === "assistant";
  return isPerson && !(isMeta || isCompactSummary || isApiErrorMessage || isSidechain || isAborted);
}

/** The searched text of an entry: a message's text without tool calls and results, or notes. "" for all else. */
export async function entryText(entry: Entry, session: string, blobs: BlobStore): Promise<string> {
  if (entry.kind === "note") return entry.note.topic === "notes" ? entry.note.text : "";
  if (!isSaid(entry)) return "";
  const whole = entry.blobs ? await inlineLargeValues(entry, session, blobs, () => "") : undefined;
  const read = whole?.ok ? whole.value : entry;
  if (read.kind !== "message") return "";
  const content: unknown = read.message.content;
  if (typeof content === "string") return content;
  return (Array.isArray(content) ? (content as readonly ContentBlock[]) : [])
    .flatMap((block) => (isBlock(block, "text") && typeof block.text === "string" ? block.text : []))
    .join("\n");
}

export interface RecallText {
  /** The readable text; of a memory the description and the body. */
  readonly text: string;
  /** Of a memory that has one. */
  readonly name?: string;
}

/** A document's text as it stands now; `undefined` when it is gone, or is no longer what was indexed. */
export async function readRecallText(
  store: Store,
  head: RecallDocumentHead,
): Promise<RecallText | undefined> {
  if (head.kind === "memory") {
    const file = await store.tree(memoryTree).read(head.id);
    if (!file.ok || file.value.version.version !== head.number) return undefined;
    const { readMemoryFields } = await import("./memory-document.ts");
    const { name, description, body } = readMemoryFields(file.value);
    const text = [description, body].filter(Boolean).join("\n");
    return { text, ...(name === "" ? {} : { name }) };
  }
  const entry = await store.logs.read(head.session, head.place);
  if (!entry.ok || entry.value.id !== head.id) return undefined;
  const text = await entryText(entry.value, head.session, store.blobs);
  return text === "" ? undefined : { text };
}
