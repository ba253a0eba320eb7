import { dirname, relative } from "node:path";
import { parseJson } from "@palimpsest/core/internal";
import { ok, type Result, type Shell } from "@palimpsest/core/spec";
import { checkRunning } from "../file-outcome.ts";
import { cutLinesNote } from "./built-in-search.ts";
import type { FoundFile, FoundLine, SearchGaps, SearchRequest, TakeFound } from "./found-file.ts";

export interface RipgrepOptions {
  readonly shell: Shell;
  /** Where programs are found. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Always the same: whether a file is left out must not tell whether it would have matched. */
const keptNote =
  "Files that permission rules deny or ask about were left out (name one itself, to be asked).";

/** A message over this is one enormous line; it is passed over, and said. */
const maxMessageBytes = 64 * 1024 * 1024;

/**
 * Searches with ripgrep. `absent`: it is not there. `failed`: it did not do its work, and nothing was taken. Files are
 * judged by the rules that the built-in search follows: ignore files of git and nothing else of the machine's settings.
 */
export async function ripgrepSearch(
  request: SearchRequest,
  { shell, environment }: RipgrepOptions,
  signal: AbortSignal,
  take: TakeFound,
): Promise<Result<SearchGaps> | "absent" | "failed"> {
  const reader = createMessageReader(request, take);
  const cwd = request.isFile ? dirname(request.root) : request.root;
  const program = shell.start("rg", ripgrepArguments(request), {
    cwd,
    environment,
    onOutput(bytes, stream) {
      if (stream === "stdout" && reader.push(bytes) === "stop") program.kill(0);
    },
  });
  const abort = () => program.kill(0);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  const ended = await program.ended;
  signal.removeEventListener("abort", abort);
  const running = checkRunning(signal);
  if (!running.ok) return running;
  if (!ended.ok) return "absent";
  const { exitCode } = ended.value;
  if (exitCode !== 0 && exitCode !== 1 && !reader.hasTaken) return "failed";
  const isPartial = exitCode === 2;
  return ok({
    notes: [
      ...(isPartial ? ["Some files or folders could not be read."] : []),
      ...(reader.cutLines > 0 ? [cutLinesNote(reader.cutLines, request.maxLineChars)] : []),
      ...(reader.lostMessages > 0 ? ["Some very long lines were not searched."] : []),
      ...(request.mayRead && !request.isFile ? [keptNote] : []),
    ],
  });
}

export function ripgrepArguments(request: SearchRequest): readonly string[] {
  const { pattern, isInRepository, isMultiline, before, after, keeps, root } = request;
  return [
    "--json",
    "--no-config",
    "--no-messages",
    "--no-mmap",
    "--sort=path",
    "--no-require-git",
    "--no-ignore-global",
    "--no-ignore-exclude",
    "--no-ignore-dot",
    ...(isInRepository ? [] : ["--no-ignore-parent"]),
    ...(isMultiline ? ["--multiline"] : []),
    ...(keeps === "first" ? ["--max-count=1"] : []),
    ...(keeps === "lines" ? [`--before-context=${before}`, `--after-context=${after}`] : []),
    "-e",
    pattern.rust,
    "--",
    root,
  ];
}

function createMessageReader(request: SearchRequest, take: TakeFound) {
  let lines: FoundLine[] = [];
  let count = 0;
  let hasTaken = false;
  let lostMessages = 0;
  let cutLines = 0;
  let isOver = false;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;

  function see(message: RipgrepMessage | undefined): void {
    if (message?.type === "begin") {
      lines = [];
      count = 0;
    } else if (message?.type === "lines") {
      for (const line of message.lines) seeLine(line);
    } else if (message?.type === "end") {
      finish(message);
    }
  }

  /** A line is searched as far as the built-in search does. */
  function seeLine(line: FoundLine): void {
    const { maxLineChars, maxLines, keeps } = request;
    const isLong = line.text.length > maxLineChars;
    if (isLong) cutLines += 1;
    if (isLong && line.isMatch && line.column >= maxLineChars) return;
    if (line.isMatch) count += 1;
    if (keeps !== "lines" || lines.length >= maxLines) return;
    lines.push(isLong ? { ...line, text: line.text.slice(0, maxLineChars).toWellFormed() } : line);
  }

  function finish({ path, isBinary }: { readonly path: string; readonly isBinary: boolean }): void {
    const below = relative(request.root, path);
    if (isBinary || count === 0 || !(request.isFile || request.isWanted(below))) return;
    if (request.mayRead?.(path) === false) return;
    const found: FoundFile = { path, lines, count: request.keeps === "first" ? 1 : count };
    hasTaken = true;
    isOver = take(found) === "stop";
  }

  function endMessage(last: Uint8Array): void {
    if (pendingBytes + last.length > maxMessageBytes) lostMessages += 1;
    else see(readRipgrepMessage(Buffer.concat([...pending, last]).toString()));
    pending = [];
    pendingBytes = 0;
  }

  return {
    push(bytes: Uint8Array): "go-on" | "stop" {
      let from = 0;
      for (let end = bytes.indexOf(10); end !== -1 && !isOver; end = bytes.indexOf(10, from)) {
        endMessage(bytes.subarray(from, end));
        from = end + 1;
      }
      if (isOver) return "stop";
      if (pendingBytes <= maxMessageBytes) pending.push(Uint8Array.from(bytes.subarray(from)));
      pendingBytes += bytes.length - from;
      return "go-on";
    },
    get hasTaken() {
      return hasTaken;
    },
    get cutLines() {
      return cutLines;
    },
    get lostMessages() {
      return lostMessages;
    },
  };
}

/** A line of ripgrep's JSON. */
type RipgrepMessage =
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
function readRipgrepMessage(json: string): RipgrepMessage | undefined {
  const wire = parseJson(json) as Wire | undefined;
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
