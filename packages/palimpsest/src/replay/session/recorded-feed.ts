import {
  type CompactDecision,
  type ContentBlock,
  type Layer,
  type MessageInput,
  ok,
} from "@palimpsest/core/spec";
import type { RecordedBoundary, RecordedStep } from "../recorded-session.ts";
import type { ReplaySession } from "./replay-session.ts";

/** Adds recorded messages to a replay at their times, under the ids they were recorded with. */
export interface RecordedFeed {
  take(step: RecordedStep): Promise<void>;
  /** Empty messages are passed over. */
  add(id: string, message: FedMessage): Promise<void>;
}

type FedMessage = Omit<MessageInput, "content"> & { readonly content: readonly ContentBlock[] };

interface RecordedFeedParts extends Pick<ReplaySession, "session" | "log" | "clock"> {
  readonly boundaries: RecordedBoundaries;
  /** Where each recorded entry stands in the replay: filled here. */
  readonly seqs: Map<string, number>;
  /** The recorded harness's compactions happen here as well. Otherwise they do not, and their summaries are left out. */
  readonly keepsBoundaries: boolean;
  readonly see: (content: readonly ContentBlock[]) => void;
}

export function createRecordedFeed(parts: RecordedFeedParts): RecordedFeed {
  const { session, log, clock, boundaries, seqs, keepsBoundaries, see } = parts;

  async function add(id: string, message: FedMessage): Promise<void> {
    if (message.content.length === 0) return;
    see(message.content);
    log.nameNextMessage(id);
    const entry = await session.add(message);
    seqs.set(id, entry.seq);
  }

  return {
    add,
    async take(step) {
      const { id, atMs } = step;
      clock.show(atMs);
      if (step.kind === "message")
        await add(id, { role: step.role, content: step.content, ...step.flags, at: atMs });
      else if (keepsBoundaries) boundaries.reach(step, log.lastSeq);
    },
  };
}

/** Puts the boundaries of the recording into a replay, where they stood. */
interface RecordedBoundaries {
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
