import type { InspectedItem, ItemText } from "../inspected.ts";

/** A text in a box of its own, with what it is. */
export interface TextPart {
  readonly label: string;
  readonly text: string;
}

/** The text of an opened item: as the model saw it and, where that is not all, what it was. */
export function itemParts(item: InspectedItem, { shown, original }: ItemText): readonly TextPart[] {
  if (original === undefined) return [{ label: "As the model saw it", text: shown }];
  return [
    { label: `As the model saw it: ${item.state}`, text: shown },
    { label: "Original", text: original },
  ];
}

/** The texts of an opened replacement: both of them. */
export function replacedParts(before: ItemText, after: ItemText): readonly TextPart[] {
  return [
    { label: "Before", text: before.shown },
    { label: "After", text: after.shown },
  ];
}

const textLineHeight = 18;
const labelHeight = 24;
const paddingHeight = 22;
const maxLines = 18;

/** Pixels of the boxes: as many lines as the text takes, up to what still leaves room for others. */
export function partsHeight(parts: readonly TextPart[], columns: number): number {
  return parts.reduce((sum, { text }) => sum + partHeight(text, columns), 8);
}

export function partHeight(text: string, columns: number): number {
  return labelHeight + paddingHeight + countLines(text, columns) * textLineHeight;
}

/** Lines when wrapped at so many columns, counted no further than a box is high. */
function countLines(text: string, columns: number): number {
  let lines = 0;
  let start = 0;
  while (start <= text.length && lines < maxLines) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    lines += Math.max(1, Math.ceil((end - start) / Math.max(1, columns)));
    start = end + 1;
  }
  return Math.min(maxLines, lines);
}

/** What changes the order or the look of text without being seen. The joiners that scripts and emoji need stay. */
const unseen = /(?!\u200c|\u200d|[\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const controlPictures = 0x2400;

/** The text with every unseen character made visible; tabs and line breaks stay. */
export function toVisible(text: string): string {
  return text.replaceAll("\r\n", "\n").toWellFormed().replace(unseen, picture);
}

/** The same on one line. */
export function toVisibleLine(text: string): string {
  return toVisible(text).replace(/\s+/g, " ").trim();
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(controlPictures + code);
  if (code === 0x7f) return "\u2421";
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** 950 · 12.3k · 184k · 1.05M */
export function formatTokens(tokens: number): string {
  const size = Math.abs(tokens);
  if (size < 1000) return String(Math.round(tokens));
  if (size < 99_950) return `${(tokens / 1000).toFixed(1)}k`;
  if (size < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(2)}M`;
}

/** `null` is an unknown price. */
export function formatDollars(dollars: number | null): string {
  if (dollars === null) return "–";
  if (dollars === 0) return "$0";
  return `$${dollars.toFixed(Math.abs(dollars) < 1 ? 4 : 2)}`;
}

export function formatShare(part: number, whole: number): string {
  if (whole <= 0) return "–";
  const percent = (100 * part) / whole;
  return percent > 0 && percent < 1 ? "<1 %" : `${Math.round(percent)} %`;
}

/** 2026-11-16 14:05, where the reader is. */
export function formatTime(at: string | number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return "–";
  const two = (part: number) => String(part).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

const names: Readonly<Record<string, string>> = { builtInTools: "Built-in tools", mcpTools: "MCP tools" };

/** Turns camelCase into words: `toolResults` is "Tool results". */
export function formatName(name: string): string {
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  if (known !== undefined) return known;
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
