import { commandTools } from "../../context/ledgers/known-tools.ts";
import { resultMedia, resultText } from "../../context/projection/result-content.ts";
import { estimateBlock, estimateContent } from "../../context/tokens/index.ts";
import type { Facts, Verdict, View } from "../../spec/index.ts";
import type { OffloadChoice, ResultChoice, ToolResultsCommand } from "./command.ts";
import { type EarlierReads, earlierReads } from "./earlier-reads.ts";
import { fitRound, offloadedChars } from "./fit-round.ts";
import { limitsOf, type ToolResultLimits } from "./limits.ts";
import { type UnsettledResult, type UnsettledRound, unsettledRounds } from "./unsettled-rounds.ts";

const noReads: EarlierReads = { referenceFor: () => undefined };

/** Chooses for every result that no choice is frozen for: whole, to disk, or a sentence. */
export function decideToolResults(view: View, facts: Facts): Verdict<ToolResultsCommand> {
  const rounds = unsettledRounds(view);
  if (rounds.length === 0) return { verdict: "skip", reason: "no new results" };
  const limits = limitsOf(facts);
  const reads = limits.hasReadReferences ? earlierReads(view) : noReads;
  const choices = rounds.flatMap((round) => chooseForRound(round, limits, reads));
  const reason = describe(choices);
  const basis = view.head;
  const frees = choices.reduce((sum, choice) => sum + freedBy(choice, limits), 0);
  return { verdict: "act", command: { choices, reason, basis }, run: "inline", reason, frees, basis };
}

/** What is settled by looking at one result alone; else what the limits are asked about. */
type Looked =
  | { readonly choice: ResultChoice }
  | { readonly result: UnsettledResult; readonly chars: number; readonly isOver: boolean };

function chooseForRound(
  { results, settledChars }: UnsettledRound,
  limits: ToolResultLimits,
  reads: EarlierReads,
): readonly ResultChoice[] {
  const looked = results.map((result): Looked => {
    const choice = simpleChoice(result, reads);
    const { call, chars } = result;
    return choice ? { choice } : { result, chars, isOver: chars > limits.maxCharsOf(call?.name) };
  });
  const sized = looked.flatMap((one) => ("result" in one ? one : []));
  const fixedChars = looked.reduce(
    (sum, one, at) => sum + ("choice" in one ? standingChars(one.choice, results[at]) : 0),
    settledChars,
  );
  const { offloaded, previewBytes } = fitRound(sized, fixedChars, limits);
  const wholeChars = sized.reduce((sum, one) => sum + (offloaded.has(one) ? 0 : one.chars), fixedChars);
  const share = Math.floor((limits.roundMaxChars - wholeChars) / Math.max(1, offloaded.size));
  return looked.map((one) => {
    if ("choice" in one) return one.choice;
    const { block, call } = one.result;
    const toolUseId = block.tool_use_id;
    if (!offloaded.has(one)) return { choice: "whole", toolUseId };
    const maxChars = limits.maxCharsOf(call?.name);
    const preview = Math.min(previewBytes, maxChars);
    return {
      choice: "offload",
      toolUseId,
      block,
      ...(call && { tool: call.name }),
      isShell: call !== undefined && commandTools.has(call.name),
      limit: one.isOver ? "tool" : "round",
      previewBytes: preview,
      tailBytes: Math.min(preview, limits.tailBytes),
      cutChars: Math.max(preview, Math.min(maxChars, share)),
    };
  });
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

function standingChars(choice: ResultChoice, result: UnsettledResult | undefined): number {
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

function describe(choices: readonly ResultChoice[]): string {
  const kinds = ["offload", "empty", "reference", "whole"] as const;
  const parts = kinds.flatMap((kind) => {
    const count = choices.filter(({ choice }) => choice === kind).length;
    return count > 0 ? `${count} ${words[kind]}` : [];
  });
  return `results: ${parts.join(", ")}`;
}
