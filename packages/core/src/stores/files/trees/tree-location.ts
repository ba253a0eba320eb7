import {
  type Clock,
  type Disk,
  type Ids,
  ok,
  type PalimpsestError,
  type Result,
} from "../../../spec/index.ts";
import { historyFolderName, toHistoryName } from "../../shared/trees/tree-path.ts";
import { checkConfined, type DurableFolders, folderOf } from "../disk/whole-file.ts";
import type { TreeHistory } from "./tree-history.ts";

/** Where one file of a tree lives: the copy people see, its versions, and the tree's second names for its copies. */
export interface TreeLocation {
  readonly path: string;
  readonly visible: string;
  readonly visibleFolder: string;
  readonly history: string;
  readonly copies: string;
  version(number: number): string;
}

export function toTreeLocation(folder: string, path: string): TreeLocation {
  const visible = `${folder}/${path}`;
  const history = `${folder}/${historyFolderName}/${toHistoryName(path)}`;
  return {
    path,
    visible,
    visibleFolder: folderOf(visible),
    history,
    copies: `${history}/copies`,
    version: (number) => `${history}/${number}`,
  };
}

/**
 * No folder of a place below the tree's own may be a symbolic link. Gives what stands in the way of a visible file,
 * if something does: a file where a folder of its path should be.
 */
export async function checkLocation(
  disk: Disk,
  folder: string,
  location: TreeLocation,
): Promise<Result<PalimpsestError | null>> {
  const kept = [historyFolderName, toHistoryName(location.path), "copies"];
  const history = await checkConfined(disk, folder, kept);
  if (!history.ok) return history;
  const parents = await checkConfined(disk, folder, location.path.split("/").slice(0, -1));
  if (parents.ok) return ok(null);
  return parents.error.code === "not-directory" ? ok(parents.error) : parents;
}

/**
 * The folder `copies` of a history holds second names (hard links) of every file the tree put in the visible place,
 * made before it was put there. So the tree knows its own copies from what others wrote, whatever order its
 * processes run in:
 * - `pending.<version>.<sha256>.<id>`: a copy on its way; after the rename, one not yet known to be safe there;
 * - `copy.<version>.<sha256>.<id>`: a copy that was in the visible place, also after power loss;
 * - `temporary.<id>`: a file being written, or the pending copy with that id before its rename;
 * - `edited.<id>`: a copy that someone edited before the tree replaced it, until the text is in the history;
 * - `taken.<id>`: what a removal moved out of the visible place, until it has been looked at again;
 * - `aside.<id>`: something moved away that is no text of ours and could not be adopted; kept for a person.
 */
export interface CopyName {
  readonly name: string;
  readonly isPending: boolean;
  readonly version: number;
  readonly sha256: string;
  readonly id: string;
}

const copyName = /^(pending|copy)\.([1-9]\d{0,14})\.([0-9a-f]{64})\.(.+)$/;

export function parseCopyName(name: string): CopyName | null {
  const [, state, version, sha256, id] = copyName.exec(name) ?? [];
  if (version === undefined || sha256 === undefined || id === undefined) return null;
  return { name, isPending: state === "pending", version: Number(version), sha256, id };
}

export function pendingName(version: number, sha256: string, id: string): string {
  return `pending.${version}.${sha256}.${id}`;
}

export function confirmedName(version: number, sha256: string, id: string): string {
  return `copy.${version}.${sha256}.${id}`;
}

export function temporaryName(id: string): string {
  return `temporary.${id}`;
}

export function isTemporaryName(name: string): boolean {
  return name.startsWith("temporary.");
}

export interface ReplacedName {
  readonly name: string;
  readonly was: "edited" | "taken";
}

export function parseReplacedName(name: string): ReplacedName | null {
  if (name.startsWith("edited.")) return { name, was: "edited" };
  return name.startsWith("taken.") ? { name, was: "taken" } : null;
}

export function toReplacedName(was: ReplacedName["was"], id: string): string {
  return `${was}.${id}`;
}

export function asideName(id: string): string {
  return `aside.${id}`;
}

/** The common needs of everything that works on one tree. */
export interface TreeSurroundings {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly durable: boolean;
  readonly folder: string;
  readonly folders: DurableFolders;
  readonly history: TreeHistory;
  /** Problems that stopped nothing: a visible file that could not be brought up to date, a file left out. */
  readonly onProblem: (problem: PalimpsestError) => void;
}
