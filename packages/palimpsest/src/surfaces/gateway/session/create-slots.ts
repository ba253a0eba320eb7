import type { Ids } from "@palimpsest/core/spec";
import { decideMatch, type Match } from "../match/decide-match.ts";
import type { ClaimQuestion, MatchQuestion } from "./conversations.ts";
import type { ConversationRecord } from "./head-files.ts";
import { createSlot, type Slot, toKnown } from "./slot.ts";

/** The conversations that are open or about to be, the one used last behind the others. */
export interface Slots {
  all(): readonly Slot[];
  has(id: string): boolean;
  match(question: MatchQuestion): Match;
  /** The slot of what was found, else a new one. It is the one used last from now on. */
  reserve(question: ClaimQuestion, found: Match, record: ConversationRecord | undefined): Slot;
  /** What cannot be used is not tried again: the next request begins a new one. */
  forget(slot: Slot): Promise<void>;
  /** Nothing was opened for it. */
  drop(slot: Slot): void;
  /** Those that nobody has make room for others, the one unused for longest first. */
  closeUnused(): void;
  /** Until all that were closed for others are closed. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const isSessionId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export function createSlots({ ids, maxOpen }: { readonly ids: Ids; readonly maxOpen: number }): Slots {
  const slots = new Map<string, Slot>();
  let closing: Promise<void> = Promise.resolve();

  async function forget(slot: Slot): Promise<void> {
    slots.delete(slot.id);
    await slot.conversation?.close().catch(() => undefined);
  }

  return {
    all: () => [...slots.values()],
    has: (id) => slots.has(id),
    match({ protocol, chain, named }) {
      const known = [...slots.values()].filter((slot) => slot.protocol === protocol).map(toKnown);
      return decideMatch(chain, known, named);
    },
    reserve({ protocol, chain, named }, found, record) {
      const known = "id" in found ? slots.get(found.id) : undefined;
      const wanted = named !== undefined && isSessionId.test(named) && !slots.has(named) ? named : undefined;
      const slot = known ?? createSlot(record?.session ?? wanted ?? ids.next("ses"), protocol, record);
      slot.list = chain;
      slots.delete(slot.id);
      slots.set(slot.id, slot);
      return slot;
    },
    forget,
    drop: (slot) => void slots.delete(slot.id),
    closeUnused() {
      const idle = [...slots.values()].filter(({ owner, list }) => owner === null && list === null);
      for (const slot of idle.slice(0, Math.max(0, slots.size - maxOpen))) {
        closing = Promise.all([closing, slot.work]).then(() => forget(slot));
        slots.delete(slot.id);
      }
    },
    settled: () => closing,
    async close() {
      await closing;
      await Promise.all([...slots.values()].map(async (slot) => slot.work.then(() => forget(slot))));
    },
  };
}
