import type { Chain } from "../match/chain-turns.ts";
import type { Match } from "../match/decide-match.ts";
import type { Conversation } from "./conversation.ts";
import type { Claim, ClaimQuestion } from "./conversations.ts";
import type { SlotWork } from "./create-slot-work.ts";
import type { Slots } from "./create-slots.ts";
import { type Slot, withAnswer } from "./slot.ts";

/** Takes a slot for one request. What is done with its log waits for what is under way. */
export function createClaim(
  slot: Slot,
  kind: Match["kind"],
  question: ClaimQuestion,
  { slots, work }: { readonly slots: Slots; readonly work: SlotWork },
): Claim {
  const me = Symbol(slot.id);
  slot.owner = me;
  slot.list = question.chain;
  slot.body = question.body;
  let brought: Promise<Conversation> | null = null;
  const inTurn = <T>(next: () => Promise<T>): Promise<T> => {
    const mine = slot.work.then(next);
    slot.work = mine.catch(() => undefined);
    return mine;
  };
  const conversation = () => {
    brought ??= inTurn(() => work.bring(slot, question));
    return brought;
  };
  const leave = (list: Chain | null) => {
    if (slot.owner === me) slot.owner = null;
    slot.list = list;
  };
  return {
    id: slot.id,
    kind,
    conversation,
    async settle(answer) {
      const list = withAnswer(question.chain, answer);
      leave(list);
      const coming = conversation();
      await inTurn(async () => work.writeDown(slot, await coming, answer));
      if (slot.list === list) slot.list = null;
      slots.closeUnused();
    },
    release() {
      if (slot.owner !== me) return;
      leave(null);
      if (!slot.conversation) slots.drop(slot);
      slots.closeUnused();
    },
  };
}
