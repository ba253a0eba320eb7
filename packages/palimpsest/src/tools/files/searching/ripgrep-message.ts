import type { FoundLine } from "./found-file.ts";

/** What one line of ripgrep's JSON says. */
export type RipgrepMessage =
  | { readonly type: "begin" | "end"; readonly path: string; readonly isBinary: boolean }
  | { readonly type: "lines"; readonly lines: readonly FoundLine[] };

interface Text {
  readonly text?: string;
  /** Base64, where it is no UTF-8. */
  readonly bytes?: string;
}

interface Wire {
  readonly type: string;
  readonly data: {
    readonly path?: Text;
    readonly lines?: Text;
    readonly line_number?: number;
    readonly binary_offset?: number | null;
    readonly submatches?: readonly { readonly start: number }[];
  };
}

/** Nothing for what is of no interest here, and for what is no message at all. */
export function readRipgrepMessage(json: string): RipgrepMessage | undefined {
  const wire = parse(json);
  if (!wire?.data) return undefined;
  const { type, data } = wire;
  if (type === "begin" || type === "end") {
    return { type, path: bytesOf(data.path).toString(), isBinary: typeof data.binary_offset === "number" };
  }
  if (type !== "match" && type !== "context") return undefined;
  const columns = type === "match" ? (data.submatches ?? []).map(({ start }) => start) : [];
  return {
    type: "lines",
    lines: toLines(bytesOf(data.lines), data.line_number ?? 0, columns, type === "match"),
  };
}

/** A match may go over several lines. */
function toLines(
  bytes: Buffer,
  firstLine: number,
  starts: readonly number[],
  isMatch: boolean,
): readonly FoundLine[] {
  const lines: FoundLine[] = [];
  for (let from = 0; from < bytes.length || lines.length === 0; ) {
    const newline = bytes.indexOf("\n", from);
    const end = newline === -1 ? bytes.length : newline;
    const start = starts.find((position) => position >= from && position <= end) ?? from;
    const column = isMatch ? bytes.subarray(from, start).toString().length : -1;
    const text = bytes.subarray(from, end).toString().replace(/\r$/, "");
    lines.push({ line: firstLine + lines.length, text, column, isMatch });
    from = end + 1;
  }
  return lines;
}

function bytesOf({ text, bytes }: Text = {}): Buffer {
  return text === undefined ? Buffer.from(bytes ?? "", "base64") : Buffer.from(text);
}

function parse(json: string): Wire | undefined {
  try {
    return JSON.parse(json) as Wire;
  } catch {
    return undefined;
  }
}
