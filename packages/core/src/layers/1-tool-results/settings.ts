import { pagingTools } from "../../catalog/known-tools.ts";
import { isObject } from "../../json/json-values.ts";
import { count } from "../../settings/declare.ts";
import type { Flag } from "../../settings/flag.ts";
import { defaultsOf, readValues } from "../../settings/read-values.ts";
import { tableOf, wholeNumber } from "../../settings/schemas.ts";
import type { ValuesOf } from "../../settings/setting.ts";
import type { Facts, Tool } from "../../spec/index.ts";
import { isThrifty } from "../../view/economics/economy.ts";

/** How much of a tool's result stays in the context. Characters are UTF-16 code units, bytes are of UTF-8. */
export const toolResultSettings = {
  defaultMaxChars: count(
    50_000,
    "longest result of a tool in characters; longer ones are written to disk; per tool by the flag `tool-result-limits`",
    { least: 1 },
  ),
  declaredMaxChars: count(500_000, "upper bound for a limit that an MCP server sets for its own tool", {
    least: 1,
  }),
  roundMaxChars: count(200_000, "longest total of all results that answer one message, in characters", {
    least: 1,
  }),
  previewBytes: count(2_000, "bytes from the beginning of a result on disk that are kept in the context"),
  tailBytes: count(
    1_000,
    "bytes from the end of a result on disk that are kept too, for the output of a shell",
  ),
  promptPreviewBytes: count(
    20_000,
    "bytes from the beginning, and from the end, of a prompt that exceeds the window by itself; fewer in a small window",
  ),
};

const characters: Flag<Readonly<Record<string, number>>> = {
  schema: tableOf(wholeNumber(1)),
  default: {},
  description: "Longest result of a tool in characters, by tool name; longer ones are written to disk.",
  shapesPrefix: true,
};

export const toolResultFlags = { "tool-result-limits": characters };

/** Every number this layer rests on. */
export type ToolResultNumbers = ValuesOf<typeof toolResultSettings>;

export const toolResultNumbers: ToolResultNumbers = defaultsOf(toolResultSettings);

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
  const numbers = readValues(toolResultSettings, settings.toolResults);
  const flags = fieldsOf(settings.flags);
  const byFlag = countsIn(flags["tool-result-limits"]);
  return {
    ...numbers,
    ...(logAddress !== undefined && { logAddress }),
    hasReadReferences: isThrifty({ settings }),
    maxCharsOf(name) {
      if (name === undefined) return numbers.defaultMaxChars;
      if (Object.hasOwn(byFlag, name)) return byFlag[name] as number;
      const tool = tools.find((one) => one.name === name);
      const usual = pagingTools.has(name) ? Number.POSITIVE_INFINITY : numbers.defaultMaxChars;
      return ownLimit(tool) ?? declaredLimit(tool, numbers) ?? usual;
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

function countsIn(value: unknown): Readonly<Record<string, number>> {
  const fields = Object.entries(fieldsOf(value));
  return Object.fromEntries(fields.filter((field): field is [string, number] => isNotNegative(field[1])));
}

function isNotNegative(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
