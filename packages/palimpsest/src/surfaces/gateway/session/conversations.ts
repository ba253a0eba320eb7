import type { KeptRequest } from "@palimpsest/core/internal";
import {
  type BodySamples,
  type Chain,
  chainOn,
  type KnownConversation,
  type Match,
  noSamples,
  type Turn,
} from "../match/match-conversation.ts";
import type { ProtocolName, RelayedAnswer } from "../protocol/protocol.ts";
import type { Conversation, ConversationHead } from "./conversation.ts";
import type { ConversationRecord } from "./head-files.ts";

export interface ClaimInput {
  readonly protocol: ProtocolName;
  /** Asked for when the log is needed, and not before. */
  readonly head: () => Promise<ConversationHead>;
  readonly turns: readonly Turn[];
  readonly chain: Chain;
  readonly body: BodySamples;
  /** The session that the client named. */
  readonly named?: string;
  /** It is only counted: what is kept warm stays so. */
  readonly isCount?: boolean;
}

export type MatchInput = Pick<ClaimInput, "protocol" | "chain" | "named">;

/** A conversation that one request has for itself until it is released. */
export interface Claim {
  readonly id: string;
  readonly kind: Match["kind"];
  /** Brings the log to where the client is. The first call does it, the others wait for it. */
  conversation(): Promise<Conversation>;
  /**
   * Adds what was relayed, and remembers where it is found again. From the call on the next request may claim it; until
   * then `kept` is what is read again to keep it warm.
   */
  settle(answer: RelayedAnswer, kept?: KeptRequest): Promise<void>;
  release(): void;
}

/** A request that was sent before anybody has read it. */
export interface UnreadInput {
  readonly protocol: ProtocolName;
  readonly body: Buffer;
  readonly nowMs: number;
}

/** A conversation that an unread request seems to go on with. */
export interface UnreadClaim {
  readonly id: string;
  readonly model: string;
  /** The claim that it turns out to be. Others wait for what is done with it. */
  read(input: () => Promise<ClaimInput | null>): Promise<Claim | null>;
  release(): void;
}

/** All conversations that go through the gateway. */
export interface Conversations {
  /** A conversation that the body goes on with and for which nothing can be due; nothing where somebody has to look. */
  unread(input: UnreadInput): UnreadClaim | undefined;
  /** The match a claim would find; nothing is taken. */
  peek(input: MatchInput): Match;
  claim(input: ClaimInput): Promise<Claim>;
  /** Those that are open, the one used last behind the others. */
  open(): readonly Conversation[];
  close(): Promise<void>;
}

/**
 * A conversation, or one that is about to be opened. While a request has it, and until its response is in the log, the
 * list that it will have stands for it: the next request may come before everything is written down.
 */
export interface Slot {
  readonly id: string;
  readonly protocol: ProtocolName;
  /** The claim that has it. */
  owner: symbol | null;
  list: Chain | null;
  /** The work on the log, one after the other. */
  work: Promise<unknown>;
  readonly record?: ConversationRecord;
  conversation?: Conversation;
  /** Of the newest request. */
  body: BodySamples;
  /** A layer would act on the next request, whatever is new in it. */
  isDue: boolean;
}

/** One that nobody has, and that is not open yet. */
export function createSlot(id: string, protocol: ProtocolName, record: ConversationRecord | undefined): Slot {
  return {
    id,
    protocol,
    owner: null,
    list: null,
    work: Promise.resolve(),
    body: noSamples,
    isDue: true,
    ...(record && { record }),
  };
}

/** The form that a request is compared with. */
export function toKnown({ id, owner, list, conversation }: Slot): KnownConversation {
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
export function withAnswer({ digests }: Chain, { content }: RelayedAnswer): Chain {
  const { digest, alone } = chainOn(digests.at(-1), { role: "assistant", content });
  return { digests: [...digests, digest], lastAssistant: digests.length, lastResponse: alone };
}
