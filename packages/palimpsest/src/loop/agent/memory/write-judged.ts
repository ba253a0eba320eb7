import { untainted } from "@palimpsest/core/internal";
import {
  type MemoryEvidence,
  type MemoryFolder,
  type MemoryWriteOptions,
  type MemoryWritten,
  ok,
  PalimpsestError,
  type Result,
} from "@palimpsest/core/spec";

/** A write of a model's. */
export type JudgedWrite = MemoryWriteOptions & {
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
