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
  /** What stands behind so many characters of a line is not searched. */
  readonly maxLineChars: number;
  /** Whether a file is searched, by its path below the root. */
  readonly isWanted: (relativePath: string) => boolean;
  /** Whether rules let a file be read, by its real path; absent: every one. */
  readonly mayRead?: (path: string) => boolean;
}

/** What a search could not look at. */
export interface SearchGaps {
  readonly notes: readonly string[];
}

/** Called for every file with a match, in the order of the paths; may end the search. */
export type TakeFound = (file: FoundFile) => "go-on" | "stop";
