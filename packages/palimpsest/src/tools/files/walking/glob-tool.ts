import { relative, sep } from "node:path";
import { fail, ok, type Result, type Tool, type ToolContext, type ToolOutcome } from "@palimpsest/core/spec";
import type { FileSystem } from "../disk/file-system.ts";
import type { FileLimits } from "../file-limits.ts";
import { checkRunning, toOutcome } from "../file-outcome.ts";
import { findTarget } from "../paths/resolve-path.ts";
import { createPathView, showPath } from "../paths/show-path.ts";
import { createGlobFilter } from "./glob-filter.ts";
import { leftOutNote, walkFolder } from "./walk-folder.ts";

export interface GlobOptions {
  readonly fileSystem: FileSystem;
  readonly limits: FileLimits;
}

interface GlobInput {
  readonly pattern: string;
  readonly path?: string;
  readonly include_ignored?: boolean;
  readonly head_limit?: number;
}

export function createGlobTool(options: GlobOptions): Tool {
  return {
    name: "Glob",
    description:
      "Finds files and links by their paths, newest first, such as **/*.ts, src/*/index.{js,ts} or /abs/folder/*.md. Leaves out what .gitignore names unless include_ignored is set, and hidden files unless the pattern names a dot. Links are not followed.",
    input_schema: {
      type: "object",
      properties: {
        pattern: {
          type: "string",
          description: "The glob, from the folder on; * does not cross a slash, ** does.",
        },
        path: { type: "string", description: "The folder to look in; absent: the working folder." },
        include_ignored: { type: "boolean", description: "Also what .gitignore names, and hidden files." },
        head_limit: {
          type: "integer",
          minimum: 1,
          description: `How many at most; absent: ${options.limits.searchResults}.`,
        },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    isReadOnly: true,
    subjectsOf(input) {
      const { pattern, path } = (input ?? {}) as Readonly<Record<string, unknown>>;
      const folder = typeof path === "string" ? path : undefined;
      const { root } = globRoot(typeof pattern === "string" ? pattern : "*", folder);
      return [{ kind: "path", value: root, access: "read" }];
    },
    run: async (input, context) => toOutcome(await glob(input as GlobInput, context, options)),
  };
}

async function glob(
  input: GlobInput,
  context: ToolContext,
  { fileSystem, limits }: GlobOptions,
): Promise<Result<ToolOutcome>> {
  const { root, glob: pattern } = globRoot(input.pattern, input.path);
  const checked = checkGlob(pattern);
  if (!checked.ok) return checked;
  const showsAll = input.include_ignored ?? false;
  const filter = await createGlobFilter(pattern, { matchesHidden: showsAll, matchesNames: false });
  if (!filter.ok) return filter;
  const folder = await findTarget(fileSystem, root, context);
  if (!folder.ok) return folder;
  const paths: string[] = [];
  const walked = await walkFolder(
    fileSystem,
    {
      root: folder.value,
      showsHidden: showsAll || /(?:^|\/|[{,])\./.test(pattern),
      obeysIgnoreFiles: !showsAll,
      maxNames: limits.visitedNames,
      signal: context.signal,
      ...(context.mayRead && { mayRead: context.mayRead }),
    },
    ({ path, kind }) => {
      if (kind !== "folder" && filter.value(relative(folder.value, path).split(sep).join("/")))
        paths.push(path);
      return ok("go-on");
    },
  );
  if (!walked.ok) return walked;
  if (walked.value.isCut) {
    return fail("too-large", `There are more than ${limits.visitedNames} files and folders in it.`, {
      fix: "Look in a folder further down.",
    });
  }
  const sorted = await newestFirst(fileSystem, paths, context.signal);
  if (!sorted.ok) return sorted;
  const limit = input.head_limit ?? limits.searchResults;
  const view = await createPathView(fileSystem, context.cwd);
  return ok({
    content: listing(sorted.value, view, { limit, maxChars: limits.searchChars, ...walked.value }),
  });
}

function listing(
  paths: readonly string[],
  view: (path: string) => string,
  {
    limit,
    maxChars,
    unreadable,
    leftOut,
  }: {
    readonly limit: number;
    readonly maxChars: number;
    readonly unreadable: number;
    readonly leftOut: number;
  },
): string {
  let chars = 0;
  const shown: string[] = [];
  for (const path of paths.slice(0, limit)) {
    const line = view(path);
    chars += line.length + 1;
    if (chars > maxChars && shown.length > 0) break;
    shown.push(line);
  }
  const notes = [
    ...(shown.length < paths.length
      ? [`The newest ${shown.length} of ${paths.length}: use a narrower pattern or folder to see the others.`]
      : []),
    ...(unreadable > 0 ? [`${unreadable} folders could not be read.`] : []),
    ...leftOutNote(leftOut),
  ];
  const text = shown.length > 0 ? shown.join("\n") : "No file matches.";
  return notes.length > 0 ? `${text}\n[${notes.join(" ")}]` : text;
}

interface GlobRoot {
  /** The folder to look in, as written. */
  readonly root: string;
  readonly glob: string;
}

/** Where a glob begins: an absolute one brings its own folder along, which is then what permission is asked for. */
export function globRoot(pattern: string, path: string | undefined): GlobRoot {
  if (!pattern.startsWith("/")) return { root: path ?? ".", glob: pattern.replace(/^(?:\.\/)+/, "") };
  const names = pattern.split("/").slice(1);
  const magic = names.findIndex((name) => /[*?[\]{}()!\\]/.test(name));
  const fixed = magic === -1 ? names.length - 1 : magic;
  return { root: `/${names.slice(0, fixed).join("/")}`, glob: names.slice(fixed).join("/") };
}

/** A glob never leads upwards: what it would reach was not asked for. */
function checkGlob(glob: string): Result<void> {
  if (!glob.split("/").includes("..")) return ok();
  return fail("invalid-input", `The glob ${showPath(glob)} leads upwards.`, {
    fix: "Give the folder as path.",
  });
}

const atOnce = 64;

/** By the time of the last change, then by path; what is gone meanwhile is left out. */
async function newestFirst(
  fileSystem: FileSystem,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Result<readonly string[]>> {
  const dated: { readonly path: string; readonly modifiedMs: number }[] = [];
  for (let from = 0; from < paths.length; from += atOnce) {
    const running = checkRunning(signal);
    if (!running.ok) return running;
    const batch = paths.slice(from, from + atOnce);
    const facts = await Promise.all(batch.map((path) => fileSystem.stat(path)));
    facts.forEach((fact, at) => {
      if (fact.ok) dated.push({ path: batch[at] as string, modifiedMs: fact.value.modifiedMs });
    });
  }
  dated.sort((one, other) => other.modifiedMs - one.modifiedMs || (one.path < other.path ? -1 : 1));
  return ok(dated.map(({ path }) => path));
}
