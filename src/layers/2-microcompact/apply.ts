import type { ClearablePart } from "../../context/clearing/clearable-parts.ts";
import {
  type CacheEditDecision,
  type ClearDecision,
  type EntryDraft,
  type LayerIo,
  ok,
  type Result,
} from "../../spec/index.ts";
import type { MicrocompactCommand } from "./command.ts";

export const microcompactLayerId = "microcompact";

type AppliedCommand = Extract<MicrocompactCommand, { readonly applied: unknown }>;
type Io = Pick<LayerIo, "emit" | "tokensOf">;

/** Clears in one decision, and tells the listeners what was saved. */
export async function applyMicrocompact(
  command: MicrocompactCommand,
  io: Io,
): Promise<Result<readonly EntryDraft[]>> {
  if ("asks" in command) return ok([]);
  if ("applied" in command) return ok([{ kind: "decision", decision: recorded(command) }]);
  const { parts, strategy, trigger, reason, basis, tokensBefore } = command;
  const frees = parts.reduce((sum, part) => sum + freed(part, io), 0);
  const decision: ClearDecision = {
    type: "clear",
    layer: microcompactLayerId,
    reason,
    frees,
    basis,
    parts: parts.map(({ toolUseId, part, label }) => ({ toolUseId, part, label })),
  };
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
  return ok([{ kind: "decision", decision }]);
}

/** Counts need nothing more: the response's usage has it. */
function recorded({ applied, toolUseIds, reason, basis }: AppliedCommand): CacheEditDecision {
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

function freed({ part, block, label }: ClearablePart, { tokensOf }: Io): number {
  const cleared = part === "result" ? { ...block, content: label } : { ...block, input: { cleared: label } };
  return tokensOf(block) - tokensOf(cleared);
}
