/**
 * The folder `copies` of a history holds second names (hard links) of every file the tree put in the visible place,
 * made before it was put there. So the tree knows its own copies from what others wrote, whatever order its
 * processes run in:
 * - `pending.<version>.<sha256>.<id>`: a copy on its way; after the rename, one not yet known to be safe there;
 * - `copy.<version>.<sha256>.<id>`: a copy that was in the visible place, also after power loss;
 * - `temporary.<id>`: a file being written, or the pending copy with that id before its rename;
 * - `guard.<version>.<id>`: what was visible just before a copy replaced it, until it has been looked at again;
 * - `taken.<version>.<id>`: what a removal moved out of the visible place, until it has been looked at again;
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
  readonly by: "guard" | "taken";
  /** The version it was last seen to be a copy of. */
  readonly version: number;
}

const replacedName = /^(guard|taken)\.(\d{1,15})\./;

export function parseReplacedName(name: string): ReplacedName | null {
  const [, by, version] = replacedName.exec(name) ?? [];
  return by === undefined ? null : { name, by: by === "guard" ? "guard" : "taken", version: Number(version) };
}

export function toReplacedName(by: ReplacedName["by"], version: number, id: string): string {
  return `${by}.${version}.${id}`;
}

export function asideName(id: string): string {
  return `aside.${id}`;
}
