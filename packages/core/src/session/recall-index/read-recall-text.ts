import type { RecallDocumentHead } from "../../recall/index.ts";
import type { Store } from "../../spec/index.ts";
import { entryText } from "./entry-text.ts";
import { memoryTree } from "./recall-parts.ts";

export interface RecallText {
  /** What a person would read of it; of a memory the description and the body. */
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
