import {
  type ContentBlock,
  type EntryDraft,
  type ErrorCode,
  isBlock,
  type LayerIo,
  type OffloadDecision,
  ok,
  type Result,
  type ViewItem,
} from "../../spec/index.ts";
import { resultMedia, resultText } from "../../view/projection/message-items.ts";
import { offloadedBlock } from "../../view/projection/repaired-items.ts";
import { betweenBlocks, readBackSentence } from "../../view/read-back.ts";
import type { OffloadChoice, PromptChoice, ResultChoice, ToolResultsCommand } from "./command.ts";
import { persistedMedia, persistedOutput, persistedText } from "./rules/persisted-output.ts";
import { storeBlock, storeResult } from "./store-result.ts";

export const toolResultsLayerId = "tool-results";

type SettledResult = OffloadDecision["results"][number];
type StoredBlock = NonNullable<OffloadDecision["blocks"]>[number];
type Io = Pick<LayerIo, "blobs" | "session" | "parent" | "emit" | "tokensOf">;

/** Writes what goes to disk, and freezes all choices in one decision. A disk that refuses is no failure. */
export async function applyToolResults(
  { choices, prompts, reason, basis, logAddress }: ToolResultsCommand,
  io: Io,
): Promise<Result<readonly EntryDraft[]>> {
  const results: SettledResult[] = [];
  let frees = 0;
  for (const choice of choices) {
    const settled = await storeChoice(choice, io, logAddress);
    results.push(settled);
    if (choice.choice === "whole") continue;
    const { block } = choice;
    frees += io.tokensOf(block) - io.tokensOf(offloadedBlock(block, settled));
  }
  const blocks: StoredBlock[] = [];
  for (const prompt of prompts) {
    const stored = await storePrompt(prompt, io, logAddress);
    if (!stored) continue;
    blocks.push(stored);
    frees += freedBy(prompt, stored.preview, io);
  }
  if (results.length === 0 && blocks.length === 0) return ok([]);
  const decision = {
    type: "offload",
    layer: toolResultsLayerId,
    reason,
    frees,
    basis,
    results,
    ...(blocks.length > 0 && { blocks }),
  } as const;
  return ok([{ kind: "decision", decision }]);
}

async function storeChoice(choice: ResultChoice, io: Io, logAddress?: string): Promise<SettledResult> {
  const { toolUseId } = choice;
  if (choice.choice === "whole") return { toolUseId, preview: null };
  return choice.choice === "offload"
    ? offload(choice, io, logAddress)
    : { toolUseId, preview: choice.sentence };
}

/** A text that is no longer than what would stand in its place stays as it is. */
async function offload(choice: OffloadChoice, io: Io, logAddress?: string): Promise<SettledResult> {
  const { block, toolUseId, tool, limit } = choice;
  const text = resultText(block);
  const head = { toolUseId, ...(tool !== undefined && { tool }) };
  const stored = await storeResult(block, storeFor(choice.seq, io));
  const label = choice.leavesMediaOut
    ? { mediaLabel: mediaLabel(resultMedia(block).length, toolUseId, logAddress) }
    : {};
  const whole = { toolUseId, preview: null, ...label };
  if (!stored.ok) {
    const { code, message } = stored.error;
    const cut = cutResult(choice, text.length, code, logAddress);
    if (cut.keptChars + cut.preview.length >= text.length) return whole;
    io.emit({ type: "result-cut", ...head, chars: text.length, keptChars: cut.keptChars, message });
    return { toolUseId, ...cut, ...label };
  }
  const { blob, bytes, lines, path } = stored.value;
  const preview = persistedOutput(choice, text, stored.value, logAddress);
  if (preview.length >= text.length) return whole;
  io.emit({ type: "result-offload", ...head, limit, bytes, lines, ...(path !== undefined && { path }) });
  return { toolUseId, preview, blob, ...label };
}

function mediaLabel(count: number, toolUseId: string, logAddress?: string): string {
  const what = count === 1 ? "An image or document is" : `${count} images or documents are`;
  return `[${what} left out: the window has no room for them. ${readBackSentence(toolUseId, "them", logAddress)}]`;
}

/**
 * Writes blocks of a prompt beside the log, which has them too, and tells who listens; `undefined` where what would stand
 * in their place is no smaller.
 */
async function storePrompt(
  choice: PromptChoice,
  io: Io,
  logAddress?: string,
): Promise<StoredBlock | undefined> {
  const { items, previewBytes } = choice;
  const [{ entry, index, seq, block }] = items;
  const lastBlock = index + items.length - 1;
  const isRun = items.length > 1;
  const name = isRun ? `${entry}-${index}-${lastBlock}` : `${entry}-${index}`;
  const stored = await storeBlock(isRun ? joinBlocks(items) : block, name, storeFor(seq, io));
  const { text, bytes, lines, path, blob } = stored;
  const file = path === undefined ? {} : { path };
  const about = { entry, bytes, lines, ...file, ...(isRun && { blocks: [index, lastBlock] as const }) };
  const preview =
    text === undefined
      ? persistedMedia(block, about, logAddress)
      : persistedText(text, about, previewBytes, logAddress);
  const isSmaller = text === undefined ? freedBy(choice, preview, io) > 0 : preview.length < text.length;
  if (!isSmaller) return undefined;
  const kind = isBlock(block, "image") ? "image" : isBlock(block, "document") ? "document" : "text";
  io.emit({ type: "prompt-offload", entry, block: kind, bytes, lines, ...file });
  return { entry, block: index, ...(isRun && { lastBlock }), preview, ...(blob !== undefined && { blob }) };
}

/** As recalling the message gives them. */
function joinBlocks(items: readonly ViewItem[]): ContentBlock {
  const texts = items.flatMap(({ block }) => (isBlock(block, "text") ? block.text : []));
  return { type: "text", text: texts.join(betweenBlocks) };
}

function freedBy({ items }: PromptChoice, preview: string, io: Io): number {
  const tokens = items.reduce((sum, { block }) => sum + io.tokensOf(block), 0);
  return tokens - io.tokensOf({ type: "text", text: preview });
}

/** Where something is stored: with the conversation that has it, so that a fork shows its parent's very paths. */
function storeFor(seq: number, { blobs, session, parent }: Io): Pick<Io, "blobs" | "session"> {
  return { blobs, session: parent && seq <= parent.seq ? parent.session : session };
}

/** How much of a result stays that the disk refused, and the note behind it: together within what it may have. */
function cutResult(
  { tool, toolUseId, cutChars }: OffloadChoice,
  chars: number,
  code: ErrorCode,
  logAddress?: string,
): { readonly keptChars: number; readonly preview: string } {
  const subject = tool === undefined ? "This result" : `The result of ${tool}`;
  const preview = `[${subject} has ${chars} characters and could not be stored (${code}): only its beginning stands here. ${readBackSentence(toolUseId, "all of it", logAddress)}]`;
  return { keptChars: Math.max(0, cutChars - preview.length - 1), preview };
}
