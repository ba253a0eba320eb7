import {
  type DataChange,
  type DirectoryNode,
  type FileNode,
  type NameChange,
  resizeBytes,
  type VirtualBytes,
  type VirtualNode,
  writeBytes,
} from "./virtual-node.ts";

export function applyData(bytes: VirtualBytes, change: DataChange): void {
  if (change.about === "truncate") resizeBytes(bytes, change.length);
  else if (change.about === "append") writeBytes(bytes, change.at, change.bytes);
}

/** The part of a change that is about one directory. */
export function applyNames(
  entries: Map<string, VirtualNode>,
  directory: DirectoryNode,
  change: NameChange,
): void {
  for (const step of change.steps) {
    if (step.directory !== directory) continue;
    if (step.node === undefined) entries.delete(step.name);
    else entries.set(step.name, step.node);
  }
}

/** What a file's sync promises: everything written so far survives, but for what an earlier failed sync left in doubt. */
export function makeDataDurable(file: FileNode): void {
  for (const change of file.pending) if (!change.doubtful) change.certain = true;
  for (const change of takeCertain(file.pending)) applyData(file.durable, change);
}

/** The promise of a directory's sync, for the names in it. */
export function makeNamesDurable(directory: DirectoryNode): void {
  for (const change of directory.pending) if (!change.doubtful) makeDurable(change);
  foldNames(directory);
}

/** After a failed sync nothing is known about what it should have made durable. */
export function markInDoubt(node: FileNode | DirectoryNode): void {
  for (const change of node.pending) if (!change.certain) change.doubtful = true;
}

export function makeDurable(change: NameChange): void {
  for (let next: NameChange | undefined = change; next !== undefined; next = next.needs) next.certain = true;
}

/** Moves what is certain at the beginning of the pending changes into the durable entries. */
export function foldNames(directory: DirectoryNode): void {
  for (const change of takeCertain(directory.pending)) applyNames(directory.durable, directory, change);
}

function takeCertain<C extends { readonly certain: boolean }>(pending: C[]): readonly C[] {
  const uncertain = pending.findIndex((change) => !change.certain);
  return pending.splice(0, uncertain < 0 ? pending.length : uncertain);
}
