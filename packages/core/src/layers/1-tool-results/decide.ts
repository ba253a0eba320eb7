import { commandTools } from "../../catalog/known-tools.ts";
import { type Facts, isBlock, type Moment, type Verdict, type View } from "../../spec/index.ts";
import { newestRoundFrom } from "../../view/newest-answer.ts";
import { resultMedia, resultText } from "../../view/projection/message-items.ts";
import { estimateBlock, estimateContent } from "../../view/tokens/index.ts";
import { countPlainly } from "../../view/tokens/measure.ts";
import type { OffloadChoice, PromptChoice, ResultChoice, ToolResultsCommand } from "./command.ts";
import { type EarlierReads, earlierReads, fitRound, offloadedChars } from "./rules/fit-round.ts";
import { fitWindow, unseenLimit } from "./rules/fit-window.ts";
import { persistedOutput } from "./rules/persisted-output.ts";
import { type UnsettledResult, type UnsettledRound, unsettledRounds } from "./rules/unsettled-rounds.ts";
import { limitsOf, type ToolResultLimits } from "./settings.ts";

const noReads: EarlierReads = { referenceFor: () => undefined };

/**
 * Chooses for every result that no choice is frozen for: whole, to disk, or a sentence. Where the newest messages exceed
 * the window by themselves, what is largest of them is stored, whatever it is.
 */
export function decideToolResults(view: View, moment: Moment, facts: Facts): Verdict<ToolResultsCommand> {
  const rounds = unsettledRounds(view);
  const limits = limitsOf(facts);
  const reads =
    limits.hasReadReferences && rounds.length > 0 ? earlierReads(view, facts.logAddress) : noReads;
  const usual = rounds.flatMap((round) => chooseForRound(round, limits, reads));
  const { choices, prompts } = fitToWindow(usual, view, moment, facts, limits);
  if (choices.length === 0 && prompts.length === 0) return { verdict: "skip", reason: "no new results" };
  const reason = describe(choices, prompts);
  const basis = view.head;
  const frees =
    choices.reduce((sum, choice) => sum + freedBy(choice, limits), 0) +
    prompts.reduce((sum, { items }) => sum + estimateContent(items.map(({ block }) => block)), 0);
  const address = facts.logAddress === undefined ? {} : { logAddress: facts.logAddress };
  const command = { choices, prompts, ...address, reason, basis };
  return { verdict: "act", command, run: "inline", reason, frees, basis };
}

/** The usual choices, less what the window does not hold. */
function fitToWindow(
  usual: readonly ResultChoice[],
  view: View,
  moment: Moment,
  facts: Facts,
  limits: ToolResultLimits,
): Pick<ToolResultsCommand, "choices" | "prompts"> {
  const { countOf = countPlainly } = view;
  const newest = view.items.slice(newestRoundFrom(view.items));
  const toolOf = (id: string) =>
    newest.flatMap(({ block }) => (isBlock(block, "tool_use") && block.id === id ? [block.name] : []))[0];
  const scale = Math.min(1, facts.thresholds.window / scaleBelowTokens);
  const fit = fitWindow({
    view,
    limitTokens: unseenLimit(view, moment, facts),
    offloaded: new Set(usual.flatMap((one) => (one.choice === "whole" ? [] : one.toolUseId))),
    previewBytes: Math.floor(limits.promptPreviewBytes * scale),
    resultPreviewChars: (id, most = limits.previewBytes) => {
      const tailBytes = commandTools.has(toolOf(id) ?? "") ? limits.tailBytes : 0;
      return offloadedChars(Math.min(most, limits.previewBytes), { ...limits, tailBytes });
    },
    countOf,
    ...(facts.logAddress !== undefined && { logAddress: facts.logAddress }),
  });
  const { results, withoutMedia, prompts, previewBytes } = fit;
  const stored = new Set([...results, ...withoutMedia]);
  if (stored.size === 0 && prompts.length === 0) return { choices: usual, prompts: [] };
  const chosen = new Map(usual.map((choice) => [choice.toolUseId, choice]));
  for (const { block, seq } of newest) {
    if (!isBlock(block, "tool_result") || !stored.has(block.tool_use_id)) continue;
    const { tool_use_id: id } = block;
    const preview = Math.min(previewBytes, limits.previewBytes);
    const offload = toOffload({ block, seq }, toolOf(id), "window", limits, preview, 0);
    const before = chosen.get(id);
    const choice = before?.choice === "offload" ? before : offload;
    const leavesMediaOut = withoutMedia.has(id) ? { leavesMediaOut: true } : {};
    chosen.set(id, { ...choice, ...leavesMediaOut });
  }
  return { choices: [...chosen.values()], prompts: prompts.map((items) => ({ items, previewBytes })) };
}

/** In a smaller window the beginning and the end of a prompt shrink in proportion. */
const scaleBelowTokens = 100_000;

