import type { ContentBlock, ToolDefinition } from "../../spec/index.ts";
import { toolText } from "../tokens/index.ts";
import type { Category } from "./accounting.ts";
import type { AccountingInput } from "./accounting-input.ts";
import type { Amount } from "./accounting-sums.ts";
import { type MetricProblem, measureBlock } from "./measure-block.ts";

/** What is sent before the messages, and what is held back from it. */
export interface FixedParts {
  readonly categories: ReadonlyMap<Category, number>;
  readonly memoryFiles: ReadonlyMap<string, Amount>;
  readonly deferredTools: Amount;
  readonly problems: readonly MetricProblem[];
}

const mcpPrefix = "mcp__";

export function fixedParts(question: AccountingInput): FixedParts {
  const { system = [], memoryFiles = [], tools = [], deferredTools = new Set<string>() } = question;
  const problems: MetricProblem[] = [];
  const measure = (block: ContentBlock) => measureBlock(block, question.estimate, problems);
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
