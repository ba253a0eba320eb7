import { ok, type Result, type Tool, type ToolContext, type ToolOutcome } from "@palimpsest/core/spec";
import type { FileSystem } from "../disk/file-system.ts";
import type { FileLimits } from "../file-limits.ts";
import { toOutcome } from "../file-outcome.ts";
import { findTarget } from "../paths/find-target.ts";
import { refuseKind } from "../paths/open-target.ts";
import { pathSubjects } from "../paths/path-subjects.ts";
import { createPathView } from "../paths/path-view.ts";
import { createGlobFilter } from "../walking/glob-filter.ts";
import { findRepository } from "../walking/rules-for-root.ts";
import { builtInSearch } from "./built-in-search.ts";
import type { SearchGaps, SearchRequest, TakeFound } from "./found-file.ts";
import { grepDescription, grepSchema } from "./grep-schema.ts";
import { type RipgrepOptions, ripgrepSearch } from "./ripgrep-search.ts";
import { readPattern } from "./search-pattern.ts";
import { createSearchReport, type OutputMode } from "./search-report.ts";

export interface GrepOptions {
  readonly fileSystem: FileSystem;
  readonly limits: FileLimits;
  /** Absent: nothing but the built-in search is used. */
  readonly ripgrep?: RipgrepOptions;
}

interface GrepInput {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly output_mode?: OutputMode;
  readonly case_insensitive?: boolean;
  readonly multiline?: boolean;
  readonly before?: number;
  readonly after?: number;
  readonly context?: number;
  readonly head_limit?: number;
  readonly offset?: number;
}

export function createGrepTool(options: GrepOptions): Tool {
  let isRipgrepThere = options.ripgrep !== undefined;

  async function search(
    request: SearchRequest,
    context: ToolContext,
    take: TakeFound,
  ): Promise<Result<SearchGaps>> {
    const { ripgrep } = options;
    if (ripgrep && isRipgrepThere) {
      const searched = await ripgrepSearch(request, ripgrep, context.signal, take);
      if (typeof searched === "object") return searched;
      isRipgrepThere = searched !== "absent";
    }
    return builtInSearch(request, { ...options, clock: context.clock, signal: context.signal }, take);
  }

  return {
    name: "Grep",
    description: grepDescription,
    input_schema: grepSchema(options.limits),
    isReadOnly: true,
    subjectsOf: pathSubjects("path", "read", "."),
    run: async (input, context) => toOutcome(await grep(input as GrepInput, context, options, search)),
  };
}

async function grep(
  input: GrepInput,
  context: ToolContext,
  { fileSystem, limits }: GrepOptions,
  search: (request: SearchRequest, context: ToolContext, take: TakeFound) => Promise<Result<SearchGaps>>,
): Promise<Result<ToolOutcome>> {
  const limit = input.head_limit ?? limits.searchResults;
  const offset = input.offset ?? 0;
  const bounds = { maxLines: offset + limit + 1, maxLineChars: limits.searchedLineChars };
  const request = await requestOf(input, context, fileSystem, bounds);
  if (!request.ok) return request;
  const view = await createPathView(fileSystem, context.cwd);
  const report = createSearchReport({
    mode: input.output_mode ?? "files_with_matches",
    offset,
    limit,
    maxChars: limits.searchChars,
    maxLineChars: limits.foundLineChars,
    showFile: view,
  });
  const searched = await inTime(context, limits.searchMs, (signal) =>
    search(request.value, { ...context, signal }, report.take),
  );
  return searched.ok ? ok({ content: report.text(searched.value.notes) }) : searched;
}

/** Ends a search, with the program that does it, when its time is over: what was found until then counts. */
async function inTime(
  { clock, signal }: Pick<ToolContext, "clock" | "signal">,
  maxMs: number,
  search: (signal: AbortSignal) => Promise<Result<SearchGaps>>,
): Promise<Result<SearchGaps>> {
  const late = new AbortController();
  const done = new AbortController();
  void clock.sleep(maxMs, done.signal).then(() => done.signal.aborted || late.abort());
  try {
    const searched = await search(AbortSignal.any([signal, late.signal]));
    if (searched.ok || !late.signal.aborted || signal.aborted) return searched;
    const over = `The search was ended after ${maxMs / 1_000} s, before all was searched.`;
    return ok({ notes: [over, "Narrow it by path or glob, or make the pattern simpler."] });
  } finally {
    done.abort();
  }
}

const keeps = { content: "lines", files_with_matches: "first", count: "count" } as const;

async function requestOf(
  input: GrepInput,
  context: ToolContext,
  fileSystem: FileSystem,
  bounds: Pick<SearchRequest, "maxLines" | "maxLineChars">,
): Promise<Result<SearchRequest>> {
  const isMultiline = input.multiline ?? false;
  const pattern = readPattern(input.pattern, {
    isCaseInsensitive: input.case_insensitive ?? false,
    isMultiline,
  });
  if (!pattern.ok) return pattern;
  const isWanted =
    input.glob === undefined
      ? ok(() => true)
      : await createGlobFilter(input.glob, { matchesHidden: true, matchesNames: true });
  if (!isWanted.ok) return isWanted;
  const root = await findTarget(fileSystem, input.path ?? ".", context);
  if (!root.ok) return root;
  const facts = await fileSystem.stat(root.value);
  if (!facts.ok) return facts;
  const { kind } = facts.value;
  if (kind !== "file" && kind !== "folder") return refuseKind(root.value, kind);
  return ok({
    root: root.value,
    isFile: kind === "file",
    isInRepository: (await findRepository(fileSystem, root.value)) !== undefined,
    pattern: pattern.value,
    isMultiline,
    before: input.before ?? input.context ?? 0,
    after: input.after ?? input.context ?? 0,
    keeps: keeps[input.output_mode ?? "files_with_matches"],
    isWanted: isWanted.value,
    ...bounds,
    ...(context.mayRead && { mayRead: context.mayRead }),
  });
}