function toOffload(
  { block, seq }: Pick<UnsettledResult, "block" | "seq">,
  tool: string | undefined,
  limit: OffloadChoice["limit"],
  limits: ToolResultLimits,
  previewBytes: number,
  cutChars: number,
): OffloadChoice {
  const preview = Math.min(previewBytes, limits.maxCharsOf(tool));
  return {
    choice: "offload",
    toolUseId: block.tool_use_id,
    block,
    seq,
    ...(tool !== undefined && { tool }),
    isShell: tool !== undefined && commandTools.has(tool),
    limit,
    previewBytes: preview,
    tailBytes: Math.min(preview, limits.tailBytes),
    cutChars: Math.max(preview, Math.min(limits.maxCharsOf(tool), cutChars)),
  };
}

/** A choice that the result alone decides; else it depends on the limits. */
type ResultCheck =
  | { readonly choice: ResultChoice }
  | { readonly result: UnsettledResult; readonly chars: number; readonly isOver: boolean };

function chooseForRound(
  { results, settledChars }: UnsettledRound,
  limits: ToolResultLimits,
  reads: EarlierReads,
): readonly ResultChoice[] {
  const looked = results.map((result): ResultCheck => {
    const choice = simpleChoice(result, reads);
    const { call, chars } = result;
    return choice ? { choice } : { result, chars, isOver: chars > limits.maxCharsOf(call?.name) };
  });
  const sized = looked.flatMap((one) => ("result" in one ? one : []));
  const fixedChars = looked.reduce(
    (sum, one, at) => sum + ("choice" in one ? remainingChars(one.choice, results[at]) : 0),
    settledChars,
  );
  const { offloaded, previewBytes } = fitRound(sized, fixedChars, limits);
  const wholeChars = sized.reduce((sum, one) => sum + (offloaded.has(one) ? 0 : one.chars), fixedChars);
  const share = Math.floor((limits.roundMaxChars - wholeChars) / Math.max(1, offloaded.size));
  return looked.map((one) => {
    if ("choice" in one) return one.choice;
    const { block, call } = one.result;
    const whole = { choice: "whole", toolUseId: block.tool_use_id } as const;
    if (!offloaded.has(one)) return whole;
    const limit = one.isOver ? "tool" : "round";
    const offload = toOffload(one.result, call?.name, limit, limits, previewBytes, share);
    return mayShrink(offload, limits) ? offload : whole;
  });
}

/** Whether a result is longer than its preview; only a path, which it gets with its file, can still change that. */
function mayShrink(choice: OffloadChoice, limits: ToolResultLimits): boolean {
  const text = resultText(choice.block);
  if (text.length > offloadedChars(choice.previewBytes, limits)) return true;
  const stored = { bytes: text.length, lines: 1, mediaPaths: [] };
  return persistedOutput(choice, text, stored, limits.logAddress).length < text.length;
}

/** A result that was sent stays as it was sent. */
function simpleChoice(result: UnsettledResult, reads: EarlierReads): ResultChoice | undefined {
  const { block, call, isSent } = result;
  const toolUseId = block.tool_use_id;
  if (isSent) return { choice: "whole", toolUseId };
  if (resultMedia(block).length === 0 && resultText(block).trim() === "") {
    const ended = block.is_error ? "failed" : "ended";
    return {
      choice: "empty",
      toolUseId,
      block,
      sentence: `(${call?.name ?? "The tool"} ${ended} with no output.)`,
    };
  }
  const sentence = reads.referenceFor(result);
  return sentence === undefined ? undefined : { choice: "reference", toolUseId, block, sentence };
}

function remainingChars(choice: ResultChoice, result: UnsettledResult | undefined): number {
  return "sentence" in choice ? choice.sentence.length : (result?.chars ?? 0);
}

/** Estimated, since a preview is made only when its result is stored; the decision says it exactly. */
function freedBy(choice: ResultChoice, limits: ToolResultLimits): number {
  if (choice.choice === "whole") return 0;
  const stays =
    choice.choice === "offload" ? previewTokens(choice, limits) : estimateContent(choice.sentence);
  return estimateBlock(choice.block) - stays;
}

function previewTokens({ block, previewBytes }: OffloadChoice, limits: ToolResultLimits): number {
  const preview = estimateContent("x".repeat(offloadedChars(previewBytes, limits)));
  return estimateContent(resultMedia(block)) + preview;
}

const words = { whole: "whole", offload: "to disk", empty: "empty", reference: "as a reference" } as const;

function describe(choices: readonly ResultChoice[], prompts: readonly PromptChoice[]): string {
  const kinds = ["offload", "empty", "reference", "whole"] as const;
  const parts = kinds.flatMap((kind) => {
    const count = choices.filter(({ choice }) => choice === kind).length;
    return count > 0 ? `${count} ${words[kind]}` : [];
  });
  const results = parts.length === 0 ? [] : [`results: ${parts.join(", ")}`];
  const stored = prompts.length === 0 ? [] : ["the newest messages alone exceed the window: stored"];
  return [...results, ...stored].join("; ");
}
