import type { ContentBlock, ImageLimits, ViewItem } from "../../spec/index.ts";

export type Rule =
  | "begins-with-user"
  | "compaction-first"
  | "roles-alternate"
  | "content-not-empty"
  | "text-not-empty"
  | "call-has-result"
  | "result-has-call"
  | "result-first"
  | "call-once"
  | "block-role"
  | "legal-call"
  | "legal-tool"
  | "well-formed"
  | "thinking-signed"
  | "thinking-bound"
  | "thinking-first"
  | "thinking-last"
  | "thinking-turn"
  | "image-size"
  | "image-count"
  | "breakpoints";

/** One thing the API would refuse, and where. */
export interface Violation {
  readonly rule: Rule;
  /** Such as `messages[3].content[0]`. */
  readonly path: string;
  readonly message: string;
}

export interface RequestLimits {
  readonly images: ImageLimits;
  readonly maxBreakpoints: number;
}

export type Report = (rule: Rule, path: string, message: string) => void;

/** Counts over the whole request. */
export interface Totals {
  readonly images: number;
  /** Images that are too wide where there are many. */
  readonly wide: number;
  readonly marked: number;
}

/** Where a block stands in a request. */
interface RequestLocation {
  readonly message: number;
  readonly content: number;
}

/** Where each item stands in the request: neighbours of one role are one message. */
export function requestLocations(items: readonly ViewItem[]): ReadonlyMap<ViewItem, RequestLocation> {
  const locations = new Map<ViewItem, RequestLocation>();
  let message = -1;
  let content = 0;
  for (const [at, item] of items.entries()) {
    if (items[at - 1]?.role !== item.role) {
      message += 1;
      content = 0;
    }
    locations.set(item, { message, content });
    content += 1;
  }
  return locations;
}

export function isThinkingBlock({ type }: ContentBlock): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** Whether an assistant's message has thinking and does not begin with it. What the server did itself may stand before. */
export function hasMisplacedThinking(content: readonly ContentBlock[]): boolean {
  let hasOwn = false;
  for (const block of content) {
    if (isThinkingBlock(block)) return hasOwn;
    hasOwn ||= ownContent.has(block.type);
  }
  return false;
}

const ownContent = new Set(["text", "tool_use"]);
