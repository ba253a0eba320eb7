import { listingTools } from "../../catalog/known-tools.ts";
import { isBlock, type View } from "../../spec/index.ts";
import { deletedResults } from "../cache-edits.ts";
import { type FileReading, readFileState, type ToolCall } from "../ledgers/tool-call.ts";
import { clearedText } from "./clear-label.ts";
import type { ClearablePart } from "./clearable-parts.ts";

/**
 * The results that a later call has made worthless: a file read again, written or edited later, the same command run
 * again, a listing older than a newer one of the same kind and place. A read of a part is superseded by a read of the
 * whole, or of the same part.
 */
export function supersededResults(parts: readonly ClearablePart[]): ReadonlySet<string> {
  const superseded = new Set<string>();
  /** From the newest back: what a later call has covered. */
  const covered = new Set<string>();
  for (const part of parts.toReversed()) {
    if (part.part !== "result") continue;
    const { whole, own } = keysOf(part.call);
    if (covered.has(whole) || covered.has(own)) superseded.add(part.toolUseId);
    if (!part.isError) covered.add(part.call.purpose === "file" && isWhole(part) ? whole : own);
  }
  return superseded;
}

interface Keys {
  /** Covers every part of what is named. */
  readonly whole: string;
  readonly own: string;
}

/** By call: the same ones are asked about before every request. */
const knownKeys = new WeakMap<ToolCall, Keys>();

function keysOf(call: ToolCall): Keys {
  const known = knownKeys.get(call) ?? makeKeys(call);
  knownKeys.set(call, known);
  return known;
}

function makeKeys(call: ToolCall): Keys {
  if (call.purpose === "file") {
    const whole = `file ${call.path}`;
    return { whole, own: call.range ? `${whole} ${JSON.stringify(call.range)}` : whole };
  }
  const own = `${listingTools.has(call.tool) ? "listing" : "call"} ${call.tool} ${call.key}`;
  return { whole: own, own };
}

/** A change of a file makes every earlier reading of it worthless; a reading only those it covers. */
function isWhole({ call }: ClearablePart): boolean {
  return call.purpose === "file" && (call.action !== "read" || call.range === undefined);
}

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
