import {
  type ContentBlock,
  isBlock,
  type PalimpsestError,
  type RunEndReason,
  type SummaryFailure,
} from "../../../spec/index.ts";
import { breakSummaryFrames } from "../../../view/quote-foreign.ts";

/** A model's answer to a request for a summary. */
export interface SummaryAnswer {
  readonly text: string;
  readonly content?: readonly ContentBlock[];
  readonly stopReason?: string | null;
  /** Where it was asked in a fork: how that ended. */
  readonly end?: RunEndReason;
  readonly error?: Pick<PalimpsestError, "code" | "message" | "facts">;
  readonly isApiErrorMessage?: boolean;
}

export type ReadSummary =
  | { readonly ok: true; readonly summary: string }
  | {
      readonly ok: false;
      readonly reason: SummaryFailure;
      readonly message: string;
      readonly excessTokens?: number;
    };

/**
 * The summary in an answer, or why there is none. The draft is gone, the tag unwrapSchema; without tags it is the whole
 * text. Whatever is not a whole answer of the model, an error text above all, never becomes a summary; what looks like
 * words of ours around a summary is broken.
 */
export function readSummary(answer: SummaryAnswer): ReadSummary {
  const failure = failureOf(answer);
  if (failure) return failure;
  const summary = collapseBlank(unwrap(withoutAnalysis(answer.text)));
  if (summary === "") return refuse("no_summary", "The model's answer holds no summary.");
  if (isErrorText(summary)) return refuse("api_error", `The answer is an error: ${summary.slice(0, 200)}`);
  return { ok: true, summary: breakSummaryFrames(summary) };
}

const cutReasons: ReadonlySet<string> = new Set(["max_tokens", "length", "model_context_window_exceeded"]);

function failureOf(answer: SummaryAnswer): Extract<ReadSummary, { readonly ok: false }> | null {
  const { error, end, stopReason, content = [], isApiErrorMessage } = answer;
  if (error) return modelFailure(error);
  if (isApiErrorMessage) return refuse("api_error", answer.text.slice(0, 200));
  if (end === "aborted") return refuse("aborted", "The summary was interrupted.");
  if (end === "blocked")
    return refuse("prompt_too_long", "The conversation is too long to be summarised whole.");
  if (end === "max-output" || (stopReason != null && cutReasons.has(stopReason)))
    return refuse("cut", "The summary was cut at the model's limit.");
  if (content.some((block) => isBlock(block, "tool_use")))
    return refuse("tool_call", "The model called a tool instead of writing the summary.");
  if (end === "max-turns") return refuse("tool_call", "The model called tools until its turns were over.");
  if (end !== undefined && end !== "done") return refuse("api_error", `The summary ended with “${end}”.`);
  if (stopReason === "refusal") return refuse("api_error", "The model has refused to write the summary.");
  return null;
}

function modelFailure({ code, message, facts }: NonNullable<SummaryAnswer["error"]>) {
  if (code === "aborted") return refuse("aborted", message);
  if (code !== "prompt-too-long" && code !== "too-large") return refuse("api_error", message);
  const { excessTokens } = facts;
  const gap = typeof excessTokens === "number" && excessTokens > 0 ? { excessTokens } : {};
  return { ...refuse("prompt_too_long", message), ...gap };
}

function refuse(reason: SummaryFailure, message: string) {
  return { ok: false, reason, message } as const;
}

/** A draft that was never ended reaches up to the summary, or to the end. */
function withoutAnalysis(text: string): string {
  const whole = text.replaceAll(/<analysis>[\s\S]*?<\/analysis>/gi, "");
  return whole.replace(/<analysis>[\s\S]*?(?=<summary>|$)/i, "").replaceAll(/<\/analysis>/gi, "");
}

function unwrap(text: string): string {
  const open = /<summary>/i.exec(text);
  if (!open) return text;
  const inside = text.slice(open.index + open[0].length);
  const end = inside.toLowerCase().lastIndexOf("</summary>");
  return end === -1 ? inside : inside.slice(0, end);
}

function collapseBlank(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(/\n[ \t]*(?:\n[ \t]*)+/g, "\n\n")
    .trim();
}

const errorTexts = [
  /^\s*(?:API )?Error:?\s*\d{3}\b/i,
  /^\s*\{\s*"type"\s*:\s*"error"/,
  /^\s*\{\s*"error"\s*:/,
  /^\s*(?:prompt is too long|conversation too long|overloaded_error|rate_limit_error|invalid_request_error)\b/i,
];

/** An error's words, as a client or a proxy puts them in place of an answer: short, and nothing but that. */
function isErrorText(text: string): boolean {
  return text.length < 2_000 && errorTexts.some((pattern) => pattern.test(text));
}
