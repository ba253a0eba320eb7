import { relative } from "node:path";
import { type Clock, fail, ok, type Result } from "@palimpsest/core/spec";
import type { FileSystem } from "../disk/file-system.ts";
import type { FileLimits } from "../file-limits.ts";
import { showPath } from "../paths/show-path.ts";
import { leftOutNote, walkFolder } from "../walking/walk-folder.ts";
import {
  type SearchedFile,
  type SearchGaps,
  type SearchRequest,
  searchFile,
  type TakeFound,
} from "./found-file.ts";
import { createMatcher, type Matcher, type MatcherSurroundings } from "./matcher.ts";

export interface SearchSurroundings {
  readonly fileSystem: FileSystem;
  readonly limits: FileLimits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Files that are searched side by side, each by a thread of its own. */
const atOnce = 4;

/** Searches without any program of the machine. Memory holds a piece of each file that is searched just now. */
export async function builtInSearch(
  request: SearchRequest,
  surroundings: SearchSurroundings,
  take: TakeFound,
): Promise<Result<SearchGaps>> {
  const { fileSystem, limits, clock, signal } = surroundings;
  const pool = createMatcherPool(request, { clock, signal, maxMs: limits.matchMs });
  const gaps = { unreadable: 0, tooLarge: 0, cutLines: 0 };
  const underWay: Promise<Result<SearchedFile>>[] = [];

  /** In the order of the files, whichever is done first. */
  async function takeNext(): Promise<Result<"go-on" | "stop">> {
    const searched = await underWay.shift();
    if (!searched?.ok) return searched ?? ok("stop");
    const { found, gap, cutLines } = searched.value;
    if (gap) gaps[gap] += 1;
    gaps.cutLines += cutLines;
    return ok(found ? take(found) : "go-on");
  }

  async function takeRest(): Promise<Result<SearchGaps>> {
    while (underWay.length > 0) {
      const taken = await takeNext();
      if (!taken.ok) return taken;
      if (taken.value === "stop") break;
    }
    return ok({ notes: notesOf(gaps, limits) });
  }

  function look(path: string): Result<"go-on"> | Promise<Result<"go-on" | "stop">> {
    underWay.push(pool.use((matcher) => searchFile(path, request, surroundings, matcher)));
    return underWay.length < atOnce ? ok("go-on") : takeNext();
  }

  try {
    if (request.isFile) {
      await look(request.root);
      return await takeRest();
    }
    let isStopped = false;
    const walked = await walkFolder(
      fileSystem,
      {
        root: request.root,
        showsHidden: false,
        obeysIgnoreFiles: true,
        maxNames: limits.visitedNames,
        signal,
        ...(request.mayRead && { mayRead: request.mayRead }),
      },
      async ({ path, kind }) => {
        if (kind !== "file" || !request.isWanted(relative(request.root, path))) return ok("go-on");
        const looked = await look(path);
        isStopped = looked.ok && looked.value === "stop";
        return looked;
      },
    );
    if (!walked.ok) return walked;
    if (walked.value.isCut) return tooMany(request.root, limits);
    gaps.unreadable += walked.value.unreadable;
    const rest = isStopped ? ok({ notes: notesOf(gaps, limits) }) : await takeRest();
    return rest.ok ? ok({ notes: [...rest.value.notes, ...leftOutNote(walked.value.leftOut)] }) : rest;
  } finally {
    await pool.close();
    await Promise.all(underWay);
  }
}

export function cutLinesNote(lines: number, maxChars: number): string {
  return `Of ${lines} very long lines only the first ${maxChars} characters were searched.`;
}

function tooMany(root: string, { visitedNames }: FileLimits): Result<never> {
  return fail("too-large", `${showPath(root)} has more than ${visitedNames} files and folders.`, {
    fix: "Search in a folder below it.",
  });
}

function notesOf(
  { unreadable, tooLarge, cutLines }: Readonly<Record<"unreadable" | "tooLarge" | "cutLines", number>>,
  { searchedFileChars, searchedLineChars }: FileLimits,
): readonly string[] {
  return [
    ...(unreadable > 0 ? [`${unreadable} files or folders could not be read.`] : []),
    ...(tooLarge > 0
      ? [`${tooLarge} files over ${searchedFileChars} characters were not searched across lines.`]
      : []),
    ...(cutLines > 0 ? [cutLinesNote(cutLines, searchedLineChars)] : []),
  ];
}

/** As many matchers as are used at one time; each serves one file after the other. */
interface MatcherPool {
  use<T>(work: (matcher: Matcher) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

function createMatcherPool(request: SearchRequest, surroundings: MatcherSurroundings): MatcherPool {
  const all: Matcher[] = [];
  const idle: Matcher[] = [];
  return {
    async use(work) {
      const matcher = idle.pop() ?? createMatcher(request, surroundings);
      if (!all.includes(matcher)) all.push(matcher);
      try {
        return await work(matcher);
      } finally {
        idle.push(matcher);
      }
    },
    async close() {
      await Promise.all(all.map((matcher) => matcher.close()));
    },
  };
}
