import { emptyContents, type RecallContents } from "../../../recall/index.ts";
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
import { readRecallParts } from "./read-recall-parts.ts";
import { generationsIn, manifestFileName } from "./recall-file-names.ts";
import { decodeManifest, type RecallManifest } from "./recall-manifest.ts";

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

  /** What the newest readable manifest of these names. */
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
