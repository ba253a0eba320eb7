import type { ContentBlock, MessageInput } from "@palimpsest/core/spec";
import type { RecordedStep } from "../recorded-session.ts";
import type { RecordedBoundaries } from "./recorded-boundaries.ts";
import type { ReplaySession } from "./replay-session.ts";

/** Adds recorded messages to a replay at their times, under the ids they were recorded with. */
export interface RecordedFeed {
  take(step: RecordedStep): Promise<void>;
  /** Empty messages are passed over. */
  add(id: string, message: FedMessage): Promise<void>;
}

export type FedMessage = Omit<MessageInput, "content"> & { readonly content: readonly ContentBlock[] };

export interface RecordedFeedParts extends Pick<ReplaySession, "session" | "log" | "clock"> {
  readonly boundaries: RecordedBoundaries;
  /** Where each recorded entry stands in the replay: filled here. */
  readonly seqs: Map<string, number>;
  readonly ignoresBoundaries: boolean;
  readonly see: (content: readonly ContentBlock[]) => void;
}

export function createRecordedFeed(parts: RecordedFeedParts): RecordedFeed {
  const { session, log, clock, boundaries, seqs, ignoresBoundaries, see } = parts;

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
      else if (!ignoresBoundaries) boundaries.reach(step, log.lastSeq);
      else if (step.decision.summary) {
        const { content } = step.decision.summary;
        const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
        await add(id, { role: "user", content: blocks, isCompactSummary: true, at: atMs });
      }
    },
  };
}
