import { crc32 } from "node:zlib";
import {
  type RecallFile,
  type RecallProgress,
  recallKinds,
  type SessionProgress,
} from "../../../recall/index.ts";
import type { RecallKind } from "../../../spec/index.ts";

/** Counted up when the same bytes mean something else: an index of another format is made anew. */
export const manifestFormat = 2;

/** The parts of an index, as one small file. */
export interface RecallManifest {
  readonly format: typeof manifestFormat;
  readonly segments: readonly (RecallFile & { readonly kind: RecallKind })[];
  readonly vectors: readonly RecallFile[];
  readonly embeddings?: string;
  readonly progress: RecallProgress;
}

interface ManifestJson extends Omit<RecallManifest, "progress"> {
  readonly sessions: readonly (readonly [string, SessionProgress])[];
  readonly memories: readonly (readonly [string, number])[];
}

/** A line with the checksum of the next, and the manifest as JSON. */
export function encodeManifest({ progress, ...manifest }: RecallManifest): Uint8Array {
  const { sessions, memories } = progress;
  const written: ManifestJson = { ...manifest, sessions: [...sessions], memories: [...memories] };
  const json = Buffer.from(JSON.stringify(written));
  return Buffer.concat([Buffer.from(`${crc32(json).toString(16).padStart(8, "0")}\n`), json]);
}

/** `undefined` for what is damaged or of another format: the index is then made anew. */
export function decodeManifest(bytes: Uint8Array): RecallManifest | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const json = buffer.subarray(9);
  if (buffer.toString("latin1", 0, 9) !== `${crc32(json).toString(16).padStart(8, "0")}\n`) return undefined;
  try {
    const { sessions, memories, ...manifest } = JSON.parse(json.toString("utf8")) as ManifestJson;
    if (
      manifest.format !== manifestFormat ||
      !manifest.segments.every(({ kind }) => recallKinds.includes(kind))
    )
      return undefined;
    return { ...manifest, progress: { sessions: new Map(sessions), memories: new Map(memories) } };
  } catch {
    return undefined;
  }
}

const digits = 12;
const manifestName = /^manifest-(\d{12})$/;
const anyName = /^[a-z]+-(\d{12})(?:-[\w-]+)?(?:\.tmp)?$/;

export function manifestFileName(generation: number): string {
  return `manifest-${String(generation).padStart(digits, "0")}`;
}

/** Names the generation it is made for, so that nobody clears it away before that one is there or lost. */
export function partFileName(what: "segment" | "vectors", generation: number, id: string): string {
  return `${what}-${String(generation).padStart(digits, "0")}-${id}`;
}

/** The generations whose manifests are among the names, newest first. */
export function generationsIn(names: readonly string[]): readonly number[] {
  return names
    .flatMap((name) => manifestName.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
}

/** The generation a file was made for; `undefined` for a file that is not of an index. */
export function generationOf(name: string): number | undefined {
  const found = anyName.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
}
