import { isBlock, type ViewItem } from "../../spec/index.ts";
import { readAttachmentText } from "../projection/message-items.ts";
import { type ResultFlaw, readTrustedCall, resultFlaw, type TrustedCall } from "./call-trust.ts";
import { type Taint, type TaintSource, type TrustLocations, untainted } from "./locations.ts";
import { isForeignBlock, userBlockFlaw } from "./next-taint.ts";
import { noticeFlaw } from "./notice-flaw.ts";

/**
 * The taint of a view by its items alone, for who has no log: what a decision has put into the view is untrusted, since
 * nobody knows what it was made of, and so is everything the model said behind the first untrusted item. Where the log is
 * at hand, `nextTaint` says more.
 */
export function taintOf(items: readonly ViewItem[], locations: TrustLocations): Taint {
  const calls = new Map<string, TrustedCall>();
  const because: TaintSource[] = [];
  let answer: string | undefined;
  for (const item of items) {
    if (isBlock(item.block, "tool_use")) calls.set(item.block.id, readTrustedCall(item.block));
    const flaw = itemFlaw(item, calls, because.length > 0, locations);
    if (flaw === null || (flaw.kind === "answer" && answer === item.entry)) continue;
    if (flaw.kind === "answer") answer = item.entry;
    const toolUseId = isBlock(item.block, "tool_result") ? { toolUseId: item.block.tool_use_id } : {};
    because.push({ ...flaw, entry: item.entry, ...toolUseId });
  }
  return because.length === 0 ? untainted : { trust: "untrusted", because };
}

function itemFlaw(
  { role, block, decision }: ViewItem,
  calls: ReadonlyMap<string, TrustedCall>,
  isTainted: boolean,
  locations: TrustLocations,
): ResultFlaw | null {
  if (role === "assistant") {
    if (isForeignBlock(block)) return { kind: "tool", name: block.type };
    return isTainted ? { kind: "answer" } : null;
  }
  if (isBlock(block, "tool_result")) return resultFlaw(calls.get(block.tool_use_id), [], locations);
  if (decision !== undefined) return { kind: "summary" };
  const attached = isBlock(block, "text") ? readAttachmentText(block.text) : undefined;
  if (attached) return noticeFlaw(attached.subtype, attached.text, isTainted, locations);
  return userBlockFlaw(block, {});
}
