import { createSeededRandom } from "./seeded-random.ts";
import { applyData, applyNames } from "./virtual-durability.ts";
import {
  copyBytes,
  createVirtualBytes,
  type DataChange,
  type DirectoryNode,
  type FileNode,
  type NameChange,
  type VirtualBytes,
  type VirtualNode,
  type Volume,
} from "./virtual-node.ts";

/** Asked for each change that no sync made certain, newest first within a file or directory. */
export interface PowerLossInput {
  readonly about: DataChange["about"] | NameChange["about"];
  readonly path: string;
  /** The new name of a rename. */
  readonly to?: string;
  /**
   * 0 loses the change, `options - 1` keeps it. An append of n bytes has n + 2: at 1 the file grew and its new bytes
   * read as NUL, from 2 on the first `answer - 1` bytes survive.
   */
  readonly options: number;
}

/** Decides what power loss leaves. The answer is an integer in [0, options). */
export type PowerLossChoice = (input: PowerLossInput) => number;

/** Only what was made durable is left. */
export const loseUnsynced: PowerLossChoice = () => 0;

/** Everything reached the disk in time. */
export const keepUnsynced: PowerLossChoice = ({ options }) => options - 1;

/** A third of the changes is lost, a third kept, the rest anything. */
export function seededChoices(seed: number): PowerLossChoice {
  const random = createSeededRandom(seed);
  return ({ options }) => [0, options - 1, random.below(options)][random.below(3)] as number;
}

/** The volume as the next boot finds it. Changes that cannot be seen there are not asked about. */
export function losePower(volume: Volume, choose: PowerLossChoice): Volume {
  const fates = new Map<NameChange, boolean>();
  const survivors = new Map<VirtualNode, VirtualNode>();

  function keep(change: NameChange): void {
    for (let next: NameChange | undefined = change; next !== undefined; next = next.needs)
      fates.set(next, true);
  }

  function survives(change: NameChange): boolean {
    const known = fates.get(change);
    if (known !== undefined) return known;
    const impossible = change.needs !== undefined && fates.get(change.needs) === false;
    const { about, path, to } = change;
    const input = { about, path, ...(to === undefined ? {} : { to }), options: 2 };
    if (change.certain || (!impossible && choose(input) === 1)) keep(change);
    else fates.set(change, false);
    return fates.get(change) === true;
  }

  function survivingEntries(directory: DirectoryNode): Map<string, VirtualNode> {
    const settled = new Set<string>();
    const kept: NameChange[] = [];
    for (const change of directory.pending.toReversed()) {
      if (change.steps.every((step) => step.directory === directory && settled.has(step.name))) continue;
      if (!survives(change)) continue;
      for (const step of change.steps) if (step.directory === directory) settled.add(step.name);
      kept.push(change);
    }
    const entries = new Map(directory.durable);
    for (const change of kept.reverse()) applyNames(entries, directory, change);
    return entries;
  }

  function survivor(node: VirtualNode): VirtualNode {
    const known = survivors.get(node);
    if (known !== undefined) return known;
    const made = rebuild(node);
    survivors.set(node, made);
    return made;
  }

  function rebuild(node: VirtualNode): VirtualNode {
    if (node.kind === "link") return { ...node, links: 0 };
    if (node.kind === "file") {
      const bytes = survivingBytes(node, choose);
      const modifiedMs = survivingTime(node, choose);
      return {
        ...node,
        links: 0,
        bytes,
        modifiedMs,
        durable: createVirtualBytes(copyBytes(bytes)),
        pending: [],
      };
    }
    const entries = new Map<string, VirtualNode>();
    for (const [name, child] of survivingEntries(node)) {
      const there = survivor(child);
      there.links++;
      entries.set(name, there);
    }
    return { ...node, links: 0, entries, durable: new Map(entries), pending: [] };
  }

  return { ...volume, root: { ...(rebuild(volume.root) as DirectoryNode), links: 1 } };
}

/** A time that was set and not synced may be the one before it. */
function survivingTime({ pending, modifiedMs }: FileNode, choose: PowerLossChoice): number {
  for (const { about, path, certain, before } of pending.filter(isTimes).toReversed()) {
    if (certain || choose({ about, path, options: 2 }) === 1) break;
    modifiedMs = before;
  }
  return modifiedMs;
}

function isTimes(change: DataChange): change is Extract<DataChange, { readonly about: "times" }> {
  return change.about === "times";
}

function survivingBytes(file: FileNode, choose: PowerLossChoice): VirtualBytes {
  const kept: DataChange[] = [];
  let cutTo = Number.POSITIVE_INFINITY;
  for (const change of file.pending.toReversed()) {
    const survived = survivingData(change, cutTo, choose);
    if (survived === undefined) continue;
    if (survived.about === "truncate") cutTo = Math.min(cutTo, survived.length);
    kept.push(survived);
  }
  const bytes = createVirtualBytes(copyBytes(file.durable));
  for (const change of kept.reverse()) applyData(bytes, change);
  return bytes;
}

/** The rest of one change, given that a later truncate hides everything from `cutTo` on. */
function survivingData(change: DataChange, cutTo: number, choose: PowerLossChoice): DataChange | undefined {
  if (change.certain) return change;
  const { about, path } = change;
  if (about === "times") return undefined;
  if (about === "truncate") return choose({ about, path, options: 2 }) === 1 ? change : undefined;
  const visible = Math.min(change.bytes.length, cutTo - change.at);
  if (visible <= 0) return undefined;
  const answer = choose({ about, path, options: visible + 2 });
  if (answer === 0) return undefined;
  if (answer === 1) return { ...change, bytes: new Uint8Array(visible) };
  return { ...change, bytes: change.bytes.subarray(0, answer - 1) };
}
