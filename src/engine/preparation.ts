import { maxBreakpoints, placeBreakpoints, withBreakpoints } from "../context/request/breakpoints.ts";
import { freedByRepair } from "../context/request/freed-by-repair.ts";
import { createRepairer } from "../context/request/repair.ts";
import { createValidator } from "../context/request/validator.ts";
import {
  type ContentBlock,
  type Entry,
  type EntryDraft,
  fail,
  type ModelRequest,
  ok,
  type Prepared,
  type RepairStep,
  type Result,
  type TokenCount,
} from "../spec/index.ts";
import type { CacheWatch } from "./cache-watch.ts";
import type { LayerRunner } from "./layer-runner.ts";
import { withPatch } from "./request-head.ts";
import type { SessionParts } from "./session-parts.ts";
import type { SessionState } from "./session-state.ts";
import type { SettledThinking, ThinkingGuard } from "./thinking-guard.ts";

/** Makes requests of the session's state. */
export interface Preparation {
  prepare(trigger: "auto" | "reactive"): Promise<Result<Prepared>>;
  /** Digest of the request made last: what a response that comes now was produced on. */
  sentDigest(): string;
}

export interface PreparationParts extends SessionParts {
  readonly runner: LayerRunner;
  readonly guard: ThinkingGuard;
  /** Absent where nobody watches the cache. */
  readonly watch?: CacheWatch;
  readonly count: () => TokenCount;
  readonly tokensOf: (block: ContentBlock) => number;
  readonly append: (drafts: readonly EntryDraft[]) => Promise<Result<readonly Entry[]>>;
}

/** What had to be done to the view before it could be sent. */
interface Settled extends SettledThinking {
  readonly steps: readonly RepairStep[];
}

export function createPreparation(parts: PreparationParts): Preparation {
  const { head, state, config, runner, guard, watch, count, tokensOf, append, emit } = parts;
  const { capabilities, windowTokens } = config;
  const limits = { images: capabilities.images, maxBreakpoints };
  const repairer = createRepairer(limits);
  const validator = createValidator(limits);
  /** Digests of all prefixes of the request before, and where its newest marker stood. */
  let former: readonly string[] = [];
  let formerNewest: { readonly position: number; readonly digest: string } | null = newestOf(state);
  let sent = state.prefixDigest(0);

  /** What a valid request needs is recorded before it is sent. Says from which item on the view may have changed. */
  async function repair(): Promise<Result<{ readonly steps: readonly RepairStep[]; readonly from: number }>> {
    const steps = repairer.steps(state.items, state.validItems);
    if (steps.length > 0) {
      const decision = {
        type: "repair",
        layer: "engine",
        reason: "a valid request needs it",
        frees: freedByRepair(state.items, steps, tokensOf),
        basis: state.head,
        steps,
      } as const;
      const repaired = await append([{ kind: "decision", decision }]);
      if (!repaired.ok) return repaired;
    }
    const from = state.validItems;
    state.markValid();
    return ok({ steps, from });
  }

  async function settle(): Promise<Result<Settled>> {
    const repaired = await repair();
    if (!repaired.ok) return repaired;
    const { steps, from } = repaired.value;
    const thinking = await guard.settle(from);
    if (!thinking.ok) return thinking;
    const again = thinking.value.hasStripped ? await repair() : ok({ steps: [] });
    if (!again.ok) return again;
    return ok({ ...thinking.value, steps: [...steps, ...again.value.steps] });
  }

  /** Blocks at the beginning that are the same as in the request before, to the byte. */
  function sharedWithFormer(): number {
    let shared = Math.min(former.length - 1, state.items.length);
    if (shared <= 0 || former[shared] === state.prefixDigest(shared)) return Math.max(0, shared);
    for (let low = 0; shared - low > 1; ) {
      const middle = (low + shared) >> 1;
      if (former[middle] === state.prefixDigest(middle)) low = middle;
      else shared = middle;
    }
    return shared - 1;
  }

  /** The block that had the newest marker, if it still stands where it stood. */
  function formerMark(): number | null {
    if (!formerNewest || formerNewest.position >= state.items.length) return null;
    const { position, digest } = formerNewest;
    return state.prefixDigest(position + 1) === digest ? position : null;
  }

  return {
    sentDigest: () => sent,
    async prepare(trigger) {
      const due = await runner.reach({ kind: "before-request", trigger });
      if (!due.ok) return due;
      const settled = await settle();
      if (!settled.ok) return settled;
      const { items } = state;
      const now = count();
      if (items.length === 0) return nothingToSend();
      const limit = Math.min(windowTokens + 1, config.thresholds.blocking);
      if (!(now.tokens < limit)) return blocked(now.tokens, limit);
      const bare: ModelRequest = {
        model: withoutSuffix(head.model),
        max_tokens: capabilities.maxOutput,
        ...(head.system.length > 0 && { system: head.system }),
        ...(head.tools.length > 0 && { tools: head.tools }),
        messages: [...state.messages],
      };
      const request = [head.fields, ...due.value.patches, settled.value.patch].reduce(withPatch, bare);
      const places = placeBreakpoints(items, formerMark());
      const marked = withBreakpoints(request, places, parts.ttl);
      const [violation] = [...validator.validate(marked), ...guard.check(marked)];
      if (violation) return invalid(violation.path, violation.message);
      const sharedBlocks = sharedWithFormer();
      former = state.prefixDigests();
      const { newest } = places;
      formerNewest =
        newest === undefined ? null : { position: newest, digest: state.prefixDigest(newest + 1) };
      sent = state.prefixDigest(items.length);
      emit({ type: "request-start", tokens: now.tokens, blocks: items.length, sharedBlocks });
      const cache = watch?.announce(marked, places, validator.images);
      return ok({
        request: marked,
        report: {
          layers: due.value.reports,
          count: now,
          repairs: settled.value.steps.map(({ repair: what }) => what),
          messages: request.messages.length,
          blocks: items.length,
          sharedBlocks,
          prefixDigest: sent,
          ...(cache && { cache }),
          ...(settled.value.report && { thinking: settled.value.report }),
        },
      });
    },
  };
}

/** `[1m]` asks for a window; it is no part of the model's name. */
function withoutSuffix(model: string): string {
  return model.trim().replace(/\[1m\]$/i, "");
}

/** What a session that is opened again sent last ended where its newest response begins. */
function newestOf(state: SessionState): { readonly position: number; readonly digest: string } | null {
  const at = state.items.findLastIndex(
    ({ entry, role }) => role === "assistant" && state.messageOf(entry)?.prefixDigest !== undefined,
  );
  const item = state.items[at];
  const digest = item && state.messageOf(item.entry)?.prefixDigest;
  if (!item || digest === undefined) return null;
  const first = state.items.findIndex(
    (one) => one.entry === item.entry || (one.response !== undefined && one.response === item.response),
  );
  return first <= 0 ? null : { position: first - 1, digest };
}

function nothingToSend(): Result<never> {
  return fail("invalid-input", "There is nothing to send: the conversation is empty.", {
    fix: "Add a message first.",
  });
}

function blocked(tokens: number, limit: number): Result<never> {
  return fail("too-large", `The request has about ${tokens} tokens, and none over ${limit - 1} is sent.`, {
    fix: "Compact the session, or use a model with a larger window.",
    facts: { tokens, limit },
  });
}

function invalid(path: string, message: string): Result<never> {
  return fail("corrupt", `The request is not valid and was not made: ${path}: ${message}`, {
    path,
    fix: "This is a fault of the engine: please report it with the session's log.",
  });
}
