import type { ImageLimits } from "../../spec/index.ts";

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

/** What is counted over the whole request. */
export interface Totals {
  readonly images: number;
  /** Images that are too wide where there are many. */
  readonly wide: number;
  readonly marked: number;
}
