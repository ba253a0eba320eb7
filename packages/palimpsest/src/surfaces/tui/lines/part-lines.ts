import { firstChars } from "@palimpsest/core/internal";
import type { ToolOutcome } from "@palimpsest/core/spec";
import { escapeTerminal, shownText } from "../../terminal/escape-terminal.ts";
import { formatNumber, formatSeconds } from "../../terminal/format-amount.ts";
import { cutText } from "../../terminal/text-width.ts";
import { toolLine } from "../../terminal/tool-line.ts";
import { wrapBehind } from "../../terminal/wrap-text.ts";
import type { Part } from "../state/part.ts";
import type { Look } from "./look.ts";
import { markdownLines } from "./markdown-lines.ts";

const maxPromptLines = 20;
const cardLines = 3;
const expandedCardLines = 40;
const maxNoteChars = 2_000;

/** Something that has happened, as lines; an empty one keeps it apart from what stands above. */
export function partLines(part: Part, look: Look): readonly string[] {
  switch (part.kind) {
    case "prompt":
      return ["", ...promptLines(part.text, look)];
    case "answer":
      return ["", ...markdownLines(part.text, look)];
    case "tool":
      return cardOf(part, look);
    case "note":
      return noteLines(part, look);
    case "panel":
      return ["", look.style.bold(part.title), ...part.lines];
  }
}

function promptLines(text: string, { columns, style, isPlain }: Look): readonly string[] {
  const mark = isPlain ? "You: " : "> ";
  const indent = " ".repeat(mark.length);
  const lines = shownText(text)
    .split("\n")
    .slice(0, maxPromptLines + 1)
    .flatMap((line, index) => wrapBehind(index === 0 ? mark : indent, line, columns));
  const shown = lines.slice(0, maxPromptLines);
  const more = lines.length > shown.length ? [style.dim(`${indent}… and more; Ctrl+O has all of it`)] : [];
  return [...shown.map((line) => style.bold(line)), ...more];
}

function cardOf(part: Extract<Part, { readonly kind: "tool" }>, look: Look): readonly string[] {
  const { columns, style, cwd, isPlain } = look;
  const { tool, input, output, isError, isExpanded, durationMs } = part;
  const head = toolLine(tool, input, cwd, columns);
  const all = shownText(outputText(output)).replace(/\s+$/, "").split("\n");
  const shown = all.slice(0, isExpanded ? expandedCardLines : cardLines);
  const rest = all.length - shown.length;
  const bar = isPlain ? "  " : "  │ ";
  const paint = isError ? style.yellow : style.dim;
  const lines = all.length === 1 && all[0] === "" ? ["(nothing)"] : shown;
  const took = durationMs >= 1000 ? `, ${formatSeconds(durationMs)}` : "";
  const more = rest > 0 ? [`… ${formatNumber(rest, "more line")}${took} (Ctrl+O)`] : [];
  return [
    "",
    style.cyan(isError && isPlain ? `${head} failed` : head),
    ...[...lines, ...more].map((line) => paint(cutText(`${bar}${line}`, columns))),
  ];
}

/** A tool's output, as text. */
export function outputText(output: ToolOutcome["content"]): string {
  if (typeof output === "string") return output;
  return output
    .map((block) => ("text" in block && typeof block.text === "string" ? block.text : `[${block.type}]`))
    .join("\n");
}

function noteLines(
  { level, text }: Extract<Part, { readonly kind: "note" }>,
  { columns, style, isPlain }: Look,
): readonly string[] {
  const mark = { info: "· ", warning: isPlain ? "Warning: " : "! ", error: "error: " }[level];
  const paint = { info: style.dim, warning: style.yellow, error: style.red }[level];
  const [first = "", ...others] = firstChars(text, maxNoteChars).split("\n");
  const lines = level === "info" ? [first] : [first, ...others];
  const shown = lines.flatMap((line, index) =>
    wrapBehind(index === 0 ? mark : "  ", escapeTerminal(line), columns),
  );
  return (level === "info" ? shown.slice(0, 3) : shown).map(paint);
}
