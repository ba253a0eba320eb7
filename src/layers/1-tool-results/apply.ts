import { offloadedBlock } from "../../context/projection/offloaded-block.ts";
import { resultText } from "../../context/projection/result-content.ts";
import { type EntryDraft, type LayerIo, type OffloadDecision, ok, type Result } from "../../spec/index.ts";
import type { OffloadChoice, ResultChoice, ToolResultsCommand } from "./command.ts";
import { cutResult } from "./cut-result.ts";
import { persistedOutput } from "./persisted-output.ts";
import { storeResult } from "./store-result.ts";

export const toolResultsLayerId = "tool-results";

type SettledResult = OffloadDecision["results"][number];
type Io = Pick<LayerIo, "blobs" | "session" | "emit" | "tokensOf">;

/** Writes what goes to disk, and freezes all choices in one decision. A disk that refuses is no failure. */
export async function applyToolResults(
  { choices, reason, basis }: ToolResultsCommand,
  io: Io,
): Promise<Result<readonly EntryDraft[]>> {
  const results: SettledResult[] = [];
  let frees = 0;
  for (const choice of choices) {
    const settled = await settle(choice, io);
    results.push(settled);
    if (choice.choice === "whole" || settled.preview === null) continue;
    const { block } = choice;
    frees += io.tokensOf(block) - io.tokensOf(offloadedBlock(block, settled));
  }
  const decision = { type: "offload", layer: toolResultsLayerId, reason, frees, basis, results } as const;
  return ok([{ kind: "decision", decision }]);
}

async function settle(choice: ResultChoice, io: Io): Promise<SettledResult> {
  const { toolUseId } = choice;
  if (choice.choice === "whole") return { toolUseId, preview: null };
  return choice.choice === "offload" ? offload(choice, io) : { toolUseId, preview: choice.sentence };
}

async function offload(choice: OffloadChoice, io: Io): Promise<SettledResult> {
  const { block, toolUseId, tool, limit } = choice;
  const text = resultText(block);
  const head = { toolUseId, ...(tool !== undefined && { tool }) };
  const stored = await storeResult(block, io);
  if (!stored.ok) {
    const { code, message } = stored.error;
    const cut = cutResult(choice, text.length, code);
    io.emit({ type: "result-cut", ...head, chars: text.length, keptChars: cut.keptChars, message });
    return { toolUseId, ...cut };
  }
  const { blob, bytes, lines, path } = stored.value;
  io.emit({ type: "result-offload", ...head, limit, bytes, lines, ...(path !== undefined && { path }) });
  return { toolUseId, preview: persistedOutput(choice, text, stored.value), blob };
}
