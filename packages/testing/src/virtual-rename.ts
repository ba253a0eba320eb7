import { ok, type Result } from "@palimpsest/core/spec";
import { changeNames, refuseChange } from "./virtual-names.ts";
import type { DirectoryNode, NameChange, VirtualNode, Volume } from "./virtual-node.ts";
import { absent, type Call, locate, type Place, refuse } from "./virtual-path.ts";

/**
 * Within one directory a rename survives power loss whole or not at all. Between directories a file's new name is
 * written before the old one goes, so power loss may leave both; a directory moves at once. Neither says anything
 * about the directory moved to: if its own name was never synced, it may go and take the moved thing with it.
 */
export function renameName(volume: Volume, call: Call, to: string): Result<void> {
  const from = locate(volume, call);
  if (!from.ok) return from;
  const target = locate(volume, { ...call, path: to });
  if (!target.ok) return target;
  const { node } = from.value;
  if (node === undefined) return absent(call);
  const refused =
    refuseChange(call, from.value) ??
    refuseChange({ ...call, path: to }, target.value) ??
    refuseReplacing(call, from.value, node, target.value);
  if (refused) return refused;
  if (target.value.node !== node) moveName(volume, from.value, target.value, node);
  return ok();
}

function refuseReplacing(call: Call, from: Place, node: VirtualNode, target: Place) {
  const replaced = target.node;
  if (node === replaced) return undefined;
  if (node.kind === "directory" && isInside(target.parent, node)) {
    return refuse(call, "io", "a directory cannot be moved into itself");
  }
  if (replaced === undefined) return undefined;
  if (replaced.kind === "directory") {
    if (isInside(from.parent, replaced)) return refuse(call, "io", `${target.path} contains it`);
    if (node.kind !== "directory") return refuse(call, "is-directory", `${target.path} is a directory`);
    if (replaced.entries.size > 0) return refuse(call, "io", `${target.path} is not empty`);
    return undefined;
  }
  return node.kind === "directory"
    ? refuse(call, "not-directory", `${target.path} is not a directory`)
    : undefined;
}

function isInside(directory: DirectoryNode, ancestor: DirectoryNode): boolean {
  if (directory === ancestor) return true;
  for (const child of ancestor.entries.values()) {
    if (child.kind === "directory" && isInside(directory, child)) return true;
  }
  return false;
}

function moveName(volume: Volume, from: Place, target: Place, node: VirtualNode): void {
  const gone = { directory: from.parent, name: from.name };
  const come = { directory: target.parent, name: target.name, node };
  const rename = {
    about: "rename",
    path: from.path,
    to: target.path,
    needs: cameBy(from.parent, from.name),
  } as const;
  if (from.parent === target.parent || node.kind === "directory") {
    changeNames(volume, { ...rename, steps: [gone, come] });
  } else {
    const arrival = changeNames(volume, { ...rename, steps: [come] });
    changeNames(volume, { about: "remove", path: from.path, steps: [gone], needs: arrival });
  }
}

/** The change, if it may still be lost, that gave a name its present meaning. */
function cameBy(directory: DirectoryNode, name: string): NameChange | undefined {
  return directory.pending.findLast((change) =>
    change.steps.some(
      (step) => step.directory === directory && step.name === name && step.node !== undefined,
    ),
  );
}
