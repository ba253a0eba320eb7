import { firstChars } from "@palimpsest/core/internal";
import { type ContentBlock, isBlock, type ToolUseBlock } from "@palimpsest/core/spec";
import { escapeTerminal } from "../../cli/escape-terminal.ts";
import { blockText } from "./block-text.ts";

const maxTitleChars = 120;
/** What says most of a call, most telling first. */
const mainArguments = [
  "file_path",
  "path",
  "notebook_path",
  "command",
  "pattern",
  "url",
  "query",
  "description",
  "prompt",
] as const;

/** One line for a block: a tool and its main argument, or the first words. `callTitle` is that of a result's call. */
export function itemTitle(block: ContentBlock, callTitle?: string): string {
  if (isBlock(block, "tool_use")) return callLine(block);
  if (isBlock(block, "tool_result") && callTitle !== undefined) return callTitle;
  return firstWords(blockText(block));
}

export function firstWords(text: string): string {
  const line = escapeTerminal(text.slice(0, 4 * maxTitleChars)).trim();
  return line.length <= maxTitleChars ? line : `${firstChars(line, maxTitleChars - 1)}…`;
}

function callLine({ name, input }: ToolUseBlock): string {
  const given = (typeof input === "object" && input !== null ? input : {}) as Record<string, unknown>;
  const main = mainArguments.map((argument) => given[argument]).find((value) => typeof value === "string");
  return firstWords(main === undefined ? name : `${name} ${main}`);
}
