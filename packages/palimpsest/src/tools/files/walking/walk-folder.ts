import { join } from "node:path";
import { ok, type Result } from "@palimpsest/core/spec";
import type { FileSystem, FolderEntry } from "../disk/file-system.ts";
import { checkRunning } from "../file-outcome.ts";
import { emptyRules, type IgnoreRules, ownRules, rulesAbove } from "./ignore-rules.ts";

export interface WalkOptions {
  /** A real path. */
  readonly root: string;
  /** Names that begin with a dot. `.git` is never looked into. */
  readonly showsHidden: boolean;
  readonly obeysIgnoreFiles: boolean;
  readonly maxNames: number;
  /** Whether rules let a real path be read; what they do not is left out, with all below it. Absent: everything. */
  readonly mayRead?: (path: string) => boolean;
  readonly signal: AbortSignal;
}

export interface WalkedEntry extends FolderEntry {
  /** Absolute. */
  readonly path: string;
}

export interface WalkEnd {
  /** There were more names than allowed. */
  readonly isCut: boolean;
  /** Folders that could not be listed. */
  readonly unreadable: number;
  /** Files, folders and links that rules have left out. */
  readonly leftOut: number;
}

type WalkStep = "go-on" | "stop";
type TakeEntry = (entry: WalkedEntry) => Result<WalkStep> | Promise<Result<WalkStep>>;

interface OpenFolder {
  readonly path: string;
  readonly entries: readonly FolderEntry[];
  readonly rules: IgnoreRules;
  next: number;
}

/**
 * Visits everything below a folder, names in the order of their bytes, a folder before what is in it. Links are visited
 * and never followed, so the walk stays below its root and ends.
 */
export async function walkFolder(
  fileSystem: FileSystem,
  options: WalkOptions,
  take: TakeEntry,
): Promise<Result<WalkEnd>> {
  const { root, signal, maxNames, obeysIgnoreFiles } = options;
  const above = obeysIgnoreFiles ? await rulesAbove(fileSystem, root) : await emptyRules();
  const first = await openFolder(fileSystem, root, above, options);
  if (!first.ok) return first;
  const stack: OpenFolder[] = [first.value];
  let unreadable = 0;
  let leftOut = 0;
  let names = 0;
  for (let folder = stack.at(-1); folder !== undefined; folder = stack.at(-1)) {
    const running = checkRunning(signal);
    if (!running.ok) return running;
    const entry = folder.entries[folder.next];
    folder.next += 1;
    if (entry === undefined) {
      stack.pop();
      continue;
    }
    const path = join(folder.path, entry.name);
    if (!isShown(path, entry, folder.rules, options)) continue;
    names += 1;
    if (names > maxNames) return ok({ isCut: true, unreadable, leftOut });
    if (!(await isOpen(fileSystem, path, entry, options))) {
      leftOut += 1;
      continue;
    }
    const taken = await take({ ...entry, path });
    if (!taken.ok) return taken;
    if (taken.value === "stop") return ok({ isCut: false, unreadable, leftOut });
    if (entry.kind !== "folder") continue;
    const inner = await openFolder(fileSystem, path, folder.rules, options);
    if (inner.ok) stack.push(inner.value);
    else unreadable += 1;
  }
  return ok({ isCut: false, unreadable, leftOut });
}

/** A link is judged by where it leads, too. */
async function isOpen(
  fileSystem: FileSystem,
  path: string,
  { kind }: FolderEntry,
  { mayRead }: WalkOptions,
): Promise<boolean> {
  if (mayRead === undefined) return true;
  if (kind !== "link" || !mayRead(path)) return mayRead(path);
  const real = await fileSystem.realPath(path);
  return !real.ok || mayRead(real.value);
}

/** The note in a listing about things that rules have left out. */
export function leftOutNote(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    `${count} files or folders were left out: permission rules deny reading them, or ask first (name one itself, to be asked).`,
  ];
}

async function openFolder(
  fileSystem: FileSystem,
  path: string,
  above: IgnoreRules,
  { obeysIgnoreFiles }: WalkOptions,
): Promise<Result<OpenFolder>> {
  const listed = await fileSystem.list(path);
  if (!listed.ok) return listed;
  const has = (name: string) => listed.value.some((entry) => entry.name === name);
  const outer = has(".git") ? await emptyRules() : above;
  const own = obeysIgnoreFiles && has(".gitignore") ? await ownRules(fileSystem, path) : undefined;
  return ok({ path, entries: listed.value, rules: outer.inside(path, own), next: 0 });
}

function isShown(
  path: string,
  { name, kind }: FolderEntry,
  rules: IgnoreRules,
  options: WalkOptions,
): boolean {
  if (name === ".git") return false;
  const judged = options.obeysIgnoreFiles ? rules.judge(path, kind === "folder") : undefined;
  if (judged === "ignored") return false;
  return judged === "included" || options.showsHidden || !name.startsWith(".");
}
