import type { Ids } from "@palimpsest/core/spec";
import { commonLength } from "../match/chain-turns.ts";
import type { Claim, ClaimQuestion, Conversations, UnreadClaim } from "./conversations.ts";
import { createClaim } from "./create-claim.ts";
import { createSlotWork, type SlotWorkParts } from "./create-slot-work.ts";
import { createSlots } from "./create-slots.ts";
import type { ConversationRecord } from "./head-files.ts";
import { isQuiet } from "./is-quiet.ts";
import type { Slot } from "./slot.ts";

export interface ConversationsParts extends SlotWorkParts {
  readonly ids: Ids;
  readonly maxOpen: number;
}

export function createConversations(parts: ConversationsParts): Conversations {
  const { heads } = parts;
  const slots = createSlots(parts);
  const taking = { slots, work: createSlotWork(slots, parts) };
  /** Requests that were sent and are being read. */
  const readings = new Set<Promise<void>>();

  /** A conversation of an earlier run, where what the request goes on from is its newest response. */
  async function recall({ protocol, chain }: ClaimQuestion): Promise<ConversationRecord | undefined> {
    const digest = chain.digests[chain.lastAssistant];
    const record = digest === undefined ? undefined : await heads.find(digest);
    return record?.protocol === protocol && !slots.has(record.session) ? record : undefined;
  }

  async function claimNow(question: ClaimQuestion): Promise<Claim> {
    const record = slots.match(question).kind === "unknown" ? await recall(question) : undefined;
    const again = slots.match(question);
    const isFound = record !== undefined && !slots.has(record.session) && again.kind === "unknown";
    const slot = slots.reserve(question, again, isFound ? record : undefined);
    return createClaim(slot, isFound ? "continue" : again.kind, question, taking);
  }

  /** Others wait until it is known what the request is. */
  function toUnread(slot: Slot, model: string): UnreadClaim {
    const me = Symbol(slot.id);
    slot.owner = me;
    const release = () => {
      if (slot.owner === me) slot.owner = null;
    };
    async function toRead(coming: () => Promise<ClaimQuestion | null>): Promise<Claim | null> {
      const question = await coming();
      const { conversation } = slot;
      if (!question || !conversation) return null;
      const { digests, lastAssistant } = question.chain;
      const isSame = lastAssistant + 1 === conversation.answered;
      const isHeld = commonLength(conversation.digests, digests) > lastAssistant;
      if (isSame && isHeld) return createClaim(slot, "continue", question, taking);
      release();
      return claimNow(question);
    }
    return {
      id: slot.id,
      model,
      read(coming) {
        const reading = toRead(coming);
        const settled = reading.then(
          () => undefined,
          () => undefined,
        );
        readings.add(settled);
        void settled.then(() => readings.delete(settled));
        return reading;
      },
      release,
    };
  }

  return {
    peek: slots.match,
    unread(question) {
      const slot = slots.all().findLast((one) => isQuiet(one, question));
      return slot?.conversation && toUnread(slot, slot.conversation.head.model);
    },
    async claim(question) {
      await Promise.all([slots.settled(), ...readings]);
      return claimNow(question);
    },
    open: () => slots.all().flatMap(({ conversation }) => conversation ?? []),
    close: slots.close,
  };
}
