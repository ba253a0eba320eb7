import {
  type BlockLocation,
  type CacheEditDecision,
  type ClearDecision,
  type EntryDraft,
  type LayerIo,
  ok,
  type Result,
  type StripThinkingDecision,
} from "../../spec/index.ts";
import { cacheEditsBlock } from "../../view/cache-edits.ts";
import type { ClearablePart } from "../../view/clearing/clearable-parts.ts";
import type { FormerThinking } from "../../view/thinking/former-thinking.ts";
import type { ClearCommand, MicrocompactCommand } from "./command.ts";

export const microcompactLayerId = "microcompact";

type AppliedCommand = Extract<MicrocompactCommand, { readonly applied: unknown }>;
type Io = Pick<LayerIo, "emit" | "tokensOf">;

/** Clears or deletes in one decision, and tells the listeners what was saved. */
export async function applyMicrocompact(
  command: MicrocompactCommand,
  io: Io,
): Promise<Result<readonly EntryDraft[]>> {
  if ("asks" in command) return ok([]);
  if ("applied" in command) return ok([{ kind: "decision", decision: appliedDecisionOf(command) }]);
  const { parts, behind, strategy, trigger, tokensBefore } = command;
  const decisions = [
    ...(command.thinking ? [thinkingDecisionOf(command, command.thinking)] : []),
    ...(behind ? [editDecisionOf(command, behind, io)] : []),
    ...(!behind && parts.length > 0 ? [clearDecisionOf(command, io)] : []),
  ];
  const frees = decisions.reduce((sum, decision) => sum + decision.frees, 0);
  io.emit({
    type: "results-clear",
    trigger,
    strategy,
    results: parts.filter(({ part }) => part === "result").length,
    inputs: parts.filter(({ part }) => part === "input").length,
    tokensBefore,
    tokensAfter: Math.max(0, tokensBefore - frees),
    tokensSaved: frees,
  });
  return ok(decisions.map((decision) => ({ kind: "decision", decision })));
}

function thinkingDecisionOf(
  { reason, basis }: ClearCommand,
  thinking: FormerThinking,
): StripThinkingDecision {
  const { upTo, tokens: frees } = thinking;
  return { type: "strip-thinking", layer: microcompactLayerId, reason, frees, basis, upTo };
}

/** Deleted results count nothing already: only that labels take their place is said here. */
function clearDecisionOf({ parts, deleted, reason, basis }: ClearCommand, io: Io): ClearDecision {
  return {
    type: "clear",
    layer: microcompactLayerId,
    reason,
    frees: parts.reduce((sum, part) => sum + freedTokens(part, io), 0),
    basis,
    parts: [...deleted, ...parts].map(({ toolUseId, part, label }) => ({ toolUseId, part, label })),
  };
}

function editDecisionOf(
  { parts, reason, basis }: ClearCommand,
  behind: BlockLocation,
  io: Io,
): CacheEditDecision {
  return {
    type: "cache-edit",
    layer: microcompactLayerId,
    reason,
    frees: parts.reduce((sum, { block }) => sum + io.tokensOf(block), 0),
    basis,
    parts: parts.map(({ toolUseId }) => ({ toolUseId, part: "result" })),
    edit: cacheEditsBlock(parts.map(({ toolUseId }) => toolUseId)),
    behind,
  };
}

/** Counts need nothing more: the response's usage has it. */
function appliedDecisionOf({ applied, toolUseIds, reason, basis }: AppliedCommand): CacheEditDecision {
  return {
    type: "cache-edit",
    layer: microcompactLayerId,
    reason,
    frees: 0,
    basis,
    parts: toolUseIds.map((toolUseId) => ({ toolUseId, part: "result" })),
    edit: applied,
  };
}

function freedTokens({ part, block, label }: ClearablePart, { tokensOf }: Io): number {
  const cleared = part === "result" ? { ...block, content: label } : { ...block, input: { cleared: label } };
  return tokensOf(block) - tokensOf(cleared);
}
