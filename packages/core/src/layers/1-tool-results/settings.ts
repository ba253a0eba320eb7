import { isObject } from "../../json/json-values.ts";
import type { Facts, Tool } from "../../spec/index.ts";

/** Every number this layer rests on; each can be set under `toolResults`. Characters are UTF-16 code units. */
export interface ToolResultNumbers {
  /** Characters a result may have where neither its tool nor a flag says otherwise. */
  readonly defaultMaxChars: number;
  /** The most that an MCP server's own word for a tool is honoured for. */
  readonly declaredMaxChars: number;
  /** Characters that all results which answer one message of the assistant may have together. */
  readonly roundMaxChars: number;
  /** Bytes from the beginning of an offloaded result that stay in the context. */
  readonly previewBytes: number;
  /** Bytes from the end that stay besides, for the output of a shell. */
  readonly tailBytes: number;
  /** Bytes from the beginning, and from the end, of a prompt that alone exceeds a window of 100,000 tokens or more. */
  readonly promptPreviewBytes: number;
}

export const toolResultNumbers: ToolResultNumbers = {
  defaultMaxChars: 50_000,
  declaredMaxChars: 500_000,
  roundMaxChars: 200_000,
  previewBytes: 2_000,
  tailBytes: 1_000,
  promptPreviewBytes: 20_000,
};

/** At most so many characters stand around the beginning and the end of an offloaded result, its path included. */
export const frameChars = 800;

/** Where an MCP server says how many characters a tool's results may have. */
const declaredField = "anthropic/maxResultSizeChars";

/** A session's limits for results. */
export interface ToolResultLimits extends ToolResultNumbers {
  /** Where the log is, for a model that has no tool to recall with: what stands for a result names it. */
  readonly logAddress?: string;
  /** Characters a result of the tool may have by itself; `Infinity` where the tool pages its own output. */
  maxCharsOf(tool: string | undefined): number;
  /** Whether a re-read of an unchanged file is answered by a reference. */
  readonly hasReadReferences: boolean;
}

/** Reads what was set. Total: a value that is no count is passed over. */
export function limitsOf({
  settings,
  tools,
  logAddress,
}: Pick<Facts, "settings" | "tools" | "logAddress">): ToolResultLimits {
  const numbers = { ...toolResultNumbers, ...countsIn(settings.toolResults, Number.isSafeInteger) };
  const flags = fieldsOf(settings.flags);
  const byFlag = countsIn(flags["tool-result-limits"], isNotNegative);
  return {
    ...numbers,
    ...(logAddress !== undefined && { logAddress }),
    hasReadReferences: flags["read-references"] === true,
    maxCharsOf(name) {
      if (name === undefined) return numbers.defaultMaxChars;
      if (Object.hasOwn(byFlag, name)) return byFlag[name] as number;
      const tool = tools.find((one) => one.name === name);
      return ownLimit(tool) ?? declaredLimit(tool, numbers) ?? numbers.defaultMaxChars;
    },
  };
}

function ownLimit(tool: Tool | undefined): number | undefined {
  return isNotNegative(tool?.maxResultChars) ? tool.maxResultChars : undefined;
}

function declaredLimit(tool: Tool | undefined, { declaredMaxChars }: ToolResultNumbers): number | undefined {
  const declared = fieldsOf(tool?._meta)[declaredField];
  return isNotNegative(declared) ? Math.min(declared, declaredMaxChars) : undefined;
}

function countsIn(value: unknown, isFit: (value: unknown) => boolean): Readonly<Record<string, number>> {
  const fields = Object.entries(fieldsOf(value));
  return Object.fromEntries(
    fields.filter((field): field is [string, number] => isNotNegative(field[1]) && isFit(field[1])),
  );
}

function isNotNegative(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
