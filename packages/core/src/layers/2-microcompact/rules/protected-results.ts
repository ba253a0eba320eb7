import type { View } from "../../../spec/index.ts";
import type { ClearablePart } from "../../../view/clearing/clearable-parts.ts";

/**
 * Results never cleared by choice: the latest read of a file that was edited since the last word of the user, and the
 * latest failure that nothing has resolved.
 */
export function protectedResults({ ledgers }: View): (part: ClearablePart) => boolean {
  const lastWord = ledgers.userMessages.at(-1)?.seq ?? 0;
  const reads = new Set<number>();
  for (const { lastAction, seq, readSeq } of ledgers.files.values()) {
    if (lastAction !== "read" && seq > lastWord && readSeq !== undefined) reads.add(readSeq);
  }
  const failure = ledgers.unresolvedErrors.at(-1)?.toolUseId;
  return ({ part, seq, toolUseId }) => part === "result" && (reads.has(seq) || toolUseId === failure);
}
