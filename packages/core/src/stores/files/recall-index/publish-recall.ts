import { crc32 } from "node:zlib";
import {
  encodeSegment,
  type KindSegment,
  type RecallContents,
  type RecallFile,
  type VectorPart,
} from "../../../recall/index.ts";
import { encodeVectors } from "../../../recall/vector-bytes.ts";
import { fail, ok, type Result } from "../../../spec/index.ts";
import { writeWholeFile } from "../disk/whole-file.ts";
import type { RecallIndexFilesOptions, RecallState } from "./recall-index-files.ts";
import {
  encodeManifest,
  generationOf,
  generationsIn,
  manifestFileName,
  manifestFormat,
  partFileName,
} from "./recall-manifest.ts";

/** Writes the parts that are not on disk yet, then the manifest; `exists` when another process was first. */
export async function publishRecall(
  options: RecallIndexFilesOptions,
  base: RecallState,
  next: RecallContents,
): Promise<Result<RecallState>> {
  const { disk, folder, ids } = options;
  const generation = base.generation + 1;
  const name = manifestFileName(generation);
  const written: string[] = [];

  async function writePart(what: "segment" | "vectors", bytes: Uint8Array): Promise<Result<RecallFile>> {
    const part = partFileName(what, generation, ids.next("part"));
    written.push(part);
    const outcome = await writeWholeFile(disk, `${folder}/${part}`, bytes, {
      temporary: `${folder}/${part}.tmp`,
      durable: false,
      when: "replace",
    });
    return outcome.ok ? ok({ name: part, bytes: bytes.length, crc: crc32(bytes) }) : outcome;
  }

  /** Another process that made this generation or a later one may have cleared our parts away: then that is why. */
  async function giveUp(failure: Result<never>): Promise<Result<never>> {
    for (const part of written) await disk.remove(`${folder}/${part}`);
    const names = await disk.list(folder);
    const newest = names.ok ? (generationsIn(names.value)[0] ?? 0) : 0;
    return newest >= generation ? tooLate(folder) : failure;
  }

  const segments: (KindSegment & { readonly file: RecallFile })[] = [];
  for (const one of next.segments) {
    const file = one.file ? ok(one.file) : await writePart("segment", encodeSegment(one.segment));
    if (!file.ok) return giveUp(file);
    segments.push({ ...one, file: file.value });
  }
  const vectors: (VectorPart & { readonly file: RecallFile })[] = [];
  for (const one of next.vectors) {
    const file = one.file ? ok(one.file) : await writePart("vectors", encodeVectors(one.vectors));
    if (!file.ok) return giveUp(file);
    vectors.push({ ...one, file: file.value });
  }
  const { progress, embeddings } = next;
  const manifest = encodeManifest({
    format: manifestFormat,
    segments: segments.map(({ kind, file }) => ({ kind, ...file })),
    vectors: vectors.map(({ file }) => file),
    ...(embeddings !== undefined && { embeddings }),
    progress,
  });
  const linked = await writeWholeFile(disk, `${folder}/${name}`, manifest, {
    temporary: `${folder}/${name}-${ids.next("manifest")}.tmp`,
    durable: false,
    when: "absent",
  });
  if (!linked.ok) return giveUp(linked);
  const names = await disk.list(folder);
  if (!names.ok) return names;
  if (generationsIn(names.value)[0] !== generation) {
    written.push(name);
    return giveUp(tooLate(folder));
  }
  const contents: RecallContents = { ...next, segments, vectors };
  await clearAway(options, names.value, generation, [base.contents, contents]);
  return ok({ generation, contents, damagedKinds: [], problems: [] });
}

/** A number is free again once its manifest was cleared away: only the highest counts. */
function tooLate(folder: string): Result<never> {
  return fail("exists", "Another process has made this generation or a later one.", { path: folder });
}

/**
 * Removes what neither this generation nor the one before needs: readers of the one before may not be done. Files made
 * for a later generation belong to a process at work. What cannot be removed now is removed another time.
 */
async function clearAway(
  { disk, folder }: RecallIndexFilesOptions,
  names: readonly string[],
  generation: number,
  needed: readonly RecallContents[],
): Promise<void> {
  const kept = new Set([manifestFileName(generation), manifestFileName(generation - 1)]);
  for (const { segments, vectors } of needed)
    for (const { file } of [...segments, ...vectors]) if (file) kept.add(file.name);
  for (const name of names) {
    const madeFor = generationOf(name);
    if (madeFor === undefined || madeFor > generation || kept.has(name)) continue;
    await disk.remove(`${folder}/${name}`);
  }
}
