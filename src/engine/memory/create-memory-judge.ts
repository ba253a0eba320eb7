import { judgeMemory, type MemoryEvidence } from "../../context/trust/index.ts";
import type { JudgeMemory, Memory } from "../../spec/index.ts";

/** What was in view when a memory was written, and what the user said. */
export type EvidenceOf = (memory: Memory) => Promise<MemoryEvidence> | MemoryEvidence;

/**
 * What a person writes, confirms or vouches for is theirs. All else is judged on the evidence; where none is handed in,
 * the user has said nothing, and what was in view is as the memory says.
 */
export function createMemoryJudge(evidenceOf: EvidenceOf = noEvidence): JudgeMemory {
  return async (memory) => {
    if (isOfPerson(memory)) return { verdict: "accept" };
    const { verdict, trust, reason } = judgeMemory(memory, await evidenceOf(memory));
    const label = trust === "untrusted" || memory.trust === "untrusted" ? "untrusted" : "trusted";
    return verdict === "accept" ? { verdict, trust: label } : { verdict, reason, trust: label };
  };
}

function isOfPerson({ author, trust, isConfirmed }: Memory): boolean {
  return author === "user" || isConfirmed === true || (author === "import" && trust === "trusted");
}

function noEvidence({ trust }: Memory): MemoryEvidence {
  return { taint: { trust, because: [] }, userMessages: [] };
}
