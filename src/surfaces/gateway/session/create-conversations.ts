import type { Ids } from "../../../spec/index.ts";
import { mayForwardUnread } from "../exchange/may-forward-unread.ts";
import { type BodySamples, beginsWith, noSamples } from "../match/body-samples.ts";
import type { Turn } from "../match/canonical-message.ts";
import { type Chain, chainOn, commonLength } from "../match/chain-turns.ts";
import { decideMatch, type KnownConversation, type Match } from "../match/decide-match.ts";
import type { ProtocolName, RelayedAnswer } from "../protocol/protocol.ts";
import type { Conversation, ConversationHead } from "./conversation.ts";
import type { ConversationRecord, HeadFiles } from "./head-files.ts";
import type { ConversationQuestion } from "./open-conversation.ts";

export interface ClaimQuestion {
  readonly protocol: ProtocolName;
  /** Asked for when the log is needed, and not before. */
  readonly head: () => Promise<ConversationHead>;
  readonly turns: readonly Turn[];
  readonly chain: Chain;
  readonly body: BodySamples;
  /** The session that the client named. */
  readonly named?: string;
}

export type MatchQuestion = Pick<ClaimQuestion, "protocol" | "chain" | "named">;

/** A conversation that one request has for itself until it is released. */
export interface Claim {
  readonly id: string;
  readonly kind: Match["kind"];
  /** Brings the log to where the client is. The first call does it, the others wait for it. */
  conversation(): Promise<Conversation>;
  /** Adds what was relayed, and remembers where it is found again. From the call on the next request may claim it. */
  settle(answer: RelayedAnswer): Promise<void>;
  release(): void;
}

/** A request that was sent before anybody has read it. */
export interface UnreadQuestion {
  readonly protocol: ProtocolName;
  readonly body: Buffer;
  readonly nowMs: number;
}

/** A conversation that an unread request seems to go on with. */
export interface UnreadClaim {
  readonly id: string;
  readonly model: string;
  /** The claim that it turns out to be. Others wait for what is done with it. */
  read(question: () => Promise<ClaimQuestion | null>): Promise<Claim | null>;
  release(): void;
}

/** All conversations that go through the gateway. */
export interface Conversations {
  /** A conversation that the body goes on with and for which nothing can be due; nothing where somebody has to look. */
  unread(question: UnreadQuestion): UnreadClaim | undefined;
  /** What a claim would find; nothing is taken. */
  peek(question: MatchQuestion): Match;
  claim(question: ClaimQuestion): Promise<Claim>;
  /** Those that are open, the one used last behind the others. */
  open(): readonly Conversation[];
  close(): Promise<void>;
}

export interface ConversationsParts {
  readonly ids: Ids;
  readonly heads: HeadFiles;
  readonly openConversation: (question: ConversationQuestion) => Promise<Conversation>;
  readonly maxOpen: number;
}

/**
 * A conversation, or one that is about to be opened. While a request has it, and until its response is in the log, the
 * list that it will have stands for it: the next request may come before everything is written down.
 */
interface Slot {
  readonly id: string;
  readonly protocol: ProtocolName;
  /** The claim that has it. */
  owner: symbol | null;
  list: Chain | null;
  /** What is done with the log, one after the other. */
  work: Promise<unknown>;
  readonly record?: ConversationRecord;
  conversation?: Conversation;
  /** Of the newest request. */
  body: BodySamples;
  /** A layer would act on the next request, whatever is new in it. */
  isDue: boolean;
}

