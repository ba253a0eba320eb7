import { commandTools, contentText, fileTools } from "@palimpsest/core/internal";
import { isBlock, type View, type ViewItem } from "@palimpsest/core/spec";
import { estimatedTokens } from "../sizes/estimated-tokens.ts";

/** A result in the view that still stands there as it came. */
export interface StandingResult {
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: unknown;
  /** Of the item. */
  readonly position: number;
  readonly seq: number;
  readonly tokens: number;
  readonly text: string;
  readonly isError: boolean;
  readonly isClearable: boolean;
}

const otherClearable = ["Grep", "Glob", "WebSearch", "WebFetch", "grep", "glob", "webfetch", "websearch"];
const otherVariants = ["search_file_content", "web_fetch", "google_web_search", "LS", "ls", "list_directory"];
const neverCleared = new Set(["MultiEdit", "multiedit", "NotebookRead", "NotebookEdit"]);

/** File reading, shell, grep, glob, web search, web fetch, file edit and file write, by their names. */
const clearableTools: ReadonlySet<string> = new Set(
  [...fileTools.keys(), ...commandTools, ...otherClearable, ...otherVariants].filter(
    (tool) => !neverCleared.has(tool),
  ),
);

/** All results that no decision has replaced, oldest first. */
export function standingResults({ items }: View): readonly StandingResult[] {
  const uses = new Map<string, { readonly tool: string; readonly input: unknown }>();
  const results: StandingResult[] = [];
  for (const [position, item] of items.entries()) {
    const { block } = item;
    if (isBlock(block, "tool_use")) uses.set(block.id, { tool: block.name, input: block.input });
    const result = item.decision === undefined ? toResult(item, position, uses) : null;
    if (result) results.push(result);
  }
  return results;
}

export function clearableOf(results: readonly StandingResult[]): readonly StandingResult[] {
  return results.filter(({ isClearable }) => isClearable);
}

export function allButNewest(results: readonly StandingResult[], keeps: number): readonly StandingResult[] {
  return results.slice(0, Math.max(0, results.length - keeps));
}

export function tokensOf(results: readonly StandingResult[]): number {
  return results.reduce((sum, { tokens }) => sum + tokens, 0);
}

function toResult(
  { block, seq }: ViewItem,
  position: number,
  uses: ReadonlyMap<string, { readonly tool: string; readonly input: unknown }>,
): StandingResult | null {
  if (!isBlock(block, "tool_result")) return null;
  const { tool, input } = uses.get(block.tool_use_id) ?? { tool: "", input: undefined };
  return {
    toolUseId: block.tool_use_id,
    tool,
    input,
    position,
    seq,
    tokens: estimatedTokens(block),
    text: contentText(block.content),
    isError: block.is_error === true,
    isClearable: clearableTools.has(tool),
  };
}
