import { type Chain, commonLength } from "./chain-turns.ts";

/** What is known of a conversation that goes through the gateway. */
export interface KnownConversation {
  readonly id: string;
  readonly digests: readonly string[];
  /** How many messages it had with its newest response; 0 before the first. */
  readonly answered: number;
  /** Digest of the newest response alone. */
  readonly response?: string;
  /** A request of it is under way. */
  readonly isBusy: boolean;
}

/**
 * Which conversation a request belongs to. `continue`: it goes on behind the newest response. `retry`: its first request
 * again. `edit`: the newest response is the same, something before it is not. `branch`: it goes on from the middle of
 * another, or beside a request that is under way. `unknown`: nobody relayed its newest response. `first`: there is none.
 */
export type Match =
  | { readonly kind: "continue" | "retry" | "edit" | "named"; readonly id: string; readonly common: number }
  | { readonly kind: "branch"; readonly from: string; readonly common: number }
  | { readonly kind: "unknown" | "first" };

/** Pure. Of several conversations that fit, the one that is known last, which is the newest, is taken. */
export function decideMatch(chain: Chain, known: readonly KnownConversation[], named?: string): Match {
  const { digests, lastAssistant, lastResponse } = chain;
  const newestFirst = [...known].reverse();
  const common = (one: KnownConversation) => commonLength(one.digests, digests);
  const byName = newestFirst.find(({ id, isBusy }) => id === named && !isBusy);
  if (byName) return { kind: "named", id: byName.id, common: common(byName) };
  if (lastAssistant === -1) {
    const again = newestFirst.find((one) => !one.isBusy && one.answered === 0 && common(one) > 0);
    return again ? { kind: "retry", id: again.id, common: common(again) } : { kind: "first" };
  }
  const holding = newestFirst.filter((one) => common(one) > lastAssistant);
  const head = holding.find(({ answered, isBusy }) => !isBusy && answered === lastAssistant + 1);
  if (head) return { kind: "continue", id: head.id, common: common(head) };
  const [origin] = holding;
  if (origin) return { kind: "branch", from: origin.id, common: common(origin) };
  const edited = newestFirst.find(
    (one) => !one.isBusy && one.answered > 0 && one.response === lastResponse && common(one) > 0,
  );
  return edited ? { kind: "edit", id: edited.id, common: common(edited) } : { kind: "unknown" };
}
