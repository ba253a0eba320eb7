import type { JudgeMemory, Memory, MemoryEvidence } from "../../spec/index.ts";
import { judgeMemory } from "../../view/trust/index.ts";

/**
 * What a person writes, confirms or vouches for is theirs. All else is judged on the evidence; where none is handed in,
 * the user has said nothing, and what was in view is as the memory says.
 */
export const judgeByRules: JudgeMemory = (memory, evidence = noEvidence(memory)) => {
  if (isOfPerson(memory)) return { verdict: "accept" };
  const { verdict, trust, reason } = judgeMemory(memory, evidence);
  const label = trust === "untrusted" || memory.trust === "untrusted" ? "untrusted" : "trusted";
  return verdict === "accept" ? { verdict, trust: label } : { verdict, reason, trust: label };
};

function isOfPerson({ author, trust, isConfirmed }: Memory): boolean {
  return author === "user" || isConfirmed === true || (author === "import" && trust === "trusted");
}

function noEvidence({ trust }: Memory): MemoryEvidence {
  return { taint: { trust, because: [] }, userMessages: [] };
}
