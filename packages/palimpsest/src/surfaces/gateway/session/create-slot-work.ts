import type { RelayedAnswer } from "../protocol/protocol.ts";
import type { Conversation } from "./conversation.ts";
import type { ClaimQuestion } from "./conversations.ts";
import type { Slots } from "./create-slots.ts";
import type { HeadFiles } from "./head-files.ts";
import type { ConversationQuestion } from "./open-conversation.ts";
import type { Slot } from "./slot.ts";

/** What is done with the log of a conversation. What fails forgets the slot. */
export interface SlotWork {
  /** Opens it where it is not open, and puts it where the client's list is. */
  bring(slot: Slot, question: ClaimQuestion): Promise<Conversation>;
  /** Adds what was relayed, and remembers where it is found again. */
  writeDown(slot: Slot, conversation: Conversation, answer: RelayedAnswer): Promise<void>;
}

export interface SlotWorkParts {
  readonly heads: HeadFiles;
  readonly openConversation: (question: ConversationQuestion) => Promise<Conversation>;
}

export function createSlotWork(slots: Slots, { heads, openConversation }: SlotWorkParts): SlotWork {
  async function orForget<T>(slot: Slot, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      await slots.forget(slot);
      throw cause;
    }
  }

  return {
    bring: (slot, { protocol, turns, chain, head: askHead }) =>
      orForget(slot, async () => {
        const { id, record } = slot;
        const head = await askHead();
        const nodes = record && { nodes: record.nodes };
        slot.conversation ??= await openConversation({ id, protocol, head, ...nodes });
        await slot.conversation.refit(head);
        await slot.conversation.take(turns, chain.digests);
        return slot.conversation;
      }),
    async writeDown(slot, conversation, answer) {
      const before = conversation.nodes.findLast(({ role }) => role === "assistant")?.digest;
      await orForget(slot, () => conversation.settle(answer));
      slot.isDue = conversation
        .plan()
        .some(({ outcome, layer }) => outcome === "act" && layer !== "tool-results");
      const { id: session, protocol, nodes, head } = conversation;
      await heads.write({ session, protocol, model: head.model, nodes }, before);
    },
  };
}
