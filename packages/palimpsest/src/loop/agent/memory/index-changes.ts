import { linkedPath, splitIndex } from "@palimpsest/core/internal";

/** What an index says: the line of each memory by its path, and the user's own lines. */
export interface IndexLines {
  readonly lines: ReadonlyMap<string, string>;
  readonly own: string;
}

export interface IndexChanges {
  /** Lines of memories that are new or say something else. */
  readonly changed: readonly { readonly path: string; readonly line: string }[];
  readonly gone: readonly string[];
  /** The user's own lines, where they are others now. */
  readonly own?: string;
}

/** Stands first in what tells of changes. */
const changesHead = "Memories have changed since the index above was written.";
const goneHead = "No longer there: ";
const ownHead = "The user's own lines of the index are now:";
/** So many are told at once; the others are told the next time. */
const maxTold = 50;

export function readIndex(text: string): IndexLines {
  const { own, generated } = splitIndex(text);
  const linked = generated.flatMap((line) => {
    const path = linkedPath(line);
    return path === null ? [] : [[path, line] as const];
  });
  return { lines: new Map(linked), own: own.join("\n") };
}

/** What the model knows of the index by what was attached of it, oldest first, each as it was rendered. */
export function readTold(texts: readonly string[]): IndexLines {
  let told: IndexLines = { lines: new Map(), own: "" };
  for (const text of texts) {
    const inside = text.split("\n").slice(1, -1);
    told = inside[0] === changesHead ? applyChanges(told, inside.slice(1)) : readIndex(inside.join("\n"));
  }
  return told;
}

function applyChanges({ lines, own }: IndexLines, told: readonly string[]): IndexLines {
  const next = new Map(lines);
  const ownAt = told.indexOf(ownHead);
  for (const line of ownAt === -1 ? told : told.slice(0, ownAt)) {
    const path = linkedPath(line);
    if (path !== null) next.set(path, line);
    else if (line.startsWith(goneHead))
      for (const gone of line.slice(goneHead.length).split(", ")) next.delete(gone);
  }
  return { lines: next, own: ownAt === -1 ? own : told.slice(ownAt + 1).join("\n") };
}

/** What is to be told; `isKnown`: memories that were there when the index was told, though it had no room for them. */
export function findChanges(
  told: IndexLines,
  now: IndexLines,
  isKnown: (path: string) => boolean,
): IndexChanges | null {
  const changed = [...now.lines]
    .filter(([path, line]) => told.lines.get(path) !== line && (told.lines.has(path) || !isKnown(path)))
    .map(([path, line]) => ({ path, line }))
    .slice(0, maxTold);
  const gone = [...told.lines.keys()].filter((path) => !now.lines.has(path)).slice(0, maxTold);
  const own = told.own.trim() === now.own.trim() ? {} : { own: now.own };
  return changed.length + gone.length === 0 && own.own === undefined ? null : { changed, gone, ...own };
}

export function changesText({ changed, gone, own }: IndexChanges): string {
  return [
    changesHead,
    ...changed.map(({ line }) => line),
    ...(gone.length === 0 ? [] : [`${goneHead}${gone.join(", ")}`]),
    ...(own === undefined ? [] : [ownHead, own]),
  ].join("\n");
}
