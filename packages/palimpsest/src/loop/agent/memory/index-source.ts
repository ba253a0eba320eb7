import {
  indexWords,
  linkedPath,
  recalledSubtype,
  renderMemoryIndex,
  splitIndex,
  untainted,
} from "@palimpsest/core/internal";
import {
  type Memory,
  type MemoryEvidence,
  type MemoryFolder,
  type MemoryWriteOptions,
  type MemoryWritten,
  type Notice,
  type NoticeSource,
  ok,
  PalimpsestError,
  type Result,
} from "@palimpsest/core/spec";

interface IndexSourceOptions {
  readonly folder: Pick<MemoryFolder, "index" | "loadIndex" | "list">;
  /** Earlier memory notices in the model's view, the oldest first. */
  readonly told: () => readonly string[];
}

const isIndexText = (text: string) => text.startsWith('<memory path="MEMORY.md" type="index"');

/**
 * Tells what is in memory: the index once, as data, within its limits. It then stands as it is for as long as it is in
 * view; what changes, by whomever, is told behind it at the beginning of a turn.
 */
export function createIndexSource({ folder, told }: IndexSourceOptions): NoticeSource {
  /** Memories that were there when the index was told; some may have had no room in it. */
  let known: ReadonlySet<string> = new Set();
  const notice = (text: string, trust: "trusted" | "untrusted"): readonly Notice[] => [
    { subtype: recalledSubtype, text: renderMemoryIndex(text, trust) },
  ];

  async function whole(): Promise<readonly Notice[]> {
    const { text } = await folder.loadIndex();
    if (indexWords(text) === "") return [];
    const memories = await folder.list();
    known = new Set(memories.map(({ path }) => path));
    return notice(text, trustOf(memories));
  }

  async function changes(texts: readonly string[]): Promise<readonly Notice[]> {
    const memories = await folder.list();
    if (known.size === 0) known = new Set(isCut(texts) ? memories.map(({ path }) => path) : []);
    const rendered = renderMemoryIndex(await folder.index(), "trusted");
    const now = readIndex(rendered.split("\n").slice(1, -1).join("\n"));
    const found = findChanges(readTold(texts), now, (path) => known.has(path));
    if (!found) return [];
    const changed = new Set(found.changed.map(({ path }) => path));
    return notice(changesText(found), trustOf(memories.filter(({ path }) => changed.has(path))));
  }

  return {
    name: "memory index",
    remembers: true,
    async take({ kind }) {
      if (kind === "tool-round") return [];
      const texts = told().filter(isIndexText);
      return texts.length === 0 ? whole() : changes(texts);
    },
    /** A compaction takes the index out of view: the one behind it has all changes in it. */
    restore: () => whole().catch(() => []),
  };
}

/** A resumed session does not know what had no room when its index was told. */
const isCut = (texts: readonly string[]) => texts.some((text) => text.includes("\n- (This index is over "));

function trustOf(memories: readonly Memory[]): "trusted" | "untrusted" {
  const isTrusted = ({ trust, isConfirmed }: Memory) => trust === "trusted" || isConfirmed === true;
  return memories.every(isTrusted) ? "trusted" : "untrusted";
}

/** The content of an index: the line of each memory by its path, and the user's own lines. */
interface IndexLines {
  readonly lines: ReadonlyMap<string, string>;
  readonly own: string;
}

interface IndexChanges {
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

/** The index as the model knows it from attachments, oldest first, each as it was rendered. */
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

/** A write of a model's. */
type JudgedWrite = MemoryWriteOptions & {
  readonly trust: "trusted" | "untrusted";
  readonly evidence: MemoryEvidence;
};

/**
 * Writes a memory, judged by what its writer had before its eyes and what the user has said. One that is trusted for
 * itself, as the user's own words are, is not worth less by what stands beside them.
 */
export async function writeJudged(
  folder: Pick<MemoryFolder, "write">,
  path: string,
  text: string,
  { evidence, ...options }: JudgedWrite,
): Promise<Result<MemoryWritten>> {
  const { trust } = options;
  const taint = trust === "trusted" ? untainted : { ...evidence.taint, trust };
  try {
    return ok(await folder.write(path, text, { ...options, evidence: { ...evidence, taint } }));
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) return { ok: false, error: cause };
    throw cause;
  }
}
