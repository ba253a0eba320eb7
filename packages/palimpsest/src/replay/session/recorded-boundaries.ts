import { type CompactDecision, type Layer, ok } from "@palimpsest/core/spec";
import type { RecordedBoundary } from "../recorded-session.ts";

/** Puts the boundaries of the recording into a replay, where they stood. */
export interface RecordedBoundaries {
  readonly layer: Layer<Draft>;
  /** The boundary stands behind the entry with this sequence number; the next request is made with it. */
  reach(boundary: RecordedBoundary, lastSeq: number): void;
}

interface Draft {
  readonly id: string;
  readonly decision: CompactDecision;
}

/** `seqOf`: where a recorded entry stands in the replay. A kept segment whose ends are not there is left out. */
export function createRecordedBoundaries(seqOf: (id: string) => number | undefined): RecordedBoundaries {
  const reached: Draft[] = [];

  function placed({ id, decision }: RecordedBoundary, basis: number): Draft {
    const { kept, ...rest } = decision;
    const headSeq = kept && seqOf(kept.head);
    const tailSeq = kept && seqOf(kept.tail);
    if (!kept || headSeq === undefined || tailSeq === undefined)
      return { id, decision: { ...rest, layer: "recorded", basis } };
    return { id, decision: { ...rest, layer: "recorded", basis, kept: { ...kept, headSeq, tailSeq } } };
  }

  return {
    reach(boundary, lastSeq) {
      reached.push(placed(boundary, lastSeq));
    },
    layer: {
      id: "recorded",
      moments: ["before-request"],
      decide() {
        const draft = reached.at(-1);
        if (!draft) return { verdict: "skip", reason: "nothing was compacted here" };
        const { basis } = draft.decision;
        return { verdict: "act", command: draft, run: "inline", reason: "recorded", frees: 0, basis };
      },
      async apply({ id, decision }) {
        reached.length = 0;
        return ok([{ kind: "decision", id, decision }]);
      },
    },
  };
}
