import { firstChars } from "@palimpsest/core/internal";
import { ok, type Result } from "@palimpsest/core/spec";
import type { ReadableFile } from "../disk/file-system.ts";
import { checkRunning } from "../file-outcome.ts";

export interface PageRequest {
  /** The first line, counted from 1. */
  readonly offset: number;
  /** Lines at most. */
  readonly limit: number;
  /** The character every line begins at, counted from 1. */
  readonly column: number;
  readonly maxChars: number;
  readonly maxLineChars: number;
}

/** The facts about a text once it was looked at, to its end or not. */
export interface PageView {
  /** Numbered lines, joined. */
  readonly text: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Lines seen so far; of the whole text where it was seen to its end. */
  readonly seenLines: number;
  readonly crlfLines: number;
  readonly lfLines: number;
  readonly hasFinalNewline: boolean;
}

interface LinePage {
  /** The next piece of the text. Keeps no more of it than the page shows. */
  push(piece: string): void;
  /** Whether anything that follows could still be part of the page. */
  readonly isFull: boolean;
  /** Nothing follows. */
  end(): PageView;
}

/** Cuts one page of numbered lines out of a text that comes in pieces. */
export function createLinePage(request: PageRequest): LinePage {
  const { offset, limit, column, maxChars, maxLineChars } = request;
  const shown: string[] = [];
  let shownChars = 0;
  let isFull = false;
  let line = 1;
  let lineChars = 0;
  let kept = "";
  let endsWithReturn = false;
  const counts = { crlf: 0, lf: 0 };

  const isWanted = () => !isFull && line >= offset;

  function extend(text: string, from: number, to: number): void {
    if (from === to) return;
    if (isWanted() && kept.length < maxLineChars + 2) {
      const start = from + Math.max(0, column - 1 - lineChars);
      if (start < to) kept += text.slice(start, Math.min(to, start + maxLineChars + 2 - kept.length));
    }
    lineChars += to - from;
    endsWithReturn = text[to - 1] === "\r";
  }

  function finish(hasNewline: boolean): void {
    const isCrlf = hasNewline && endsWithReturn;
    if (hasNewline) counts[isCrlf ? "crlf" : "lf"] += 1;
    if (isWanted()) show(isCrlf ? lineChars - 1 : lineChars);
    line += 1;
    lineChars = 0;
    kept = "";
    endsWithReturn = false;
  }

  function show(totalChars: number): void {
    const numbered = `${line}\t${cutLine(kept, totalChars, request)}`;
    if (shown.length > 0 && shownChars + numbered.length + 1 > maxChars) {
      isFull = true;
      return;
    }
    shown.push(numbered);
    shownChars += numbered.length + 1;
    isFull = shown.length >= limit;
  }

  return {
    push(piece) {
      let from = 0;
      for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
        extend(piece, from, end);
        finish(true);
        from = end + 1;
      }
      extend(piece, from, piece.length);
    },
    get isFull() {
      return isFull;
    },
    end() {
      const hasFinalNewline = lineChars === 0;
      if (!hasFinalNewline) finish(false);
      return {
        text: shown.join("\n"),
        firstLine: offset,
        lastLine: offset + shown.length - 1,
        seenLines: line - 1,
        crlfLines: counts.crlf,
        lfLines: counts.lf,
        hasFinalNewline,
      };
    },
  };
}

function cutLine(kept: string, totalChars: number, { column, maxLineChars }: PageRequest): string {
  const available = Math.max(0, totalChars - (column - 1));
  const text = firstChars(kept.slice(0, available), maxLineChars);
  const left = available - text.length;
  const more = `… [${left} more characters in this line: read it again with column ${column + text.length}]`;
  return (left > 0 ? text + more : text).toWellFormed();
}

/** Bytes that are in memory at once while a file is read from its beginning to its end. */
const pieceBytes = 256 * 1024;

const smallestRead = 4 * 1024;

/**
 * Hands the bytes of a file on, piece by piece, until its end, or until `take` says `stop`. The end is where no more
 * bytes come: what the system says of a file's size is believed only where the bytes bear it out.
 */
export async function readPieces(
  file: ReadableFile,
  signal: AbortSignal,
  take: (piece: Uint8Array) => "go-on" | "stop" | Promise<"go-on" | "stop">,
): Promise<Result<{ readonly isWhole: boolean }>> {
  for (let position = 0; ; ) {
    const running = checkRunning(signal);
    if (!running.ok) return running;
    const expected = Math.max(smallestRead, file.facts.bytes - position + 1);
    const asked = Math.min(pieceBytes, expected);
    const piece = await file.read(position, asked);
    if (!piece.ok) return piece;
    if (piece.value.length === 0) return ok({ isWhole: true });
    position += piece.value.length;
    if ((await take(piece.value)) === "stop") return ok({ isWhole: false });
    if (piece.value.length < asked && position === file.facts.bytes) return ok({ isWhole: true });
  }
}
