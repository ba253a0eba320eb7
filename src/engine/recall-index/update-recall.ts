import { noProgress, type RecallContents } from "../../context/recall/index.ts";
import { fail, ok, type PalimpsestError, type RecallUpdate, type Result } from "../../spec/index.ts";
import type { RecallState } from "../../stores/files/recall-index/index.ts";
import { collectChanges } from "./collect-changes.ts";
import type { RecallParts } from "./recall-parts.ts";

/** Times another process may be first before this one leaves the rest to the others. */
const maxLost = 20;

/** Takes in what is new, in steps that are each published; another process that was first has done part of the work. */
export async function updateRecall(parts: RecallParts, signal?: AbortSignal): Promise<Result<RecallUpdate>> {
  const { store, files, tokenizer } = parts;
  const problems: PalimpsestError[] = [];
  let [added, removed] = [0, 0];
  for (let lost = 0; lost < maxLost; ) {
    const loaded = await files.load();
    if (!loaded.ok) return loaded;
    const base = withoutDamage(loaded.value);
    const collected = await collectChanges(store, base, tokenizer, signal);
    if (!collected.ok) return collected;
    const { change, isMore } = collected.value;
    const isMended = base !== loaded.value.contents;
    if (change || isMended) {
      const { nextContents } = await import("../../context/recall/next-contents.ts");
      const published = await files.publish(loaded.value, change ? nextContents(base, change) : base);
      if (!published.ok && published.error.code === "conflict") {
        lost += 1;
        continue;
      }
      if (!published.ok) return published;
      added += collected.value.added;
      removed += collected.value.removed;
      problems.push(...loaded.value.problems);
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
  if (parts.embeddings === undefined) return ok(0);
  const { embedDocuments } = await import("./embed-documents.ts");
  return embedDocuments(parts, parts.embeddings, signal);
}

/** What is damaged is made anew: memories by themselves, notes and messages together, as both come from the logs. */
function withoutDamage({ contents, damagedKinds }: RecallState): RecallContents {
  if (damagedKinds.length === 0) return contents;
  const isMemoryDamaged = damagedKinds.includes("memory");
  const isLogDamaged = damagedKinds.some((kind) => kind !== "memory");
  return {
    ...contents,
    segments: contents.segments.filter(({ kind }) => !(kind === "memory" ? isMemoryDamaged : isLogDamaged)),
    progress: {
      memories: isMemoryDamaged ? noProgress.memories : contents.progress.memories,
      sessions: isLogDamaged ? noProgress.sessions : contents.progress.sessions,
    },
  };
}
