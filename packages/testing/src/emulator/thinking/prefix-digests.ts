import { hash } from "node:crypto";
import { blockContent } from "../request/block-content.ts";
import { contentOf, isRecord, toText, type WireBlock } from "../request/wire-values.ts";
import type { WireBody } from "../wire.ts";
import { unseal } from "./seal.ts";

/** Digests of everything in front of each message. */
export interface PrefixDigests {
  /** One more than there are messages: of system, tools and the messages in front of each, and of all of them. */
  readonly prefixes: readonly string[];
  /** Of all messages, without system and tools: what a compaction of them carries on. */
  readonly messages: string;
}

/**
 * Digests everything thinking is signed over. Cache markers are no part of it, and neither is thinking, nor a message
 * of nothing else: that thinking may be removed, and from which end, is told by the links from block to block. A
 * compaction block of the API begins with the digest of what it stands for, so that what follows keeps its binding, in
 * the same message too. Cache edits say nothing to the model, and are no part of it either.
 */
export function prefixDigests(body: WireBody, secret: string): PrefixDigests {
  const tools = Array.isArray(body.tools) ? body.tools.filter(isRecord) : [];
  const head = [
    ...tools.map((tool) => blockContent(tool, "tool").digest),
    ...contentOf({ content: body.system }).map((block) => blockContent(block, "system").digest),
  ].join(" ");
  const messages = Array.isArray(body.messages) ? body.messages : [];
  let state = "";
  const states = [state];
  for (const [index, message] of messages.entries()) {
    const carried = carriedBy(message, secret);
    states[index] = carried ?? state;
    state = afterMessage(carried ?? state, message, carried !== null);
    states.push(state);
  }
  return { prefixes: states.map((before) => hash("sha256", `${head} ${before}`)), messages: state };
}

export function isThinking({ type }: WireBlock): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** The digest a compaction block carries on; `null` when the block is none of this server's, or was changed. */
export function carriedDigest(block: WireBlock, secret: string): string | null {
  const { signature, encrypted_content: encrypted, content } = block;
  const fields = unseal(secret, "compaction", signature ?? encrypted, toText(content));
  return fields?.[0] ?? null;
}

/** The digest in front of a message that begins with a compaction of this server; null for any other message. */
function carriedBy(message: unknown, secret: string): string | null {
  const first = contentOf(message).find((block) => !isThinking(block));
  return first?.type === "compaction" ? carriedDigest(first, secret) : null;
}

function afterMessage(before: string, message: unknown, isCarried: boolean): string {
  const seen = contentOf(message).filter((block) => !isThinking(block) && block.type !== "cache_edits");
  const content = isCarried ? seen.slice(1) : seen;
  if (content.length === 0) return before;
  const role = isRecord(message) ? toText(message.role) : "";
  return hash("sha256", [before, ...content.map((block) => blockContent(block, role).digest)].join(" "));
}
