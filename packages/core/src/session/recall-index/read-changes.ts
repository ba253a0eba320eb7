import { fail, ok, type RecallBase, type RecallDraft, type Result, type Store } from "../../spec/index.ts";
import type { CollectedChanges, SeenChanges } from "./collect-changes.ts";
import { collectSession } from "./collect-session.ts";

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
