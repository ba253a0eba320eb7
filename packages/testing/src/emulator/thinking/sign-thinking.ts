import { hash } from "node:crypto";
import { contentOf, toText, type WireBlock } from "../request/wire-values.ts";
import type { WireBody } from "../wire.ts";
import { isThinking, prefixDigests } from "./prefix-digests.ts";
import { defaultSecret, seal } from "./seal.ts";

interface ThinkingToSign {
  /** The request the thinking answers, as it was accepted. */
  readonly body: WireBody;
  /** Blocks of the same response that come before it. */
  readonly before?: readonly WireBlock[];
  /** As the client gets it; empty for redacted thinking. */
  readonly text: string;
  readonly isRedacted?: boolean;
  readonly secret?: string;
}

/**
 * The `signature` of a thinking block, or the `data` of a redacted one: bound to the model, to the text, to system,
 * tools and every message in front of it, and to the thinking block before it, if there is one.
 */
export function signThinking({ body, before = [], text, ...options }: ThinkingToSign): string {
  const { isRedacted = false, secret = defaultSecret } = options;
  const prefix = prefixDigests(body, secret).prefixes.at(-1) ?? "";
  const messages = Array.isArray(body.messages) ? body.messages : [];
  const previous = [...messages.flatMap(contentOf), ...before].findLast(isThinking);
  const kind = isRedacted ? "redacted_thinking" : "thinking";
  return seal(secret, kind, [prefix, previous ? thinkingId(previous) : "", toText(body.model)], text);
}

/** Names a thinking block by its signature. */
export function thinkingId(block: WireBlock): string {
  return hash("sha256", toText(block.type === "thinking" ? block.signature : block.data));
}

/**
 * The `signature` of a compaction block (or its `encrypted_content`, for compaction as an edit) that stands for all
 * messages of `body` and says `content`. Thinking behind the block stays bound as if the messages were still there.
 */
export function signCompaction(options: {
  readonly body: WireBody;
  readonly content: string;
  readonly secret?: string;
}): string {
  const { body, content, secret = defaultSecret } = options;
  return seal(secret, "compaction", [prefixDigests(body, secret).messages], content);
}
