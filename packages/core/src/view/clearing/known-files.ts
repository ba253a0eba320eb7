import { isBlock, type View } from "../../spec/index.ts";
import { deletedResults } from "../cache-edits/deleted-results.ts";
import { type FileReading, readFileState } from "../ledgers/read-file-state.ts";
import { clearedText } from "./clear-label.ts";

/**
 * The files whose content the model still has before its eyes: read or written whole, with the result in the view,
 * not cleared and not deleted from the cache. A file whose reading was cleared or compacted away is not among them, so that a later read is a real
 * one.
 */
export function knownFiles({
  items,
  ledgers,
}: Pick<View, "items" | "ledgers">): ReadonlyMap<string, FileReading> {
  const standing = new Set<number>();
  const deleted = deletedResults(items);
  for (const { block, seq } of items) {
    if (!isBlock(block, "tool_result")) continue;
    const isCleared = typeof block.content === "string" && block.content.startsWith(clearedText);
    if (!isCleared && !deleted.has(block.tool_use_id)) standing.add(seq);
  }
  const known = [...ledgers.files].filter(([, { readSeq, writtenSeq }]) =>
    [readSeq, writtenSeq].some((seq) => seq !== undefined && standing.has(seq)),
  );
  return readFileState(new Map(known));
}
