import {
  type ContentBlock,
  isBlock,
  type ToolDefinition,
  type ToolUseBlock,
  type ViewItem,
} from "../../spec/index.ts";
import { isLocalCommandOutput, isOwnText } from "../ledgers/ledger-parts.ts";
import { readToolPurpose } from "../ledgers/tool-call.ts";
import { toolText } from "../tokens/index.ts";
import type { AccountingInput, Category, MessageTraits, MetricFailure } from "./accounting.ts";
import type { Amount } from "./accounting-sums.ts";

export type MetricProblem = Omit<MetricFailure, "count">;

/** The tokens of a block, whole; 0 and a problem where they cannot be told. Never throws. */
function measureBlock(
  block: ContentBlock,
  estimate: (block: ContentBlock) => number,
  problems: MetricProblem[],
): number {
  const tokens = attempt("estimate", () => estimate(block), problems);
  if (tokens === undefined) return 0;
  if (Number.isFinite(tokens) && tokens >= 0) return Math.round(tokens);
  problems.push({ metric: "estimate", message: `${tokens} is not a number of tokens` });
  return 0;
}

/** A function's result, or a problem and nothing. */
function attempt<T>(
  metric: MetricProblem["metric"],
  compute: () => T,
  problems: MetricProblem[],
): T | undefined {
  try {
    return compute();
  } catch (error) {
    problems.push({ metric, message: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}

/** The parts before the messages, and those held back. */
export interface FixedParts {
  readonly categories: ReadonlyMap<Category, number>;
  readonly memoryFiles: ReadonlyMap<string, Amount>;
  readonly deferredTools: Amount;
  readonly problems: readonly MetricProblem[];
}

const mcpPrefix = "mcp__";

export function fixedParts(input: AccountingInput): FixedParts {
  const { system = [], memoryFiles = [], tools = [], deferredTools = new Set<string>() } = input;
  const problems: MetricProblem[] = [];
  const measure = (block: ContentBlock) => measureBlock(block, input.estimate, problems);
  const sumOf = (some: readonly ToolDefinition[]) =>
    some.reduce((sum, tool) => sum + measure(toolText(tool)), 0);
  const sent = tools.filter(({ name }) => !deferredTools.has(name));
  const deferred = tools.filter(({ name }) => deferredTools.has(name));
  const files = new Map<string, Amount>();
  for (const { path, text } of memoryFiles) {
    const { count, tokens } = files.get(path) ?? { count: 0, tokens: 0 };
    files.set(path, { count: count + 1, tokens: tokens + measure({ type: "text", text }) });
  }
  return {
    categories: new Map<Category, number>([
      ["systemPrompt", system.reduce((sum, block) => sum + measure(block), 0)],
      ["builtInTools", sumOf(sent.filter(({ name }) => !name.startsWith(mcpPrefix)))],
      ["mcpTools", sumOf(sent.filter(({ name }) => name.startsWith(mcpPrefix)))],
      ["memoryFiles", [...files.values()].reduce((sum, { tokens }) => sum + tokens, 0)],
    ]),
    memoryFiles: files,
    deferredTools: { count: deferred.length, tokens: sumOf(deferred) },
    problems,
  };
}

/** An item's share of the accounting, whatever stands beside it. */
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

export function itemShare(item: ViewItem, input: AccountingInput): ItemShare {
  const { block } = item;
  const problems: MetricProblem[] = [];
  const traits = attempt("messageOf", () => input.messageOf(item.entry), problems);
  const attachment = attachmentOf(item, traits);
  const whole = measureBlock(block, input.estimate, problems);
  const mediaTokens = Math.min(whole, measureMedia(block, whole, input, problems));
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
