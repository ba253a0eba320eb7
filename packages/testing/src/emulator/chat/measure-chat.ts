import { hash } from "node:crypto";
import { measurePrompt } from "../request/measure-prompt.ts";
import type { CacheOutcome, MeasuredPrompt, RequestViolation, WireBody } from "../wire.ts";

/** Fewer tokens than this are never cached. */
export const minCachedTokens = 1_024;
/** The step in which cached tokens are counted. */
const cacheStepTokens = 128;

/**
 * Counts a chat request in the shape of the Messages API. Every prefix may be cached, and depends on nothing but what
 * stands in it: neither on the choice of tools nor on images further on.
 */
export function measureChat(whole: WireBody): MeasuredPrompt {
  const prompt = measurePrompt(whole);
  let key = hash("sha256", `chat ${prompt.model}`);
  const blocks = prompt.blocks.map((block) => {
    key = hash("sha256", key + block.digest);
    return { ...block, key, breakpoint: "5m" as const };
  });
  return { ...prompt, blocks };
}

/** The value of `cached_tokens`: whole steps, and nothing is said to be written. */
export function toChatOutcome(prompt: MeasuredPrompt, outcome: CacheOutcome): CacheOutcome {
  const steps = Math.floor(outcome.readTokens / cacheStepTokens) * cacheStepTokens;
  const readTokens = steps < minCachedTokens ? 0 : steps;
  return {
    ...outcome,
    readTokens,
    written5mTokens: 0,
    written1hTokens: 0,
    inputTokens: prompt.tokens - readTokens,
  };
}

/** One rule of chat completions that a request breaks: `path` is what the error has as `param`. */
export interface ChatViolation extends RequestViolation {
  readonly code: string | null;
}

/** Says that a rule is broken, in the sentence of the API and with its code. */
export type ChatReport = (rule: string, path: string, sentence: string, code?: string) => void;

export function chatReportInto(violations: ChatViolation[]): ChatReport {
  return (rule, path, message, code) => violations.push({ rule, path, message, code: code ?? null });
}

/** `expected an object, but got null instead`. */
export function reportType(
  report: ChatReport,
  rule: string,
  path: string,
  expected: string,
  value: unknown,
): void {
  if (value === undefined) {
    report(rule, path, `Missing required parameter: '${path}'.`, "missing_required_parameter");
    return;
  }
  report(
    rule,
    path,
    `Invalid type for '${path}': expected ${expected}, but got ${kindOf(value)} instead.`,
    "invalid_type",
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal";
  return `a ${typeof value}`;
}

export function reportEmpty(report: ChatReport, rule: string, path: string): void {
  report(
    rule,
    path,
    `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    "empty_array",
  );
}

export function reportTooMany(
  report: ChatReport,
  rule: string,
  path: string,
  most: number,
  count: number,
): void {
  report(
    rule,
    path,
    `Invalid '${path}': array too long. Expected an array with maximum length ${most}, but got an array with length ${count} instead.`,
    "array_above_max_length",
  );
}
