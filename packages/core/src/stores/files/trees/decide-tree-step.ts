import type { TreeVersion } from "../../../spec/index.ts";
import type { SettledFile } from "./settled-file.ts";
import { isCopyOf, type ReplacedFile, type SeenCopy, type TreeObservation } from "./tree-observation.ts";

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
  /** The newest copy has arrived, so second names of earlier ones may go. */
  | { readonly step: "confirm"; readonly copy: SeenCopy; readonly stale: readonly SeenCopy[] }
  /** Second names that no longer mean anything go. */
  | { readonly step: "sweep"; readonly stale: readonly SeenCopy[] };

/** Steps that adopt something wait for a snapshot: two equal observations in a row. */
export function needsSnapshot({ step }: TreeStep): boolean {
  return step === "adopt" || step === "adopt-replaced" || step === "adopt-removal";
}

/**
 * Steps without which no version may be put on top: else a stranger's change could no longer be told from an old
 * copy of the tree, or an old copy from a stranger's change.
 */
export function isOwedBeforeWriting(step: TreeStep): boolean {
  return needsSnapshot(step) || step.step === "record";
}

export function decideTreeStep(seen: TreeObservation): TreeStep {
  const { visible, replaced, header } = seen;
  // What has the newest text is recorded before anything is adopted: after that it could not be recognised.
  if (header && visible && isNewestText(visible, header) && ownCopies(seen).length === 0) {
    return { step: "record", version: header };
  }
  const stranger = replaced.find((one) => isElsewhere(one, seen) && !one.isInHistory);
  if (stranger !== undefined) return { step: "adopt-replaced", replaced: stranger };
  return visible === null ? decideAbsent(seen) : decidePresent(seen, visible);
}

function ownCopies({ visible, copies, newest }: TreeObservation): readonly SeenCopy[] {
  return visible === null ? [] : copies.filter((copy) => isCopyOf(copy, visible, newest));
}

function decidePresent(seen: TreeObservation, visible: SettledFile): TreeStep {
  const { newest, header } = seen;
  const own = ownCopies(seen);
  if (own.length === 0) return { step: "adopt", file: visible };
  if (header?.removed) return { step: "take" };
  const current = own.filter(
    ({ version, sha256 }) => version === newest && (header === null || sha256 === header.sha256),
  );
  if (current.length === 0) {
    if (header === null) return { step: "rest" };
    return { step: isNewestText(visible, header) ? "record" : "publish", version: header };
  }
  const [first] = current;
  if (first !== undefined && current.every((copy) => copy.isPending)) {
    return { step: "confirm", copy: first, stale: findStale(seen) };
  }
  return decideTidying(seen);
}

function decideAbsent(seen: TreeObservation): TreeStep {
  const { newest, header, copies, replaced, blocked } = seen;
  if (newest === 0 || header?.removed === true) return decideTidying(seen);
  const wasThere = copies.some((copy) => copy.version === newest && !copy.isPending);
  const wasTaken = replaced.some(({ was }) => was === "taken");
  if (wasThere && !wasTaken) return { step: "adopt-removal" };
  return header === null || blocked !== null ? { step: "rest" } : { step: "publish", version: header };
}

function decideTidying(seen: TreeObservation): TreeStep {
  const away = seen.replaced.filter((one) => isElsewhere(one, seen));
  if (away.length > 0) return { step: "drop", names: away.map(({ name }) => name) };
  const stale = findStale(seen);
  return stale.length === 0 ? { step: "rest" } : { step: "sweep", stale };
}

/**
 * A copy that is neither visible nor on its way is never put into the visible place by the tree again; if a person
 * puts it back, that is a change of theirs. Neither does a second name of the visible file mean anything once it has
 * one for a later version. What was replaced is needed until it has been looked at.
 */
function findStale(seen: TreeObservation): readonly SeenCopy[] {
  const { visible, newest, copies, replaced } = seen;
  const away = new Set(replaced.filter((one) => isElsewhere(one, seen)).map(({ file }) => file?.identity));
  return copies
    .filter(({ identity, version }) => identity !== visible?.identity || version < newest)
    .filter(({ identity, isComing }) => !isComing && !away.has(identity));
}

function isElsewhere({ file }: ReplacedFile, { visible }: TreeObservation): boolean {
  return file === null || file.identity !== visible?.identity;
}

function isNewestText(file: SettledFile, header: TreeVersion | null): boolean {
  return header !== null && !header.removed && header.sha256 === file.sha256;
}
