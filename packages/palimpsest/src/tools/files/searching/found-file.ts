import { ok, type Result } from "@palimpsest/core/spec";
import type { ReadableFile } from "../disk/file-system.ts";
import { readPieces } from "../reading/line-page.ts";
import { createTextDecoder, encodingOf } from "../reading/text-encoding.ts";
import type { SearchSurroundings } from "./built-in-search.ts";
import type { Matcher } from "./matcher.ts";
import type { SearchPattern } from "./search-pattern.ts";

export interface FoundLine {
  readonly line: number;
  /** Without its end. */
  readonly text: string;
  /** Where the first match in it begins; -1 in a line that only stands around one. */
  readonly column: number;
  readonly isMatch: boolean;
}

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** In their order; only where lines are asked for. */
  readonly lines: readonly FoundLine[];
  /** Matching lines; 1 where only the first is asked for. */
  readonly count: number;
}

export interface SearchRequest {
  /** A real path. */
  readonly root: string;
  readonly isFile: boolean;
  /** Whether ignore files above the root count: those of the repository it is in. */
  readonly isInRepository: boolean;
  readonly pattern: SearchPattern;
  readonly isMultiline: boolean;
  readonly before: number;
  readonly after: number;
  readonly keeps: "lines" | "count" | "first";
  /** As many lines of a file as can be shown: no more are held. */
  readonly maxLines: number;
  /** Text behind so many characters of a line is not searched. */
  readonly maxLineChars: number;
  /** Whether a file is searched, by its path below the root. */
  readonly isWanted: (relativePath: string) => boolean;
  /** Whether rules let a file be read, by its real path; absent: every one. */
  readonly mayRead?: (path: string) => boolean;
}

/** The files that a search could not look at. */
export interface SearchGaps {
  readonly notes: readonly string[];
}

/** Called for every file with a match, in the order of the paths; may end the search. */
export type TakeFound = (file: FoundFile) => "go-on" | "stop";

export interface SearchedFile {
  /** Absent where nothing matches, or the file is binary. */
  readonly found?: FoundFile;
  readonly gap?: "unreadable" | "tooLarge";
  readonly cutLines: number;
}

/** Searches one file. Fails only where the whole search has to end. */
export async function searchFile(
  path: string,
  request: SearchRequest,
  { fileSystem, limits, signal }: SearchSurroundings,
  matcher: Matcher,
): Promise<Result<SearchedFile>> {
  const opened = await fileSystem.open(path);
  if (!opened.ok) return ok({ gap: "unreadable", cutLines: 0 });
  const text = request.isMultiline
    ? createWholeText(limits.searchedFileChars)
    : createWholeLines(request.maxLineChars);
  try {
    const matched = await matchPieces(opened.value, request, text, matcher, signal);
    if (!matched.ok) return isOver(matched.error.code) ? matched : ok({ gap: "unreadable", cutLines: 0 });
    const { lines, count, isBinary } = matched.value;
    if (isBinary) return ok({ cutLines: 0 });
    if (request.isMultiline && text.cutLines > 0) return ok({ gap: "tooLarge", cutLines: 0 });
    return ok({ cutLines: text.cutLines, ...(count > 0 && { found: { path, lines, count } }) });
  } finally {
    await opened.value.close();
  }
}

interface FileMatches {
  readonly lines: readonly FoundLine[];
  readonly count: number;
  readonly isBinary: boolean;
}

async function matchPieces(
  file: ReadableFile,
  { keeps, maxLines }: SearchRequest,
  pieces: LineSplitter,
  matcher: Matcher,
  signal: AbortSignal,
): Promise<Result<FileMatches>> {
  const lines: FoundLine[] = [];
  let count = 0;
  let isBinary = false;
  let isFirst = true;
  let failure: Result<never> | undefined;

  async function match(text: string): Promise<"go-on" | "stop"> {
    if (text === "") return "go-on";
    const matched = await matcher.match(text, isFirst);
    isFirst = false;
    if (!matched.ok) {
      failure = matched;
      return "stop";
    }
    for (const line of matched.value.lines.slice(0, maxLines - lines.length)) lines.push(line);
    count += matched.value.count;
    return keeps === "first" && count > 0 ? "stop" : "go-on";
  }

  let decoder: ReturnType<typeof createTextDecoder> | undefined;
  const read = await readPieces(file, signal, (bytes) => {
    decoder ??= createTextDecoder(encodingOf(bytes));
    const text = decoder.decode(bytes, { stream: true });
    isBinary ||= text.includes("\0");
    return isBinary ? "stop" : match(pieces.push(text));
  });
  if (!read.ok) return read;
  if (read.value.isWhole) await match(pieces.push(decoder?.decode() ?? "") + pieces.end());
  return failure ?? ok({ lines, count, isBinary });
}

function isOver(code: string): boolean {
  return code === "aborted" || code === "timeout";
}

/** Hands a text that comes in pieces on as whole lines. */
interface LineSplitter {
  /** All lines that are whole by now, with their ends. */
  push(piece: string): string;
  /** The last line, where it has no end. */
  end(): string;
  /** Lines of which only the beginning was handed on. */
  readonly cutLines: number;
}

export function createWholeLines(maxLineChars: number): LineSplitter {
  let rest = "";
  let isCut = false;
  let cutLines = 0;
  return {
    push(piece) {
      const lastEnd = piece.lastIndexOf("\n");
      const whole = lastEnd === -1 ? "" : rest + wholePart(piece, lastEnd);
      if (lastEnd !== -1) {
        rest = "";
        isCut = false;
      }
      if (isCut) return whole;
      rest += piece.slice(lastEnd + 1);
      if (rest.length > maxLineChars) {
        rest = rest.slice(0, maxLineChars).toWellFormed();
        isCut = true;
        cutLines += 1;
      }
      return whole;
    },
    end: () => rest,
    get cutLines() {
      return cutLines;
    },
  };

  /** Of a line that was cut, only its end is still wanted. */
  function wholePart(piece: string, lastEnd: number): string {
    return piece.slice(isCut ? piece.indexOf("\n") : 0, lastEnd + 1);
  }
}

/** Holds everything back until the end, as a search across lines needs it; of a text that is too long, nothing. */
export function createWholeText(maxChars: number): LineSplitter {
  let text = "";
  let isCut = false;
  return {
    push(piece) {
      isCut ||= text.length + piece.length > maxChars;
      text = isCut ? "" : text + piece;
      return "";
    },
    end: () => text,
    get cutLines() {
      return isCut ? 1 : 0;
    },
  };
}
