import { isRecord } from "../../json/json-values.ts";
import { blameLines, unifiedDiff, type VersionText } from "../../memory/unified-diff.ts";
import {
  type BlamedLine,
  type FileTree,
  fail,
  type LearnedStore,
  type MemoryDiff,
  ok,
  type Result,
  type TreeVersion,
} from "../../spec/index.ts";

/** Whoever changed a file by hand is the user. */
export function toMemoryVersion(version: TreeVersion): TreeVersion {
  return version.author === "outside" ? { ...version, author: "user" } : version;
}

/** Every version, oldest first; of all files that are or were there without a path. */
export async function readHistory(tree: FileTree, path?: string): Promise<Result<readonly TreeVersion[]>> {
  if (path !== undefined) return historyOf(tree, path);
  const listed = await tree.list({ removed: true });
  if (!listed.ok) return listed;
  const all: TreeVersion[] = [];
  for (const one of listed.value) {
    const history = await tree.history(one.path);
    if (!history.ok) return history;
    all.push(...history.value.map(toMemoryVersion));
  }
  return ok(all.sort((a, b) => compare(a.at, b.at) || compare(a.path, b.path) || a.version - b.version));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `not-found` for a path that never was. */
export async function historyOf(tree: FileTree, path: string): Promise<Result<readonly TreeVersion[]>> {
  const history = await tree.history(path);
  if (!history.ok) return history;
  return history.value.length > 0
    ? ok(history.value.map(toMemoryVersion))
    : fail("not-found", `${path} does not exist and never did.`, {
        path,
        fix: "“palimpsest memory list” shows what there is.",
      });
}

/** The text of a version; none for a removal and for version 0. */
export async function textOfVersion(
  tree: FileTree,
  version: Pick<TreeVersion, "path" | "version" | "removed">,
): Promise<Result<string>> {
  if (version.version === 0 || version.removed) return ok("");
  const read = await tree.read(version.path, version.version);
  return read.ok ? ok(read.value.text) : read;
}

export async function diffVersions(
  tree: FileTree,
  path: string,
  range: { readonly from?: number; readonly to?: number },
): Promise<Result<MemoryDiff>> {
  const history = await historyOf(tree, path);
  if (!history.ok) return history;
  const newest = history.value.at(-1)?.version ?? 0;
  const to = range.to ?? newest;
  const from = range.from ?? previousOf(history.value, to);
  const texts: string[] = [];
  for (const version of [from, to]) {
    const known = history.value.find((one) => one.version === version);
    if (known === undefined && version !== 0) return refuseVersion(path, version, newest);
    const text = await textOfVersion(tree, known ?? { path, version });
    if (!text.ok) return text;
    texts.push(text.value);
  }
  const [before = "", after = ""] = texts;
  const diff = unifiedDiff(before, after, {
    before: `${path} version ${from}`,
    after: `${path} version ${to}`,
  });
  return ok({ path, from, to, ...diff });
}

function previousOf(history: readonly TreeVersion[], version: number): number {
  return history.findLast((one) => one.version < version)?.version ?? 0;
}

export function refuseVersion(path: string, version: number, newest: number): Result<never> {
  return fail("not-found", `${path} has no version ${version}.`, {
    path,
    fix: `Versions go up to ${newest}; “palimpsest memory log ${path}” lists them.`,
    facts: { version, newest },
  });
}

/** Versions that are damaged are passed over: their lines count as brought by the next one. */
export async function blameFile(tree: FileTree, path: string): Promise<Result<readonly BlamedLine[]>> {
  const history = await historyOf(tree, path);
  if (!history.ok) return history;
  const texts: VersionText[] = [];
  for (const version of history.value) {
    const text = await textOfVersion(tree, version);
    if (text.ok) texts.push({ version, text: text.value });
    else if (text.error.code !== "corrupt") return text;
  }
  return ok(blameLines(texts));
}

/** Under which name it is kept, for all projects together. */
const usesName = "memory-uses";

type Counts = ReadonlyMap<string, number>;

/** How often memories were of use. Losing a count costs accuracy and nothing else. */
export interface MemoryUses {
  add(path: string): void;
  /** Sums stored, and sums added since. */
  counts(): Promise<Counts>;
  /** Stores what was added. */
  settle(): Promise<void>;
}

export function createMemoryUses(store: LearnedStore | undefined, project: string): MemoryUses {
  let added = new Map<string, number>();

  return {
    add(path) {
      added.set(path, (added.get(path) ?? 0) + 1);
    },
    async counts() {
      const stored = await store?.read(usesName);
      return sum(readProject(stored?.ok ? stored.value : undefined, project), added);
    },
    async settle() {
      if (store === undefined || added.size === 0) return;
      const own = added;
      added = new Map();
      const stored = await store.read(usesName);
      const value = stored.ok ? stored.value : undefined;
      const counts = sum(readProject(value, project), own);
      const projects = { ...projectsOf(value), [project]: Object.fromEntries(counts) };
      await store.write(usesName, { version: 1, projects });
    },
  };
}

function sum(counts: Counts, more: Counts): Counts {
  const total = new Map(counts);
  for (const [path, count] of more) total.set(path, (total.get(path) ?? 0) + count);
  return total;
}

/** Anything may stand in the file: what is no count is passed over. */
function readProject(value: unknown, project: string): Counts {
  const projects = projectsOf(value);
  const counts = Object.hasOwn(projects, project) ? projects[project] : undefined;
  return new Map(
    Object.entries(isRecord(counts) ? counts : {}).filter(
      (pair): pair is [string, number] => Number.isSafeInteger(pair[1]) && Number(pair[1]) > 0,
    ),
  );
}

function projectsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) && isRecord(value.projects) ? value.projects : {};
}
