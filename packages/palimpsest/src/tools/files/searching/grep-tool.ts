import { firstChars } from "@palimpsest/core/internal";
import { ok, type Result, type Tool, type ToolContext, type ToolOutcome } from "@palimpsest/core/spec";
import { withTimeLimit } from "../../../signals.ts";
import type { FileSystem } from "../disk/file-system.ts";
import type { FileLimits } from "../file-limits.ts";
import { toOutcome } from "../file-outcome.ts";
import { findTarget, pathSubjects, refuseKind } from "../paths/resolve-path.ts";
import { createPathView } from "../paths/show-path.ts";
import { createGlobFilter } from "../walking/glob-filter.ts";
import { findRepository } from "../walking/ignore-rules.ts";
import { builtInSearch } from "./built-in-search.ts";
import type { FoundFile, FoundLine, SearchGaps, SearchRequest, TakeFound } from "./found-file.ts";
import { type RipgrepOptions, ripgrepSearch } from "./ripgrep-search.ts";
import { readPattern } from "./search-pattern.ts";

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
  return withTimeLimit(maxMs, clock, async (late) => {
    const searched = await search(AbortSignal.any([signal, late]));
    if (searched.ok || !late.aborted || signal.aborted) return searched;
    const over = `The search was ended after ${maxMs / 1_000} s, before all was searched.`;
    return ok({ notes: [over, "Narrow it by path or glob, or make the pattern simpler."] });
  });
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

const grepDescription =
  "Searches the content of files with a regular expression: a file, or all files below a folder except those that .gitignore names, hidden ones and binary ones. The expression has no look-around and no references back to groups; \\d, \\w, \\s and \\b know Unicode; ^ and $ are the ends of a line. Results are sorted by path, and come in pages.";

function grepSchema(limits: FileLimits): Readonly<Record<string, unknown>> {
  const lines = { type: "integer", minimum: 0, maximum: 100 };
  return {
    type: "object",
    properties: {
      pattern: { type: "string", description: "The regular expression." },
      path: { type: "string", description: "A file or folder; absent: the working folder." },
      glob: {
        type: "string",
        description:
          "Only files whose path below the folder matches, such as src/**/*.ts; without a slash: whose name matches, such as *.{ts,tsx}.",
      },
      output_mode: {
        type: "string",
        enum: ["content", "files_with_matches", "count"],
        description:
          "content: the lines, as path:number:line (path-number-line for those around). files_with_matches (if absent): the paths. count: how many lines of each file match.",
      },
      case_insensitive: { type: "boolean" },
      multiline: {
        type: "boolean",
        description: "Search across lines: a dot matches line ends, and \\n may be named.",
      },
      before: { ...lines, description: "Lines to show before each match, with content." },
      after: { ...lines, description: "Lines to show behind each match, with content." },
      context: { ...lines, description: "Both of them." },
      head_limit: {
        type: "integer",
        minimum: 1,
        description: `How many lines or files at most; absent: ${limits.searchResults}.`,
      },
      offset: {
        type: "integer",
        minimum: 0,
        description: "How many results to pass over, for the next page.",
      },
    },
    required: ["pattern"],
    additionalProperties: false,
  };
}

type OutputMode = "content" | "files_with_matches" | "count";

interface ReportOptions {
  readonly mode: OutputMode;
  /** Results to pass over, and to give at most. */
  readonly offset: number;
  readonly limit: number;
  readonly maxChars: number;
  readonly maxLineChars: number;
  readonly showFile: (path: string) => string;
}

interface SearchReport {
  readonly take: TakeFound;
  /** The matches, for the model. */
  text(notes: readonly string[]): string;
}

/** Collects results until a page of them is full. */
function createSearchReport(options: ReportOptions): SearchReport {
  const { mode, offset, limit, maxChars } = options;
  const shown: string[] = [];
  let chars = 0;
  let seen = 0;
  let results = 0;
  let isMore = false;

  function add(result: string, gap: string | undefined): void {
    seen += 1;
    if (seen <= offset || isMore) return;
    const isOver = results > 0 && chars + result.length + 1 > maxChars;
    if (results >= limit || isOver) {
      isMore = true;
      return;
    }
    if (gap !== undefined && results > 0) shown.push(gap);
    shown.push(result);
    results += 1;
    chars += result.length + 1;
  }

  return {
    take(file) {
      const name = options.showFile(file.path);
      if (mode === "files_with_matches") add(name, undefined);
      else if (mode === "count") add(`${name}:${file.count}`, undefined);
      else addLines(file, name);
      return isMore ? "stop" : "go-on";
    },
    text(notes) {
      const all = [...pageNotes(), ...notes];
      const behind = all.length > 0 ? `\n[${all.join(" ")}]` : "";
      if (results > 0) return shown.join("\n") + behind;
      return (seen > 0 ? `No more results: there are ${seen}.` : "Nothing matches.") + behind;
    },
  };

  function addLines({ lines }: FoundFile, name: string): void {
    const hasContext = lines.some(({ isMatch }) => !isMatch);
    let before: FoundLine | undefined;
    for (const found of lines) {
      if (isMore) return;
      const isNewPart = before === undefined || found.line !== before.line + 1;
      const mark = found.isMatch ? ":" : "-";
      const text = cutFound(found, options.maxLineChars);
      add(`${name}${mark}${found.line}${mark}${text}`, hasContext && isNewPart ? "--" : undefined);
      before = found;
    }
  }

  function pageNotes(): readonly string[] {
    const first = offset + 1;
    if (!isMore)
      return offset > 0 && results > 0 ? [`Results ${first} to ${offset + results}, the last ones.`] : [];
    const next = offset + results;
    return [`Results ${first} to ${next}; there are more. Go on with offset ${next}, or narrow the search.`];
  }
}

/** A long line is shown around where the match begins. */
function cutFound({ text, column }: FoundLine, maxChars: number): string {
  if (text.length <= maxChars) return text.toWellFormed();
  const start =
    column > maxChars / 2 ? Math.min(column - Math.floor(maxChars / 4), text.length - maxChars) : 0;
  const part = firstChars(text.slice(start), maxChars);
  const end = start + part.length < text.length ? "…" : "";
  return `${start > 0 ? "…" : ""}${part}${end} [characters ${start + 1} to ${start + part.length} of ${text.length}]`.toWellFormed();
}
