import type { Facts, View } from "../../spec/index.ts";
import { notesNumbersOf } from "./rules/index.ts";

/** A request that is about to need a compaction waits for an update of the notes, since they can stand in for the past. */
export function waitForNotes({ count }: View, facts: Facts): number {
  const { switches } = facts.settings as { readonly switches?: { readonly notesCompaction?: boolean } };
  if (switches?.notesCompaction === false || count.tokens < facts.thresholds.auto) return 0;
  return notesNumbersOf(facts).waitMs;
}
