import { type ContentBlock, isBlock, type ToolUseBlock, type ViewItem } from "../../spec/index.ts";
import { readToolPurpose } from "../ledgers/tool-call.ts";
import { isLocalCommandOutput, isOwnText } from "../ledgers/user-words.ts";
import type { Category } from "./accounting.ts";
import type { AccountingInput, MessageTraits } from "./accounting-input.ts";
import { attempt, type MetricProblem, measureBlock } from "./measure-block.ts";

/** What one item adds to the accounting, whatever stands beside it. */
export interface ItemShare {
  readonly category: Category;
  /** Without those of images and documents, which are a category of their own wherever they stand. */
  readonly tokens: number;
  readonly mediaTokens: number;
  /** `path`: of the file that the call reads. */
  readonly call?: { readonly id: string; readonly tool: string; readonly path?: string };
  /** `isWhole`: no decision has taken anything from it. */
  readonly result?: { readonly id: string; readonly isWhole: boolean };
  /** `key`: the same for all blocks of one attachment. */
  readonly attachment?: { readonly key: string; readonly type: string };
  readonly problems: readonly MetricProblem[];
}

export function itemShare(item: ViewItem, question: AccountingInput): ItemShare {
  const { block } = item;
  const problems: MetricProblem[] = [];
  const traits = attempt("messageOf", () => question.messageOf(item.entry), problems);
  const attachment = attachmentOf(item, traits);
  const whole = measureBlock(block, question.estimate, problems);
  const mediaTokens = Math.min(whole, measureMedia(block, whole, question, problems));
  return {
    category: categoryOf(item, traits, attachment !== undefined),
    tokens: whole - mediaTokens,
    mediaTokens,
    ...(isBlock(block, "tool_use") && { call: callOf(block) }),
    ...(isBlock(block, "tool_result") && {
      result: { id: block.tool_use_id, isWhole: item.decision === undefined },
    }),
    ...(attachment && { attachment }),
    problems,
  };
}

function categoryOf(item: ViewItem, traits: MessageTraits | undefined, isAttached: boolean): Category {
  const { block } = item;
  if (isBlock(block, "tool_use")) return "toolRequests";
  if (isBlock(block, "tool_result")) return "toolResults";
  if (isBlock(block, "thinking") || isBlock(block, "redacted_thinking")) return "thinking";
  if (isMedia(block)) return "imagesAndDocuments";
  if (isAttached) return "attachments";
  if (traits?.isCompactSummary || isInserted(item)) return "summaries";
  if (!isBlock(block, "text")) return "other";
  if (item.role === "assistant") return "assistantMessages";
  if (isLocalCommandOutput(block.text)) return "localCommandOutput";
  return traits?.isMeta || item.decision !== undefined || !isOwnText(block.text) ? "other" : "humanMessages";
}

const wrapped = /^<attachment type="([^"]*)">\n/;

/** An attachment of the log, or one that a compaction brought, which is known by what it is wrapped in. */
function attachmentOf(item: ViewItem, traits: MessageTraits | undefined): ItemShare["attachment"] {
  if (!isInserted(item))
    return traits?.type === "attachment" ? { key: item.entry, type: traits.subtype || "unknown" } : undefined;
  if (!isBlock(item.block, "text")) return undefined;
  const type = wrapped.exec(item.block.text)?.[1];
  return type === undefined ? undefined : { key: `${item.entry} ${item.index}`, type: type || "unknown" };
}

/** Put there by a decision, and not in the place of something. */
function isInserted(item: ViewItem): boolean {
  return item.decision !== undefined && item.decision === item.entry;
}

function callOf(block: ToolUseBlock): ItemShare["call"] {
  const call = readToolPurpose(block);
  const isRead = call.purpose === "file" && call.action === "read";
  return { id: block.id, tool: block.name, ...(isRead && { path: call.path }) };
}

function measureMedia(
  block: ContentBlock,
  whole: number,
  { estimate }: AccountingInput,
  problems: MetricProblem[],
): number {
  if (isMedia(block)) return whole;
  if (!isBlock(block, "tool_result") || !Array.isArray(block.content)) return 0;
  const media = block.content.filter(isMedia);
  return media.reduce((sum, one) => sum + measureBlock(one, estimate, problems), 0);
}

function isMedia(block: ContentBlock): boolean {
  return isBlock(block, "image") || isBlock(block, "document");
}
