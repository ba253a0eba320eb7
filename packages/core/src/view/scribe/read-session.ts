import { isBlock, type ToolResultBlock, type ToolUseBlock, type ViewItem } from "../../spec/index.ts";
import { mainArgument } from "../clearing/clear-label.ts";
import { plainWords } from "../intents/own-words.ts";
import { readToolPurpose, type ToolPurpose } from "../ledgers/tool-call.ts";
import { resultText } from "../projection/message-items.ts";

/** How every summary of the scribe's begins, and nothing else should. */
export const summaryHeading = "Background, written by the scribe from the session's log.";

/** A call as the view shows it, with what came back. */
export interface CallReading {
  readonly id: string;
  readonly seq: number;
  readonly tool: string;
  readonly input: unknown;
  readonly purpose: ToolPurpose;
  /** Its subject, on one line, and what it looked for there: as the call has them. */
  readonly argument: string;
  readonly sought?: string;
  /** Absent while nothing came back. */
  readonly outcome?: { readonly text: string; readonly failed: boolean; readonly isReplaced: boolean };
}

/** Words of the model's, and how many calls came before them. */
interface WordsReading {
  readonly entry: string;
  readonly text: string;
  readonly callsBefore: number;
}

/** The content of a view, in order, read in one go. */
export interface SessionReading {
  readonly calls: readonly CallReading[];
  readonly words: readonly WordsReading[];
  /** Summaries and folds, which decisions put in place of something older, and others wrote. */
  readonly summaries: readonly { readonly id: string; readonly text: string }[];
  /** Those of them that the scribe wrote. */
  readonly ownSummaries: readonly string[];
}

/** `root`: the folder that arguments of calls are shown relative to. */
export function readSession(items: readonly ViewItem[], root: string): SessionReading {
  const uses: { readonly use: ToolUseBlock; readonly seq: number }[] = [];
  const results = new Map<string, { readonly block: ToolResultBlock; readonly isReplaced: boolean }>();
  const words: WordsReading[] = [];
  const summaries: { readonly id: string; readonly text: string }[] = [];
  for (const { block, role, entry, seq, decision } of items) {
    const isReplaced = decision !== undefined;
    if (isBlock(block, "tool_use")) uses.push({ use: block, seq });
    else if (isBlock(block, "tool_result")) results.set(block.tool_use_id, { block, isReplaced });
    else if (!isBlock(block, "text") || block.text.trim() === "") continue;
    else if (role === "assistant") words.push({ entry, text: block.text, callsBefore: uses.length });
    else if (decision === entry && !block.text.startsWith("<attachment"))
      summaries.push({ id: entry, text: block.text });
  }
  const calls = uses.map(({ use, seq }) => toCall(use, seq, results.get(use.id), root));
  return {
    calls,
    words,
    summaries: summaries
      .filter((summary) => !isOwn(summary))
      .map(({ id, text }) => ({ id, text: withoutFrame(text) })),
    ownSummaries: summaries.filter(isOwn).map(({ text }) => text),
  };
}

/** A summary without what introduces it, and without what was added from the ledgers, which have it still. */
function withoutFrame(text: string): string {
  if (!text.startsWith("[Background:")) return text;
  const from = text.indexOf("\n\n") + 2;
  const ends = ["\n\n[From the log,", "\n\n[The compaction was automatic."].map((mark) =>
    text.indexOf(mark, from),
  );
  return text.slice(from, Math.min(...ends.map((end) => (end === -1 ? text.length : end))));
}

/** The scribe's heading stands where a summary begins: right behind what introduces it. */
function isOwn({ text }: { readonly text: string }): boolean {
  const at = text.startsWith("[Background:") ? text.indexOf("\n\n") + 2 : 0;
  return text.startsWith(summaryHeading, at);
}

function toCall(
  use: ToolUseBlock,
  seq: number,
  result: { readonly block: ToolResultBlock; readonly isReplaced: boolean } | undefined,
  root: string,
): CallReading {
  const { id, name: tool, input } = use;
  const purpose = readToolPurpose(use);
  const call = { id, seq, tool, input, purpose, ...argumentOf(input, purpose, root) };
  if (!result) return call;
  const { block, isReplaced } = result;
  return {
    ...call,
    outcome: { text: withoutReminder(resultText(block)), failed: block.is_error === true, isReplaced },
  };
}

/** Its search and where; of an input that was cleared, what its label says. */
function argumentOf(
  input: unknown,
  purpose: ToolPurpose,
  root: string,
): Pick<CallReading, "argument" | "sought"> {
  const { cleared, pattern } = (input ?? {}) as { readonly cleared?: unknown; readonly pattern?: unknown };
  if (typeof cleared === "string") return { argument: cleared };
  const { description } = (input ?? {}) as { readonly description?: unknown };
  const main =
    (purpose.purpose === "file" ? purpose.path : mainArgument(input)) ||
    (typeof description === "string" ? description : "");
  const argument = root === "" ? main : main.replaceAll(`${root}/`, "");
  const isElsewhere =
    typeof pattern === "string" && pattern.trim() !== "" && main !== mainArgument({ pattern });
  return isElsewhere ? { argument, sought: pattern } : { argument };
}

const reminder = "<system-reminder>";

/** Without what a harness told the model behind a result. */
function withoutReminder(text: string): string {
  const at = text.trimEnd().endsWith("</system-reminder>") ? text.lastIndexOf(reminder) : -1;
  return at === -1 ? text : text.slice(0, at).trimEnd();
}

const rule = /\b(?:never|always|must|only|don't|dont|do not)\b/;

/** Whether what the user said reads like a rule for all that follows. */
export function isRuleLike(text: string): boolean {
  return rule.test(plainWords(text));
}
