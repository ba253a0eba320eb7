import type { KeptRequest } from "@palimpsest/core/internal";
import type { Ids } from "@palimpsest/core/spec";
import { mayForwardUnread } from "../exchange/choose-request.ts";
import {
  beginsWith,
  type Chain,
  commonLength,
  decideMatch,
  type Match,
} from "../match/match-conversation.ts";
import type { RelayedAnswer } from "../protocol/protocol.ts";
import type { Conversation } from "./conversation.ts";
import {
  type Claim,
  type ClaimInput,
  type Conversations,
  createSlot,
  type MatchInput,
  type Slot,
  toKnown,
  type UnreadClaim,
  type UnreadInput,
  withAnswer,
} from "./conversations.ts";
import type { ConversationRecord, HeadFiles } from "./head-files.ts";
import type { ConversationInput } from "./open-conversation.ts";

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
  async function recall({ protocol, chain }: ClaimInput): Promise<ConversationRecord | undefined> {
    const digest = chain.digests[chain.lastAssistant];
    const record = digest === undefined ? undefined : await heads.find(digest);
    return record?.protocol === protocol && !slots.has(record.session) ? record : undefined;
  }

  async function claimNow(input: ClaimInput): Promise<Claim> {
    const record = slots.match(input).kind === "unknown" ? await recall(input) : undefined;
    const again = slots.match(input);
    const isFound = record !== undefined && !slots.has(record.session) && again.kind === "unknown";
    const slot = slots.reserve(input, again, isFound ? record : undefined);
    if (!input.isCount) {
      slot.conversation?.endReads();
      // The client has gone on elsewhere: nobody comes back to where it was.
      if (again.kind === "branch") slots.endReads(again.from);
    }
    return createClaim(slot, isFound ? "continue" : again.kind, input, taking);
  }

  /** Others wait until it is known what the request is. */
  function toUnread(slot: Slot, model: string): UnreadClaim {
    const me = Symbol(slot.id);
    slot.owner = me;
    slot.conversation?.endReads();
    const release = () => {
      if (slot.owner === me) slot.owner = null;
    };
    async function toRead(coming: () => Promise<ClaimInput | null>): Promise<Claim | null> {
      const input = await coming();
      const { conversation } = slot;
      if (!input || !conversation) return null;
      const { digests, lastAssistant } = input.chain;
      const isSame = lastAssistant + 1 === conversation.answered;
      const isHeld = commonLength(conversation.digests, digests) > lastAssistant;
      if (isSame && isHeld) return createClaim(slot, "continue", input, taking);
      release();
      return claimNow(input);
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
    unread(input) {
      const slot = slots.all().findLast((one) => isQuiet(one, input));
      return slot?.conversation && toUnread(slot, slot.conversation.head.model);
    },
    async claim(input) {
      await Promise.all([slots.settled(), ...readings]);
      return claimNow(input);
    },
    open: () => slots.all().flatMap(({ conversation }) => conversation ?? []),
    close: slots.close,
  };
}

/** Whether nothing that could be new in the body makes a layer of this conversation act. */
function isQuiet(slot: Slot, { protocol, body, nowMs }: UnreadInput): boolean {
  const { conversation, owner, list, isDue, body: former } = slot;
  if (!conversation || owner !== null || list !== null || isDue || slot.protocol !== protocol) return false;
  const { probe, isRewriting, isBound, head, countedTokens, levels, respondedAtMs } = conversation;
  if (!probe || isRewriting || isBound || !beginsWith(body, former)) return false;
  const at = body.lastIndexOf(probe);
  if (at === -1 || !namesModel(body, head.model)) return false;
  return mayForwardUnread({
    bytes: body.length,
    formerBytes: former.bytes,
    bytesBehindResponse: body.length - at,
    countedTokens,
    autoTokens: levels.auto,
    idleMs: nowMs - respondedAtMs,
  });
}

function namesModel(body: Buffer, model: string): boolean {
  const name = JSON.stringify(model);
  return body.includes(`"model":${name}`) || body.includes(`"model": ${name}`);
}

/** Takes a slot for one request. What is done with its log waits for what is under way. */
function createClaim(
  slot: Slot,
  kind: Match["kind"],
  input: ClaimInput,
  { slots, work }: { readonly slots: Slots; readonly work: SlotWork },
): Claim {
  const me = Symbol(slot.id);
  slot.owner = me;
  slot.list = input.chain;
  slot.body = input.body;
  let brought: Promise<Conversation> | null = null;
  const inTurn = <T>(next: () => Promise<T>): Promise<T> => {
    const mine = slot.work.then(next);
    slot.work = mine.catch(() => undefined);
    return mine;
  };
  const conversation = () => {
    brought ??= inTurn(() => work.bring(slot, input));
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
    async settle(answer, kept?: KeptRequest) {
      const list = withAnswer(input.chain, answer);
      leave(list);
      const coming = conversation();
      await inTurn(async () => work.writeDown(slot, await coming, answer));
      if (slot.list === list) {
        slot.list = null;
        if (kept && slot.owner === null) slot.conversation?.keepWarm(kept);
      }
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

/** Work on the log of a conversation. What fails forgets the slot. */
interface SlotWork {
  /** Opens it where it is not open, and puts it where the client's list is. */
  bring(slot: Slot, input: ClaimInput): Promise<Conversation>;
  /** Adds what was relayed, and remembers where it is found again. */
  writeDown(slot: Slot, conversation: Conversation, answer: RelayedAnswer): Promise<void>;
}

interface SlotWorkParts {
  readonly heads: HeadFiles;
  readonly openConversation: (input: ConversationInput) => Promise<Conversation>;
}

function createSlotWork(slots: Slots, { heads, openConversation }: SlotWorkParts): SlotWork {
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

/** The conversations that are open or about to be, the one used last behind the others. */
interface Slots {
  all(): readonly Slot[];
  has(id: string): boolean;
  match(input: MatchInput): Match;
  /** The slot of what was found, else a new one. It is the one used last from now on. */
  reserve(input: ClaimInput, found: Match, record: ConversationRecord | undefined): Slot;
  /** Forgets what cannot be used, so that it is not tried again: the next request begins a new one. */
  forget(slot: Slot): Promise<void>;
  /** Nothing of a conversation is kept warm any more. */
  endReads(id: string): void;
  /** Nothing was opened for it. */
  drop(slot: Slot): void;
  /** Those that nobody has make room for others, the one unused for longest first. */
  closeUnused(): void;
  /** Until all that were closed for others are closed. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const isSessionId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

function createSlots({ ids, maxOpen }: { readonly ids: Ids; readonly maxOpen: number }): Slots {
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
    endReads: (id) => slots.get(id)?.conversation?.endReads(),
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
