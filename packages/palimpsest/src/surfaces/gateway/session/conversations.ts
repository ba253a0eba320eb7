import type { BodySamples } from "../match/body-samples.ts";
import type { Turn } from "../match/canonical-message.ts";
import type { Chain } from "../match/chain-turns.ts";
import type { Match } from "../match/decide-match.ts";
import type { ProtocolName, RelayedAnswer } from "../protocol/protocol.ts";
import type { Conversation, ConversationHead } from "./conversation.ts";

export interface ClaimInput {
  readonly protocol: ProtocolName;
  /** Asked for when the log is needed, and not before. */
  readonly head: () => Promise<ConversationHead>;
  readonly turns: readonly Turn[];
  readonly chain: Chain;
  readonly body: BodySamples;
  /** The session that the client named. */
  readonly named?: string;
}

export type MatchInput = Pick<ClaimInput, "protocol" | "chain" | "named">;

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
  read(question: () => Promise<ClaimInput | null>): Promise<Claim | null>;
  release(): void;
}

/** All conversations that go through the gateway. */
export interface Conversations {
  /** A conversation that the body goes on with and for which nothing can be due; nothing where somebody has to look. */
  unread(question: UnreadInput): UnreadClaim | undefined;
  /** What a claim would find; nothing is taken. */
  peek(question: MatchInput): Match;
  claim(question: ClaimInput): Promise<Claim>;
  /** Those that are open, the one used last behind the others. */
  open(): readonly Conversation[];
  close(): Promise<void>;
}
