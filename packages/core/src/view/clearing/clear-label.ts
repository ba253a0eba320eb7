import { commandFields, pathFields } from "../../catalog/known-tools.ts";
import { readBackMark } from "../read-back.ts";

/** The beginning of every cleared result. */
export const clearedText = "[Old tool result content cleared]";

/** Where a call's main argument is looked for, in this order. */
const argumentFields = [...pathFields, ...commandFields, "pattern", "url", "query"] as const;
const maxArgumentChars = 80;

/** A call's main argument on one line, cut where it is long; empty where it has none. */
export function mainArgument(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const fields = input as Readonly<Record<string, unknown>>;
  const value = argumentFields.map((name) => fields[name]).find((one) => one !== undefined);
  const text = Array.isArray(value) ? value.join(" ") : typeof value === "string" ? value : "";
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= maxArgumentChars) return line;
  return `${line
    .slice(0, maxArgumentChars)
    .toWellFormed()
    .replace(/\ufffd$/, "")}…`;
}

export interface LabelledCall {
  readonly tool: string;
  readonly input: unknown;
  readonly toolUseId: string;
  readonly bytes: number;
  /** Where the log is, for a model that has no tool to recall with. */
  readonly logAddress?: string | undefined;
}

/** The label in place of a result, so that it can be found again with one call. */
export function clearLabel({ tool, input, toolUseId, bytes, logAddress }: LabelledCall): string {
  const argument = mainArgument(input);
  const what = argument === "" ? tool : `${tool} ${argument}`;
  return `${clearedText} ${what} · ${bytes} bytes · ${readBackMark(toolUseId, logAddress)}`;
}

/**
 * The label in place of a large input: the object has this one field. Of an edit, the text that stands in the file since
 * stays word for word, so that a later edit finds it; the text that it replaced is no longer there.
 */
export function clearedInputLabel({ tool, input, toolUseId, bytes, logAddress }: LabelledCall): string {
  const label = `${tool} ${mainArgument(input)} · ${bytes} bytes · ${readBackMark(toolUseId, logAddress)}`;
  const text = newTextOf(input);
  return text === undefined ? label : `${label} · new text:\n${text}`;
}

/** Where an edit's input has the text that it puts into the file. */
const newTextFields = ["new_string", "newString", "newText"] as const;

function newTextOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  return newTextFields.map((name) => fields[name]).find((text): text is string => typeof text === "string");
}
