import type { RecallDocumentHead } from "../../context/recall/index.ts";
import type { Store } from "../../spec/index.ts";
import { entryText } from "./entry-text.ts";
import { memoryText } from "./memory-document.ts";
import { memoryTree } from "./recall-parts.ts";

/** A document's text as it stands now; `undefined` when it is gone, or is no longer what was indexed. */
export async function readRecallText(store: Store, head: RecallDocumentHead): Promise<string | undefined> {
  if (head.kind === "memory") {
    const file = await store.tree(memoryTree).read(head.id);
    return file.ok && file.value.version.version === head.number ? memoryText(file.value) : undefined;
  }
  const entry = await store.logs.read(head.session, head.place);
  if (!entry.ok || entry.value.id !== head.id) return undefined;
  const text = await entryText(entry.value, head.session, store.blobs);
  return text === "" ? undefined : text;
}
