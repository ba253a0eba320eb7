import { crc32 } from "node:zlib";
import {
  type KindSegment,
  openSegment,
  type RecallContents,
  type RecallFile,
  type VectorPart,
} from "../../../recall/index.ts";
import { type Disk, fail, type PalimpsestError, type RecallKind, type Result } from "../../../spec/index.ts";
import { readWholeFile } from "../disk/whole-file.ts";
import type { RecallManifest } from "./recall-manifest.ts";

/** A segment of a million messages is far below this. */
const maxPartBytes = 1024 * 1024 * 1024;

export interface ReadParts {
  readonly contents: RecallContents;
  readonly damagedKinds: readonly RecallKind[];
  readonly problems: readonly PalimpsestError[];
}

/** What a manifest names, as far as it is whole; what was read before is not read again. */
export async function readRecallParts(
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
