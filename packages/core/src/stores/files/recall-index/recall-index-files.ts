import { crc32 } from "node:zlib";
import {
  emptyContents,
  type KindSegment,
  openSegment,
  type RecallContents,
  type RecallFile,
  type VectorPart,
} from "../../../recall/index.ts";
import {
  type Disk,
  fail,
  type Ids,
  ok,
  type PalimpsestError,
  type RecallKind,
  type Result,
} from "../../../spec/index.ts";
import { readWholeFile } from "../disk/whole-file.ts";
import { decodeManifest, generationsIn, manifestFileName, type RecallManifest } from "./recall-manifest.ts";

/** An index as one generation of it left it. */
export interface RecallState {
  /** 0 before the first. */
  readonly generation: number;
  readonly contents: RecallContents;
  /** Kinds of which a part is damaged: what is left of them is in the contents. */
  readonly damagedKinds: readonly RecallKind[];
  readonly problems: readonly PalimpsestError[];
}

export interface RecallIndexFiles {
  /** The newest generation; the very same object while there is no newer one. */
  load(): Promise<Result<RecallState>>;
  /** Makes the next generation. `conflict` when another process has made one since `base`; then nothing is changed. */
  publish(base: RecallState, next: RecallContents): Promise<Result<RecallState>>;
}

export interface RecallIndexFilesOptions {
  readonly disk: Disk;
  /** Absolute. All in it is made from what is kept elsewhere: it may be deleted at any time. */
  readonly folder: string;
  readonly ids: Ids;
}

const emptyState: RecallState = { generation: 0, contents: emptyContents, damagedKinds: [], problems: [] };

/** Times to look again when a newer generation came while one was being read. */
const maxLoads = 20;

/**
 * Parts are written whole and never changed; a manifest says which of them are the index. Manifest n + 1 is made by
 * linking a finished file to that number, which succeeds for exactly one process. Not synced: after a power loss
 * checksums tell what is damaged, and the next update makes it anew.
 */
export function createRecallIndexFiles(options: RecallIndexFilesOptions): RecallIndexFiles {
  const { disk, folder } = options;
  let newest = emptyState;

  async function readManifest(generation: number): Promise<RecallManifest | undefined> {
    const read = await readWholeFile(disk, `${folder}/${manifestFileName(generation)}`);
    return read.ok ? decodeManifest(read.value) : undefined;
  }

  async function listGenerations(): Promise<Result<readonly number[]>> {
    const names = await disk.list(folder);
    if (names.ok) return ok(generationsIn(names.value));
    return names.error.code === "not-found" ? ok([]) : names;
  }

  /** Reads the state of the newest readable manifest of these. */
  async function readState(generations: readonly number[]): Promise<RecallState> {
    const generation = generations[0] ?? 0;
    for (const number of generations) {
      const manifest = await readManifest(number);
      if (manifest === undefined) continue;
      return { generation, ...(await readRecallParts(disk, folder, manifest, newest.contents)) };
    }
    return { ...emptyState, generation };
  }

  return {
    async load() {
      for (let tries = 1; ; tries += 1) {
        const generations = await listGenerations();
        if (!generations.ok) return generations;
        if ((generations.value[0] ?? 0) === newest.generation) return ok(newest);
        const state = await readState(generations.value);
        const again = state.problems.length > 0 ? await listGenerations() : generations;
        if (!again.ok) return again;
        if (again.value[0] !== generations.value[0] && tries < maxLoads) continue;
        newest = state;
        return ok(state);
      }
    },
    async publish(base, next) {
      const made = await disk.makeDirectory(folder);
      if (!made.ok) return made;
      const { publishRecall } = await import("./publish-recall.ts");
      const published = await publishRecall(options, base, next);
      if (!published.ok && published.error.code === "exists")
        return fail("conflict", "Another process has updated the search index.", {
          path: folder,
          retryable: true,
        });
      if (published.ok) newest = published.value;
      return published;
    },
  };
}

/** A segment of a million messages is far below this. */
const maxPartBytes = 1024 * 1024 * 1024;

interface ReadParts {
  readonly contents: RecallContents;
  readonly damagedKinds: readonly RecallKind[];
  readonly problems: readonly PalimpsestError[];
}

/** Reads the parts a manifest names, as far as they are whole; what was read before is not read again. */
async function readRecallParts(
  disk: Disk,
  folder: string,
  manifest: RecallManifest,
  known: RecallContents,
): Promise<ReadParts> {
  const segments: KindSegment[] = [];
  const vectors: VectorPart[] = [];
  const damagedKinds = new Set<RecallKind>();
  const problems: PalimpsestError[] = [];
  for (const { kind, ...file } of manifest.segments) {
    const seen = known.segments.find((one) => one.file?.name === file.name);
    const read = seen ? { ok: true as const, value: seen.segment } : await readPart(file, openSegment);
    if (read.ok) segments.push({ kind, segment: read.value, file });
    else {
      damagedKinds.add(kind);
      problems.push(read.error);
    }
  }
  for (const file of manifest.vectors) {
    const { openVectors } = await import("../../../recall/vector-bytes.ts");
    const seen = known.vectors.find((one) => one.file?.name === file.name);
    const read = seen ? { ok: true as const, value: seen.vectors } : await readPart(file, openVectors);
    if (read.ok) vectors.push({ vectors: read.value, file });
    else problems.push(read.error);
  }
  const { progress, embeddings } = manifest;
  const contents = { segments, vectors, progress, ...(embeddings !== undefined && { embeddings }) };
  return { contents, damagedKinds: [...damagedKinds], problems };

  async function readPart<T>(
    file: RecallFile,
    open: (bytes: Uint8Array) => T | undefined,
  ): Promise<Result<T>> {
    const path = `${folder}/${file.name}`;
    const read = await readWholeFile(disk, path, maxPartBytes);
    if (!read.ok) return read;
    const isWhole = read.value.length === file.bytes && crc32(read.value) === file.crc;
    const part = isWhole ? open(read.value) : undefined;
    if (part !== undefined) return { ok: true, value: part };
    const fix = "Nothing needs to be done: the next update makes it anew.";
    return fail("corrupt", `A part of the search index is damaged: ${path}.`, { path, fix });
  }
}
