import { cutIndex } from "../../memory/build-index.ts";
import {
  fromQuarantinePath,
  indexPath,
  memoryPathKind,
  toQuarantinePath,
} from "../../memory/check-memory.ts";
import { parseMemory } from "../../memory/parse-memory.ts";
import { type ScannedText, scanMemories } from "../../memory/scan-memories.ts";
import {
  fail,
  type MemoryDocument,
  type MemoryFile,
  type MemoryFolder,
  type MemoryWriteOptions,
  type MemoryWritten,
  ok,
  type Result,
  type TreeFile,
  type TreeVersion,
} from "../../spec/index.ts";
import { defaultSearchLimit } from "./defer-memory-folder.ts";
import { examineMemories, surveyWithIndex } from "./examine-memories.ts";
import { importMemories } from "./import-memories.ts";
import { createIndexKeeper, type IndexKeeper } from "./index-keeper.ts";
import { blameFile, diffVersions, readHistory, toMemoryVersion } from "./memory-history.ts";
import { type MemorySurroundings, withPresent } from "./memory-surroundings.ts";
import { revertMemories } from "./revert-memories.ts";
import { currentMemory, draftMemory, versionWords, writeMemory } from "./write-memory.ts";

/** The memories of one folder, for programs and for the command line. Searches by reading all of them. */
export function createMemoryFolder(around: MemorySurroundings): MemoryFolder {
  const { tree, uses } = around;
  const keeper = createIndexKeeper(around);

  return {
    async list({ quarantine = false } = {}) {
      const survey = orThrow(await around.survey());
      return quarantine ? survey.quarantined : survey.memories;
    },
    survey: async () => orThrow(await surveyWithIndex(around)),
    read: async (path, version) => orThrow(await readFile(around, path, version)),
    async write(path, text, options = {}) {
      return orThrow(await writeMemory(around, keeper, path, text, options));
    },
    writeOwnLines: async (text, { expect } = {}) => orThrow(await keeper.writeOwn(text, expect)),
    remove: async (path, options = {}) => orThrow(await removeMemory(around, keeper, path, options)),
    history: async (path) => orThrow(await readHistory(tree, path)),
    diff: async (path, range = {}) => orThrow(await diffVersions(tree, path, range)),
    blame: async (path) => orThrow(await blameFile(tree, path)),
    revert: async (target) => orThrow(await revertMemories(around, keeper, target)),
    confirm: async (path) => orThrow(await confirmMemory(around, keeper, path)),
    reject: async (path) => orThrow(await rejectMemory(around, path)),
    async search(query, { limit = defaultSearchLimit, kinds } = {}) {
      if (kinds?.includes("memory") === false) return [];
      return scanMemories(orThrow(await textsToScan(around)), query, limit);
    },
    index: async () => orThrow(await keeper.build()),
    async loadIndex() {
      const index = orThrow(await keeper.build());
      const { memories } = orThrow(await around.survey());
      const counts = await uses.counts();
      const worth = new Map(memories.map(({ path, at }) => [path, { at, uses: counts.get(path) ?? 0 }]));
      return cutIndex(index, worth);
    },
    reindex: async () => orThrow(await keeper.rebuild({ author: "user", source: "reindex" })),
    use: (path) => uses.add(path),
    uses: () => uses.counts(),
    doctor: async () => orThrow(await examineMemories(around)),
    import: async (source, options = {}) => orThrow(await importMemories(around, keeper, source, options)),
    export: async () => orThrow(await exportMemories(around)),
    close: () => uses.settle(),
  };
}

function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw result.error;
  return result.value;
}

async function readFile(
  { tree }: MemorySurroundings,
  path: string,
  version?: number,
): Promise<Result<MemoryFile>> {
  const read = await tree.read(path, version);
  if (!read.ok) return read;
  const { text } = read.value;
  const kind = memoryPathKind(read.value.version.path);
  const memory = kind === "memory" || kind === "quarantined" ? parseMemory(text, read.value.version) : null;
  return ok({
    text,
    version: toMemoryVersion(read.value.version),
    ...(memory?.ok ? { memory: memory.value } : {}),
  });
}

async function removeMemory(
  { tree }: MemorySurroundings,
  keeper: IndexKeeper,
  path: string,
  options: MemoryWriteOptions,
): Promise<Result<TreeVersion>> {
  if (path === indexPath) {
    return fail("denied", `${indexPath} is generated and stays.`, { path, fix: "Remove memories instead." });
  }
  const before = await currentMemory(tree, path);
  if (!before.ok) return before;
  const words = versionWords(options);
  const { expect } = options;
  const removed = await tree.remove(path, expect === undefined ? words : { ...words, expect });
  if (!removed.ok) return withPresent(tree, path, removed.error);
  await keeper.follow(path, before.value, null, words);
  return removed;
}

