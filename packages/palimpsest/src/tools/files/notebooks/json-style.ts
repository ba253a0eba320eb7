/** How a JSON text is laid out, so that what is added to it looks the same. */
export interface JsonStyle {
  /** One level of indentation; nothing where all is on one line. */
  readonly unit: string;
  readonly newline: string;
  /** A value whose first line stands behind `indent`. */
  write(value: unknown, indent: string): string;
}

export function jsonStyleOf(json: string): JsonStyle {
  const unit = /^\s*\{\r?\n([\t ]+)/.exec(json)?.[1] ?? "";
  const newline = json.includes("\r\n") ? "\r\n" : "\n";
  return {
    unit,
    newline,
    write: (value, indent) => JSON.stringify(value, null, unit).replaceAll("\n", newline + indent),
  };
}

/** The indentation of the line that a position is in. */
export function indentBefore(json: string, at: number): string {
  const lineStart = json.lastIndexOf("\n", at - 1) + 1;
  return /^[\t ]*/.exec(json.slice(lineStart, at))?.[0] ?? "";
}
