import { type BodySamples, noSamples } from "../match/body-samples.ts";
import { type Chain, chainOn } from "../match/chain-turns.ts";
import type { KnownConversation } from "../match/decide-match.ts";
import type { ProtocolName, RelayedAnswer } from "../protocol/protocol.ts";
import type { Conversation } from "./conversation.ts";
import type { ConversationRecord } from "./head-files.ts";

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
  /** What is done with the log, one after the other. */
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

/** What a request is compared with. */
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
