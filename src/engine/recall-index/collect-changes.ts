import {
  createSegmentBuilder,
  type RecallChange,
  type RecallContents,
  type RecallDocument,
  type RecallProgress,
  type SegmentBuilder,
  type Tokenizer,
} from "../../context/recall/index.ts";
import {
  fail,
  type LogSize,
  ok,
  type PalimpsestError,
  type RecallKind,
  type Result,
  type Store,
} from "../../spec/index.ts";
import { collectMemories } from "./collect-memories.ts";
import { collectSession } from "./collect-session.ts";

/** So many documents are taken in before they are published: what a process loses when it is killed. */
export const publishedDocuments = 20_000;

export interface CollectedChanges {
  readonly change: RecallChange;
  /** Whether there is anything to publish. */
  readonly isNew: boolean;
  readonly added: number;
  readonly removed: number;
  readonly problems: readonly PalimpsestError[];
  /** There is more: collect again once this is published. */
  readonly isMore: boolean;
}

/** What has come, gone and changed since the progress of the contents; a log that cannot be read waits for the next time. */
export async function collectChanges(
  store: Store,
  { progress }: RecallContents,
  tokenizer: Tokenizer,
  signal?: AbortSignal,
): Promise<Result<CollectedChanges>> {
  const memories = await collectMemories(store, progress.memories);
  if (!memories.ok) return memories;
  const sizes = await (store.logs.sizes?.() ?? store.logs.list());
  if (!sizes.ok) return sizes;
  const present = new Set(sizes.value.map(({ session }) => session));
  const gone = [...progress.sessions.keys()].filter((session) => !present.has(session));

  const builders = new Map<RecallKind, SegmentBuilder>();
  const add = (document: RecallDocument) => {
    const builder = builders.get(document.kind) ?? createSegmentBuilder(tokenizer);
    builders.set(document.kind, builder);
    builder.add(document);
  };
  for (const document of memories.value.documents) add(document);
  const sessions = new Map(progress.sessions);
  for (const session of gone) sessions.delete(session);
  const droppedSessions = new Set(gone);
  const droppedNotes = new Set<string>();
  const problems = [...memories.value.problems];
  const counted = () => [...builders.values()].reduce((sum, { documents }) => sum + documents, 0);
  let isMore = false;
  let isNew = counted() + memories.value.dropped.size + gone.length > 0;
  for (const size of sizes.value) {
    if (isRead(size, progress)) continue;
    if (signal?.aborted) return fail("aborted", "The update of the search index was stopped.");
    isMore = counted() >= publishedDocuments;
    if (isMore) break;
    const collected = await collectSession(store, size, progress.sessions.get(size.session), signal);
    if (!collected.ok) {
      problems.push(collected.error);
      continue;
    }
    const { messages, notes, isAnew } = collected.value;
    if (isAnew) droppedSessions.add(size.session);
    if (notes) droppedNotes.add(size.session);
    for (const document of notes ? [...messages, notes] : messages) add(document);
    isNew = true;
    sessions.set(size.session, collected.value.progress);
  }
  const change: RecallChange = {
    added: [...builders].map(([kind, builder]) => ({ kind, segment: builder.toSegment() })),
    droppedMemories: memories.value.dropped,
    droppedNotes,
    droppedSessions,
    progress: { sessions, memories: memories.value.versions },
  };
  const removed = memories.value.dropped.size + droppedSessions.size;
  return ok({ change, isNew, added: counted(), removed, problems, isMore });
}

function isRead({ session, bytes, modifiedAt }: LogSize, { sessions }: RecallProgress): boolean {
  const known = sessions.get(session);
  return known?.bytes === bytes && known.modifiedAt === modifiedAt;
}