const isSessionId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export function createConversations(parts: ConversationsParts): Conversations {
  const { ids, heads, openConversation, maxOpen } = parts;
  /** The one used last is the last. */
  const slots = new Map<string, Slot>();
  let closing: Promise<void> = Promise.resolve();
  /** Requests that were sent and are being read. */
  const readings = new Set<Promise<void>>();

  function match({ protocol, chain, named }: MatchQuestion): Match {
    const known = [...slots.values()].filter((slot) => slot.protocol === protocol).map(toKnown);
    return decideMatch(chain, known, named);
  }

  /** A conversation of an earlier run, where what the request goes on from is its newest response. */
  async function recall({ protocol, chain }: ClaimQuestion): Promise<ConversationRecord | undefined> {
    const digest = chain.digests[chain.lastAssistant];
    const record = digest === undefined ? undefined : await heads.find(digest);
    return record?.protocol === protocol && !slots.has(record.session) ? record : undefined;
  }

  function reserve(question: ClaimQuestion, found: Match, record: ConversationRecord | undefined): Slot {
    const { protocol, chain, named } = question;
    const known = "id" in found ? slots.get(found.id) : undefined;
    const wanted = named !== undefined && isSessionId.test(named) && !slots.has(named) ? named : undefined;
    const id = record?.session ?? wanted ?? ids.next("ses");
    const fresh = {
      id,
      protocol,
      owner: null,
      list: null,
      work: Promise.resolve(),
      body: noSamples,
      isDue: true,
    };
    const slot: Slot = known ?? { ...fresh, ...(record && { record }) };
    slot.list = chain;
    slots.delete(slot.id);
    slots.set(slot.id, slot);
    return slot;
  }

  async function bring(slot: Slot, question: ClaimQuestion): Promise<Conversation> {
    const { protocol, turns, chain } = question;
    try {
      const { id, record } = slot;
      const head = await question.head();
      slot.conversation ??= await openConversation({
        id,
        protocol,
        head,
        ...(record && { nodes: record.nodes }),
      });
      await slot.conversation.refit(head);
      await slot.conversation.take(turns, chain.digests);
      return slot.conversation;
    } catch (cause) {
      await forget(slot);
      throw cause;
    }
  }

  async function writeDown(slot: Slot, conversation: Conversation, answer: RelayedAnswer): Promise<void> {
    const before = conversation.nodes.findLast(({ role }) => role === "assistant")?.digest;
    try {
      await conversation.settle(answer);
    } catch (cause) {
      await forget(slot);
      throw cause;
    }
    slot.isDue = conversation
      .plan()
      .some(({ outcome, layer }) => outcome === "act" && layer !== "tool-results");
    const { id: session, protocol, nodes, head } = conversation;
    await heads.write({ session, protocol, model: head.model, nodes }, before);
  }

  /** What cannot be used is not tried again: the next request begins a new one. */
  async function forget(slot: Slot): Promise<void> {
    slots.delete(slot.id);
    await slot.conversation?.close().catch(() => undefined);
  }

  function closeUnused(): void {
    const idle = [...slots.values()].filter(({ owner, list }) => owner === null && list === null);
    for (const slot of idle.slice(0, Math.max(0, slots.size - maxOpen))) {
      closing = Promise.all([closing, slot.work]).then(() => forget(slot));
      slots.delete(slot.id);
    }
  }

  function toClaim(slot: Slot, kind: Match["kind"], question: ClaimQuestion): Claim {
    const me = Symbol(slot.id);
    slot.owner = me;
    slot.list = question.chain;
    slot.body = question.body;
    let brought: Promise<Conversation> | null = null;
    const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
      const mine = slot.work.then(work);
      slot.work = mine.catch(() => undefined);
      return mine;
    };
    const conversation = () => {
      brought ??= inTurn(() => bring(slot, question));
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
        await inTurn(async () => writeDown(slot, await coming, answer));
        if (slot.list === list) slot.list = null;
        closeUnused();
      },
      release() {
        if (slot.owner !== me) return;
        leave(null);
        if (!slot.conversation) slots.delete(slot.id);
        closeUnused();
      },
    };
  }

  /** Whether nothing that could be new in the body makes a layer of this conversation act. */
  function isQuiet(slot: Slot, { protocol, body, nowMs }: UnreadQuestion): boolean {
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
      if (isSame && isHeld) return toClaim(slot, "continue", question);
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

  async function claimNow(question: ClaimQuestion): Promise<Claim> {
    const record = match(question).kind === "unknown" ? await recall(question) : undefined;
    const again = match(question);
    const isFound = record !== undefined && !slots.has(record.session) && again.kind === "unknown";
    const slot = reserve(question, again, isFound ? record : undefined);
    return toClaim(slot, isFound ? "continue" : again.kind, question);
  }

  return {
    peek: match,
    unread(question) {
      const slot = [...slots.values()].findLast((one) => isQuiet(one, question));
      return slot?.conversation && toUnread(slot, slot.conversation.head.model);
    },
    async claim(question) {
      await Promise.all([closing, ...readings]);
      return claimNow(question);
    },
    open: () => [...slots.values()].flatMap(({ conversation }) => conversation ?? []),
    async close() {
      await closing;
      await Promise.all([...slots.values()].map(async (slot) => slot.work.then(() => forget(slot))));
    },
  };
}

function toKnown({ id, owner, list, conversation }: Slot): KnownConversation {
  const isBusy = owner !== null;
  if (conversation && !list) {
    const { digests, answered, response } = conversation;
    return { id, digests, answered, isBusy, ...(response !== undefined && { response }) };
  }
  const { digests = [], lastAssistant = -1, lastResponse } = list ?? {};
  const response = lastResponse === undefined ? {} : { response: lastResponse };
  return { id, digests, answered: lastAssistant + 1, isBusy, ...response };
}

/** The list as it is once the answer stands in it. */
function withAnswer({ digests }: Chain, { content }: RelayedAnswer): Chain {
  const { digest, alone } = chainOn(digests.at(-1), { role: "assistant", content });
  return { digests: [...digests, digest], lastAssistant: digests.length, lastResponse: alone };
}

function namesModel(body: Buffer, model: string): boolean {
  const name = JSON.stringify(model);
  return body.includes(`"model":${name}`) || body.includes(`"model": ${name}`);
}
