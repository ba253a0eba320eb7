import type {
  RecallChange,
  RecallDocument,
  RecallProgress,
  SegmentBuilder,
  Tokenizer,
} from "../../context/recall/index.ts";
import { createSegmentBuilder } from "../../context/recall/segment-builder.ts";
import { fail, ok, type RecallKind, type Result, type Store } from "../../spec/index.ts";
import type { CollectedChanges, SeenChanges } from "./collect-changes.ts";
import { collectSession } from "./collect-session.ts";

/** So many documents are taken in before they are published: what a process loses when it is killed. */
export const publishedDocuments = 20_000;

/** Reads what was seen to differ; a log that cannot be read waits for the next time. */
export async function readChanges(
  store: Store,
  progress: RecallProgress,
  { memories, gone, unread }: SeenChanges,
  tokenizer: Tokenizer,
  signal?: AbortSignal,
): Promise<Result<CollectedChanges>> {
  const collected = createKinds(tokenizer);
  for (const document of memories.documents) collected.add(document);
  const sessions = new Map(progress.sessions);
  for (const session of gone) sessions.delete(session);
  const droppedSessions = new Set(gone);
  const droppedNotes = new Set<string>();
  const problems = [...memories.problems];
  let isMore = false;
  let isNew = memories.documents.length + memories.dropped.size + gone.length > 0;
  for (const size of unread) {
    if (signal?.aborted) return fail("aborted", "The update of the search index was stopped.");
    isMore = collected.count() >= publishedDocuments;
    if (isMore) break;
    const read = await collectSession(store, size, progress.sessions.get(size.session), signal);
    if (!read.ok) {
      problems.push(read.error);
      continue;
    }
    const { messages, notes, isAnew } = read.value;
    if (isAnew) droppedSessions.add(size.session);
    if (notes) droppedNotes.add(size.session);
    for (const document of notes ? [...messages, notes] : messages) collected.add(document);
    isNew = true;
    sessions.set(size.session, read.value.progress);
  }
  const change: RecallChange = {
    added: collected.toSegments(),
    droppedMemories: memories.dropped,
    droppedNotes,
    droppedSessions,
    progress: { sessions, memories: memories.versions },
  };
  const removed = memories.dropped.size + droppedSessions.size;
  return ok({ ...(isNew && { change }), added: collected.count(), removed, problems, isMore });
}

/** A builder for each kind of document there is. */
function createKinds(tokenizer: Tokenizer) {
  const builders = new Map<RecallKind, SegmentBuilder>();
  return {
    add(document: RecallDocument): void {
      const builder = builders.get(document.kind) ?? createSegmentBuilder(tokenizer);
      builders.set(document.kind, builder);
      builder.add(document);
    },
    count: () => [...builders.values()].reduce((sum, { documents }) => sum + documents, 0),
    toSegments: (): RecallChange["added"] =>
      [...builders].map(([kind, builder]) => ({ kind, segment: builder.toSegment() })),
  };
}
