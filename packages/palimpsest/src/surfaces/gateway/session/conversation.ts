import type { CacheTtl, KeptRequest } from "@palimpsest/core/internal";
import type {
  LayerReport,
  Model,
  ModelRequest,
  PrepareOptions,
  RequestPatch,
  TextBlock,
  Tool,
  WindowLevels,
} from "@palimpsest/core/spec";
import type { KnownConversation, Turn } from "../match/match-conversation.ts";
import type { ProtocolName, RelayedAnswer } from "../protocol/protocol.ts";

/** A message of a conversation, and where it stands in the log. */
export interface ConversationNode {
  /** Of the message and all before it. */
  readonly digest: string;
  readonly entry: string;
  readonly role: Turn["role"];
}

/** The head of a conversation's requests. */
export interface ConversationHead {
  readonly model: string;
  readonly system: readonly TextBlock[];
  readonly tools: readonly Tool[];
  readonly fields: RequestPatch;
  /** Tokens that the model takes, where somebody said so. */
  readonly window?: number;
  /** For how long the client asks the cache to keep what it marks; absent where it marks nothing. */
  readonly cacheTtl?: CacheTtl;
  /** A model that is asked with the key of the newest request; absent: nobody is asked. */
  readonly asked?: () => Promise<Model>;
}

/** The session's version of the client's messages. */
export interface Managed {
  readonly request: ModelRequest;
  /** A decision holds that makes it another conversation than the client's. */
  readonly isRewritten: boolean;
  readonly tokens: number;
  /** Layers that acted just now. */
  readonly acted: readonly LayerReport[];
  /** Steps that a valid request needed just now, or what was refused before. */
  readonly repairs: number;
}

/** A client's conversation in an ordinary session log. One thing is done with it at a time. */
export interface Conversation extends Omit<KnownConversation, "isBusy"> {
  readonly protocol: ProtocolName;
  readonly head: ConversationHead;
  readonly nodes: readonly ConversationNode[];
  /** Whether the client's own bytes no longer do. */
  readonly isRewriting: boolean;
  /** Prompt and answer of the newest response, as the provider counted them; 0 where it does not count. */
  readonly countedTokens: number;
  readonly respondedAtMs: number;
  readonly levels: WindowLevels;
  /** By what its newest response is found in a request that was not read. */
  readonly probe: Buffer | undefined;
  /** Thinking is bound to what stands before it: what is sent has to be known. */
  readonly isBound: boolean;
  /** Puts the log where the client's list is: what differs from it is rewound, what is new is added. */
  take(turns: readonly Turn[], digests: readonly string[]): Promise<void>;
  /** Lets the layers work and makes the request; what the provider has refused before is repaired first. */
  prepare(options?: PrepareOptions): Promise<Managed>;
  /** Adds the response that was relayed. */
  settle(answer: RelayedAnswer): Promise<void>;
  /** What its reads to keep the cache warm have cost; absent before the first. */
  readonly keepWarmDollars: number | undefined;
  /** Its newest request is held to be read again. */
  readonly isKeptWarm: boolean;
  /** From now on this request is read again so that it stays in the cache, as long as that pays. */
  keepWarm(request: KeptRequest): void;
  /** The client is back: nothing is held, and nothing further read. */
  endReads(): void;
  /** The layers' planned actions. */
  plan(): readonly LayerReport[];
  /** Begins with something else from here on, where it is something else. */
  refit(head: ConversationHead): Promise<void>;
  close(): Promise<void>;
}
