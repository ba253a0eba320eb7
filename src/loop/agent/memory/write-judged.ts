import { judgeMemory, type MemoryEvidence } from "../../../context/trust/index.ts";
import { type OpenMemoryOptions, openMemory } from "../../../engine/memory/open-memory.ts";
import {
  type JudgeMemory,
  type MemoryWriteOptions,
  type MemoryWritten,
  ok,
  PalimpsestError,
  type Result,
} from "../../../spec/index.ts";

export type MemoryWriter = (
  path: string,
  text: string,
  options: MemoryWriteOptions,
  evidence: MemoryEvidence,
) => Promise<Result<MemoryWritten>>;

/** Writes memories, each judged by what its writer had before its eyes and what the user has said. */
export function createMemoryWriter(place: OpenMemoryOptions): MemoryWriter {
  return async (path, text, options, evidence) => {
    const folder = await openMemory({ ...place, judgeMemory: judgeBy(evidence) });
    try {
      return ok(await folder.write(path, text, options));
    } catch (cause) {
      if (PalimpsestError.isInstance(cause)) return { ok: false, error: cause };
      throw cause;
    } finally {
      await folder.close();
    }
  };
}

/** A memory that is trusted for itself, as the user's own words are, is not worth less by what stands beside them. */
function judgeBy({ taint, userMessages }: MemoryEvidence): JudgeMemory {
  return ({ type, name, description, body, entries, trust }) => {
    const draft = { type, name, description, body, ...(entries && { entries }) };
    const because = trust === "trusted" ? [] : taint.because;
    const { verdict, reason } = judgeMemory(draft, { taint: { trust, because }, userMessages });
    return verdict === "accept" ? { verdict } : { verdict, reason };
  };
}
