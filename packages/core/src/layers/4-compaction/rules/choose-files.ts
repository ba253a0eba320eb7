import type { KeptSegment, Ledgers } from "../../../spec/index.ts";
import { isInSegment } from "../../../view/projection/kept-segment.ts";

export interface FileChoice {
  readonly ledgers: Pick<Ledgers, "files" | "plan">;
  /** What is kept word for word needs not be brought back. */
  readonly kept?: KeptSegment;
  /** Plans, to-dos, notes, memory, agent files, and what may not be read. */
  readonly isExcluded: (path: string) => boolean;
  readonly maxFiles: number;
}

/** The files that are brought back, the last touched first: chosen before any of them is read. */
export function chooseFiles({ ledgers, kept, isExcluded, maxFiles }: FileChoice): readonly string[] {
  const isKept = (seq: number) => isInSegment(kept, seq);
  return [...ledgers.files.values()]
    .toReversed()
    .filter(({ path, seq }) => path !== ledgers.plan?.path && !isKept(seq) && !isExcluded(path))
    .slice(0, maxFiles)
    .map(({ path }) => path);
}
