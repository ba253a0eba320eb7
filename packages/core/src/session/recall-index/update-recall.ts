import { fail, ok, type PalimpsestError, type RecallUpdate, type Result } from "../../spec/index.ts";
import { collectChanges } from "./collect-changes.ts";
import type { RecallParts } from "./recall-parts.ts";

/** Times another process may be first before this one leaves the rest to the others. */
const maxLost = 20;

/** Takes in what is new, in steps that are each published; another process that was first has done part of the work. */
export async function updateRecall(parts: RecallParts, signal?: AbortSignal): Promise<Result<RecallUpdate>> {
  const { store, index } = parts;
  const problems: PalimpsestError[] = [];
  let [added, removed] = [0, 0];
  for (let lost = 0; lost < maxLost; ) {
    const base = await index.base();
    if (!base.ok) return base;
    const collected = await collectChanges(store, index, base.value, signal);
    if (!collected.ok) return collected;
    const { change, isMore } = collected.value;
    if (change) {
      const published = await change.draft.publish(change.drop);
      if (!published.ok && published.error.code === "conflict") {
        lost += 1;
        continue;
      }
      if (!published.ok) return published;
      added += collected.value.added;
      removed += collected.value.removed;
      problems.push(...base.value.problems);
    }
    if (isMore) continue;
    problems.push(...collected.value.problems);
    const embedded = await embedNew(parts, signal);
    if (!embedded.ok) problems.push(embedded.error);
    return ok({ added, removed, embedded: embedded.ok ? embedded.value : 0, problems });
  }
  const fix = "Nothing is lost: try again later.";
  return fail("conflict", "Other processes keep updating the search index.", { retryable: true, fix });
}

async function embedNew(parts: RecallParts, signal?: AbortSignal): Promise<Result<number>> {
  const { embeddings, index } = parts;
  if (embeddings === undefined || index.vectors === undefined) return ok(0);
  const { embedDocuments } = await import("./embed-documents.ts");
  return embedDocuments(parts.store, index.vectors, embeddings, signal);
}
