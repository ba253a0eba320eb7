import type { ContentBlock, ViewItem } from "../../spec/index.ts";
import { scanItems } from "../projection/item-list.ts";

/** The header of compaction on demand, and of every request that carries its block. */
export const onDemandBeta = "compact-2026-09-04";
/** The header of compaction as an edit, and of every request that carries its block. */
export const compactionEditBeta = "compact-2026-01-12";

/** A block in which the API has summed up what came before it. It is opaque: carried as it is, or not at all. */
export interface NativeBlock {
  readonly type: "compaction";
  /** The summary, for people. */
  readonly content: string;
  /** Signed where it was made on demand: the API takes it at the beginning of a conversation only. */
  readonly signature?: string | null;
}

/** Whether a block stands for what came before it; one without content is a compaction that failed. */
export function isNativeBlock(block: ContentBlock): block is ContentBlock & NativeBlock {
  const { type, content } = block as { readonly type: string; readonly content?: unknown };
  return type === "compaction" && typeof content === "string" && content !== "";
}

/** Whether the block was made on demand. */
export function isSignedBlock(block: ContentBlock): boolean {
  const { type, signature } = block as { readonly type: string; readonly signature?: unknown };
  return type === "compaction" && typeof signature === "string";
}

/** Positions of all compaction blocks in a view, those that failed too. */
export const compactionPositions: (items: readonly ViewItem[]) => readonly number[] = scanItems(
  (): number[] => [],
  (found, { block }, position) => {
    if (block.type === "compaction") found.push(position);
  },
);

/** The headers that a request with these items needs. */
export function nativeBetas(items: readonly ViewItem[]): readonly string[] {
  const signed = compactionPositions(items).map((at) => isSignedBlock((items[at] as ViewItem).block));
  const isOnDemand = signed.includes(true);
  const isEdit = signed.includes(false);
  return [...(isOnDemand ? [onDemandBeta] : []), ...(isEdit ? [compactionEditBeta] : [])];
}
