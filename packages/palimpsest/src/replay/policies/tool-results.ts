import {
  clearedResultLabel,
  commandTools,
  contentText,
  fileTools,
  readToolPurpose,
} from "@palimpsest/core/internal";
import { type Facts, isBlock, type Layer, ok, type View, type ViewItem } from "@palimpsest/core/spec";
import { estimatedTokens } from "../sizes/prompt-content.ts";

/** A result in the view that still stands there as it came. */
export interface UnreplacedResult {
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
function unreplacedResults({ items }: View): readonly UnreplacedResult[] {
  const uses = new Map<string, { readonly tool: string; readonly input: unknown }>();
  const results: UnreplacedResult[] = [];
  for (const [position, item] of items.entries()) {
    const { block } = item;
    if (isBlock(block, "tool_use")) uses.set(block.id, { tool: block.name, input: block.input });
    const result = item.decision === undefined ? toResult(item, position, uses) : null;
    if (result) results.push(result);
  }
  return results;
}

export function clearableOf(results: readonly UnreplacedResult[]): readonly UnreplacedResult[] {
  return results.filter(({ isClearable }) => isClearable);
}

export function allButNewest(
  results: readonly UnreplacedResult[],
  keeps: number,
): readonly UnreplacedResult[] {
  return results.slice(0, Math.max(0, results.length - keeps));
}

export function tokensOf(results: readonly UnreplacedResult[]): number {
  return results.reduce((sum, { tokens }) => sum + tokens, 0);
}

function toResult(
  { block, seq }: ViewItem,
  position: number,
  uses: ReadonlyMap<string, { readonly tool: string; readonly input: unknown }>,
): UnreplacedResult | null {
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

/** Which results go, of those that stand; none when it is not the time. */
type ChooseResults = (
  results: readonly UnreplacedResult[],
  view: View,
  facts: Facts,
) => readonly UnreplacedResult[];

interface ClearLayerOptions {
  readonly id: string;
  /** With a label by which a cleared result can be found again. */
  readonly hasHandles: boolean;
  readonly choose: ChooseResults;
}

interface Clearing {
  readonly results: readonly UnreplacedResult[];
  readonly basis: number;
}

/** A placeholder takes about this many tokens, a label of its own about that many more. */
const placeholderTokens = 8;
export const labelTokens = 32;

const maxArgumentChars = 80;

/** A layer that clears, before a request, the results that `choose` names. */
export function createClearLayer({ id, hasHandles, choose }: ClearLayerOptions): Layer<Clearing> {
  const left = placeholderTokens + (hasHandles ? labelTokens : 0);
  const freedBy = (results: readonly UnreplacedResult[]) =>
    Math.round(results.reduce((sum, { tokens }) => sum + Math.max(0, tokens - left), 0));
  return {
    id,
    moments: ["before-request"],
    decide(view, _moment, facts) {
      const results = choose(unreplacedResults(view), view, facts);
      if (results.length === 0) return { verdict: "skip", reason: "nothing to clear" };
      const basis = view.head;
      const command = { results, basis };
      return { verdict: "act", command, run: "inline", reason: id, frees: freedBy(results), basis };
    },
    async apply({ results, basis }) {
      const parts = results.map((result) => ({
        toolUseId: result.toolUseId,
        part: "result" as const,
        label: hasHandles ? `${clearedResultLabel} ${handleOf(result)}` : clearedResultLabel,
      }));
      const head = { layer: id, reason: id, frees: freedBy(results), basis };
      return ok([{ kind: "decision", decision: { ...head, type: "clear", parts } }]);
    },
  };
}

/** Tool, main argument, size and recall id. */
function handleOf({ tool, input, tokens, toolUseId }: UnreplacedResult): string {
  return `${tool} ${mainArgument(tool, input)}, about ${Math.round(tokens)} tokens, recall ${toolUseId}`;
}

function mainArgument(tool: string, input: unknown): string {
  const purpose = readToolPurpose({ name: tool, input });
  const text =
    purpose.purpose === "file"
      ? purpose.path
      : purpose.purpose === "command"
        ? purpose.command
        : (Object.values(input ?? {}).find((value): value is string => typeof value === "string") ?? "");
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > maxArgumentChars ? `${line.slice(0, maxArgumentChars)}…` : line;
}