/** Memories, and files that would be some but for their front matter; not what waits in quarantine. */
async function textsToScan({ texts, survey }: MemorySurroundings): Promise<Result<readonly ScannedText[]>> {
  if (texts !== undefined) {
    const read = await texts();
    if (!read.ok) return read;
    const memories = read.value.filter(({ path }) => memoryPathKind(path) === "memory");
    return ok(memories.map(({ path, text }) => toScanned(path, text)));
  }
  const surveyed = await survey();
  if (!surveyed.ok) return surveyed;
  const { memories, invalid } = surveyed.value;
  const isMemory = ({ path }: { readonly path: string }) => memoryPathKind(path) === "memory";
  return ok([...memories, ...invalid.filter(isMemory).map(({ path, text }) => ({ path, body: text }))]);
}

function toScanned(path: string, text: string): ScannedText {
  const parsed = parseMemory(text, { path, version: 0, at: "", author: "import" });
  return parsed.ok ? parsed.value : { path, body: text };
}

async function exportMemories({ tree, clock }: MemorySurroundings): Promise<Result<MemoryDocument>> {
  const listed = await tree.list();
  if (!listed.ok) return listed;
  const files: { path: string; text: string }[] = [];
  for (const { path, version } of listed.value) {
    const read = await tree.read(path, version);
    if (!read.ok && read.error.code !== "not-found") return read;
    if (read.ok) files.push({ path, text: read.value.text });
  }
  return ok({
    format: "palimpsest-memory",
    version: 1,
    exportedAt: new Date(clock.now()).toISOString(),
    files,
  });
}

type FolderSurroundings = Pick<MemorySurroundings, "tree" | "clock" | "mask">;

const words = { author: "user", source: "confirm" } as const;

/**
 * A person agrees to a memory: what waits in quarantine takes its place among the others, anything else is marked where
 * it stands. The memory is written before what waited is removed, so that a crash between them loses nothing.
 */
async function confirmMemory(
  around: FolderSurroundings,
  keeper: IndexKeeper,
  path: string,
): Promise<Result<MemoryWritten>> {
  const { tree } = around;
  const waiting = await find(around, path);
  if (!waiting.ok) return waiting;
  const from = waiting.value.version;
  const parsed = parseMemory(waiting.value.text, from);
  if (!parsed.ok) return parsed;
  const { author, session, entries, trust } = parsed.value;
  const target = fromQuarantinePath(from.path);
  const provenance = { author, session, entries, trust, isConfirmed: true };
  const draft = await draftMemory(around, target, waiting.value.text, provenance);
  if (!draft.ok) return draft;
  const before = await currentMemory(tree, target);
  if (!before.ok) return before;
  const memory = { ...draft.value.memory, author };
  const fits = await keeper.checkChange(target, before.value, memory);
  if (!fits.ok) return fits;
  const expect = target === from.path ? { expect: from.version } : {};
  const written = await tree.write(target, draft.value.text, { ...words, ...expect });
  if (!written.ok) return withPresent(tree, target, written.error);
  if (target !== from.path) {
    const removed = await tree.remove(from.path, { ...words, expect: from.version });
    if (!removed.ok && removed.error.code !== "not-found") return removed;
  }
  const after = { ...memory, version: written.value.version, at: written.value.at };
  await keeper.follow(target, before.value, after, words);
  return ok({ memory: after, version: written.value });
}

/** A person does not agree: it goes from quarantine. Its versions stay in the history. */
async function rejectMemory({ tree }: FolderSurroundings, path: string): Promise<Result<TreeVersion>> {
  const removed = await tree.remove(toQuarantinePath(path), { author: "user", source: "reject" });
  if (removed.ok || removed.error.code !== "not-found") return removed;
  return fail("not-found", `${fromQuarantinePath(path)} does not wait in quarantine.`, {
    path,
    fix: "“palimpsest memory list --quarantine” shows what does.",
  });
}

async function find({ tree }: FolderSurroundings, path: string): Promise<Result<TreeFile>> {
  const waiting = await tree.read(toQuarantinePath(path));
  if (waiting.ok || waiting.error.code !== "not-found" || memoryPathKind(path) !== "memory") return waiting;
  return tree.read(path);
}
