import { mayForwardUnread } from "../exchange/may-forward-unread.ts";
import { beginsWith } from "../match/body-samples.ts";
import type { UnreadQuestion } from "./conversations.ts";
import type { Slot } from "./slot.ts";

/** Whether nothing that could be new in the body makes a layer of this conversation act. */
export function isQuiet(slot: Slot, { protocol, body, nowMs }: UnreadQuestion): boolean {
  const { conversation, owner, list, isDue, body: former } = slot;
  if (!conversation || owner !== null || list !== null || isDue || slot.protocol !== protocol) return false;
  const { probe, isRewriting, isBound, head, countedTokens, levels, respondedAtMs } = conversation;
  if (!probe || isRewriting || isBound || !beginsWith(body, former)) return false;
  const at = body.lastIndexOf(probe);
  if (at === -1 || !namesModel(body, head.model)) return false;
  return mayForwardUnread({
    bytes: body.length,
    formerBytes: former.bytes,
    bytesBehindResponse: body.length - at,
    countedTokens,
    autoTokens: levels.auto,
    idleMs: nowMs - respondedAtMs,
  });
}

function namesModel(body: Buffer, model: string): boolean {
  const name = JSON.stringify(model);
  return body.includes(`"model":${name}`) || body.includes(`"model": ${name}`);
}
