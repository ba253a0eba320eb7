import { openRecall } from "../../packages/core/src/session/recall-index/index.ts";
import type {
  Clock,
  Disk,
  Embeddings,
  EntryDraft,
  Message,
  Recall,
  RecallAnswer,
} from "../../packages/core/src/spec/index.ts";
import type { FileStore } from "../../packages/core/src/stores/files/store.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualStore, virtualHome, virtualProject } from "./virtual-store.ts";

export const recallFolder = `${virtualHome}/projects/${virtualProject}/recall`;
let opened = 0;

export interface RecallSettings {
  readonly clock?: Clock;
  readonly embeddings?: Embeddings;
  readonly usesOf?: (path: string) => number;
}

/** A store and its recall, as a process of its own on a disk. */
export function openVirtualRecall(
  disk: Disk,
  settings: RecallSettings = {},
): { readonly store: FileStore; readonly recall: Recall } {
  opened += 1;
  const { clock = createVirtualClock(), embeddings, usesOf } = settings;
  const store = createVirtualStore({ disk, clock });
  const ids = createVirtualIds(`r${opened}-`);
  return { store, recall: openRecall({ store, disk, folder: recallFolder, clock, ids, embeddings, usesOf }) };
}

export const said = (type: "user" | "assistant", text: string, more: Partial<Message> = {}): EntryDraft => ({
  kind: "message",
  message: { type, content: [{ type: "text", text }], ...more },
});

export const notesOf = (text: string): EntryDraft => ({
  kind: "note",
  note: { topic: "notes", text, covers: "x", coversSeq: 1, tokensAt: 0, by: "scribe" },
});

/** Appends to a session, which is made if it is not there. */
export async function append(
  store: FileStore,
  session: string,
  drafts: readonly EntryDraft[],
): Promise<void> {
  const sizes = must(await store.logs.sizes!());
  const isThere = sizes.some((one) => one.session === session);
  const writer = must(
    isThere
      ? await store.logs.open(session, () => undefined)
      : await store.logs.create({ kind: "session", session: { id: session, project: virtualProject } }),
  );
  must(await writer.append(drafts));
  must(await writer.close());
}

export async function writeMemory(store: FileStore, path: string, text: string): Promise<void> {
  must(await store.tree("memory").write(path, text, { author: "user" }));
}

/** What was found, without scores and times. */
export const foundIn = ({ hits }: RecallAnswer) =>
  hits.map(({ kind, id, session, snippet }) => `${kind} ${session ?? id}: ${snippet}`);

export async function find(recall: Recall, query: string): Promise<readonly string[]> {
  return foundIn(must(await recall.search(query)));
}
