import { policies, type SessionOutcome } from "../../../../replay/index.ts";

/** The policies the demo compares, in the order in which they are run: the first two are what the view shows. */
export const playedPolicies = [
  "identity",
  "faithful",
  "thrifty",
  "oracle",
  "recency",
  "token-threshold",
  "api-default",
  "sliding-mask",
] as const;

/** The same in the order of the table. */
export const comparedPolicies: readonly string[] = [
  "identity",
  "faithful",
  "thrifty",
  "recency",
  "sliding-mask",
  "api-default",
  "token-threshold",
  "oracle",
];

export function findPolicy(name: string) {
  const found = policies.find((policy) => policy.name === name);
  if (!found) throw new Error(`There is no policy ${name}.`);
  return found;
}

/** The policy that is the engine as it ships. */
export const shippedPolicy = "faithful";

/** The two runs that are shown side by side: the engine's is that of the policy above. */
export type ShownRun = "engine" | "identity";

/** One request of a run, and what the run has come to with it. */
export interface PlayedRequest {
  readonly tokens: number;
  /** Of all requests so far. */
  readonly dollars: number;
  /** Of the cache, made by the policy, so far. */
  readonly breaks: number;
  /** Requests so far whose cache had gone cold before them. */
  readonly coldStarts: number;
}

/** A layer's action at a request. */
export interface LayerEvent {
  /** Number of the request, from 0. */
  readonly request: number;
  readonly layer: string;
  /** Empty where the layer's name says it. */
  readonly did: string;
  /** Tokens that the next request is smaller by. */
  readonly frees: number;
  readonly why: string;
}

/** A thread's message. */
export type DemoWord =
  | { readonly word: "request"; readonly run: ShownRun; readonly request: PlayedRequest }
  | { readonly word: "layer"; readonly event: LayerEvent }
  /** The log that the engine has made: its entries from sequence number 2 on, as they stand in a file. */
  | { readonly word: "log"; readonly lines: Uint8Array; readonly lastSeq: number }
  /** A policy was run; its outcome has no other runs. */
  | { readonly word: "policy"; readonly policy: string; readonly outcome: SessionOutcome }
  | { readonly word: "failed"; readonly message: string };
