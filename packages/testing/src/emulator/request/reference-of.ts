import type { WireBlock } from "./content-of.ts";
import { toText } from "./to-text.ts";

/** What cache edits call a result: its `cache_reference`, or the id of its call when it has none. */
export function referenceOf({ cache_reference: reference, tool_use_id: id }: WireBlock): string {
  return toText(reference ?? id);
}
