import type { TreeVersion } from "../../spec/index.ts";
import type { SettledFile } from "./settled-file.ts";
import type { ReplacedFile, SeenCopy, TreeObservation } from "./tree-observation.ts";

/** What brings a file of a tree nearer to rest: every stranger's change a version, the newest version visible. */
export type TreeStep =
  /** Nothing is to be done, or nothing can be. */
  | { readonly step: "rest" }
  /** A stranger's text becomes the next version. */
  | { readonly step: "adopt"; readonly file: SettledFile }
  /** So does a stranger's text that the tree replaced or moved away before it saw it. */
  | { readonly step: "adopt-replaced"; readonly replaced: ReplacedFile }
  /** A stranger removed the visible file: that becomes the next version. */
  | { readonly step: "adopt-removal" }
  /** The visible file has the newest text and gets a second name that says so. */
  | { readonly step: "record"; readonly version: TreeVersion }
  /** The newest version is copied to the visible place. */
  | { readonly step: "publish"; readonly version: TreeVersion }
  /** The newest version is a removal: the visible file goes. */
  | { readonly step: "take" }
  /** What was replaced or moved away is known to be in the history. */
  | { readonly step: "drop"; readonly names: readonly string[] }
  /** The newest copy has arrived. */
  | { readonly step: "confirm"; readonly copy: SeenCopy }
  /** Second names that no longer mean anything go. */
  | { readonly step: "sweep"; readonly names: readonly string[] };

/** Stale second names that cannot do harm are swept together, once there are more than this. */
export const maxHarmlessCopies = 8;

/** Steps that forget or adopt something wait for a snapshot: two equal observations in a row. */
export function needsSnapshot({ step }: TreeStep): boolean {
  return needsAdopting(step) || step === "sweep";
}

function needsAdopting(step: TreeStep["step"]): boolean {
  return step === "adopt" || step === "adopt-replaced" || step === "adopt-removal";
}

/**
 * Steps without which no version may be put on top: else a stranger's change could no longer be told from an old
 * copy of the tree, or an old copy from a stranger's change.
 */
export function isOwedBeforeWriting({ step }: TreeStep, seen: TreeObservation): boolean {
  if (step === "rest") return false;
  const { replaced, visible } = seen;
  return (
    needsAdopting(step) ||
    step === "record" ||
    replaced.some(({ file }) => file && file.identity !== visible?.identity && !isOwnCopy(file, seen))
  );
}

export function decideTreeStep(seen: TreeObservation): TreeStep {
  const { visible, replaced } = seen;
  const stranger = replaced.find((one) => !isSettled(one, seen));
  if (stranger !== undefined) return { step: "adopt-replaced", replaced: stranger };
  return visible === null ? decideAbsent(seen) : decidePresent(seen, visible);
}

function decidePresent(seen: TreeObservation, visible: SettledFile): TreeStep {
  const { newest, header } = seen;
  const own = seen.copies.filter((copy) => isCopyOf(copy, visible, newest));
  const hasNewestText = isNewestText(visible, header);
  if (own.length === 0 && !hasNewestText) return { step: "adopt", file: visible };
  if (header?.removed) return { step: "take" };
  const current = own.filter(
    ({ version, sha256 }) => version === newest && (header === null || sha256 === header.sha256),
  );
  if (current.length === 0) {
    if (header === null) return { step: "rest" };
    return { step: hasNewestText ? "record" : "publish", version: header };
  }
  const [first] = current;
  if (first !== undefined && current.every((copy) => copy.isPending)) return { step: "confirm", copy: first };
  return decideTidying(seen, current);
}

function decideAbsent(seen: TreeObservation): TreeStep {
  const { newest, header, copies, replaced, blocked } = seen;
  if (newest === 0 || header?.removed === true) return decideTidying(seen, []);
  const wasThere = copies.some((copy) => copy.version === newest && !copy.isPending);
  const wasTaken = replaced.some(({ by }) => by === "taken");
  if (wasThere && !wasTaken) return { step: "adopt-removal" };
  return header === null || blocked !== null ? { step: "rest" } : { step: "publish", version: header };
}

/**
 * A copy that is neither visible nor on its way is never put into the visible place by the tree again. If it has
 * other names, a person may put it back: that is a change of theirs, so its second name must not wait to be swept.
 */
function decideTidying(
  { visible, copies, replaced }: TreeObservation,
  current: readonly SeenCopy[],
): TreeStep {
  const seenAgain = replaced.filter(({ file }) => file === null || file.identity !== visible?.identity);
  if (seenAgain.length > 0) return { step: "drop", names: seenAgain.map(({ name }) => name) };
  const stale = copies.filter((copy) => !copy.isComing && !current.includes(copy));
  const mustGo = stale.length > maxHarmlessCopies || stale.some((copy) => copy.links > 1);
  return mustGo ? { step: "sweep", names: stale.map(({ name }) => name) } : { step: "rest" };
}

/** What is visible is judged as such; anything else must be a text that the history has. */
function isSettled({ file }: ReplacedFile, seen: TreeObservation): boolean {
  if (file === null) return false;
  return file.identity === seen.visible?.identity || isNewestText(file, seen.header) || isOwnCopy(file, seen);
}

function isOwnCopy(file: SettledFile, { copies, newest }: TreeObservation): boolean {
  return copies.some((copy) => isCopyOf(copy, file, newest));
}

/** A copy of a version that the history has lost counts as a stranger's text: so it is adopted, not overwritten. */
function isCopyOf(copy: SeenCopy, file: SettledFile, newest: number): boolean {
  return copy.identity === file.identity && copy.sha256 === file.sha256 && copy.version <= newest;
}

function isNewestText(file: SettledFile, header: TreeVersion | null): boolean {
  return header !== null && !header.removed && header.sha256 === file.sha256;
}
