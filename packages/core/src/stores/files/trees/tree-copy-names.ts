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
