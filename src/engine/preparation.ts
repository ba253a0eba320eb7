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
  type ViewItem,
} from "../spec/index.ts";
import type { CacheWatch } from "./cache-watch.ts";
import type { LayerRunner } from "./layer-runner.ts";
import { withPatch } from "./request-head.ts";
import type { SessionParts } from "./session-parts.ts";
import type { SettledThinking, ThinkingGuard } from "./thinking-guard.ts";

/** Makes requests of the session's state. */
export interface Preparation {
  prepare(): Promise<Result<Prepared>>;
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
  let formerItems: readonly ViewItem[] = [];
  let formerNewest: ViewItem | null = null;
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

  /** Blocks at the beginning that are the very same objects as in the request before. */
  function sharedWithFormer(): number {
    const { items } = state;
    let shared = 0;
    while (shared < formerItems.length && formerItems[shared] === items[shared]) shared += 1;
    return shared;
  }

  return {
    sentDigest: () => sent,
    async prepare() {
      const due = await runner.reach({ kind: "before-request", trigger: "auto" });
      if (!due.ok) return due;
      const settled = await settle();
      if (!settled.ok) return settled;
      const { items } = state;
      const now = count();
      if (now.tokens > windowTokens) return overWindow(now.tokens, windowTokens);
      const bare: ModelRequest = {
        model: withoutSuffix(head.model),
        max_tokens: capabilities.maxOutput,
        ...(head.system.length > 0 && { system: head.system }),
        ...(head.tools.length > 0 && { tools: head.tools }),
        messages: [...state.messages],
      };
      const request = [head.fields, ...due.value.patches, settled.value.patch].reduce(withPatch, bare);
      const places = placeBreakpoints(items, formerNewest);
      const marked = withBreakpoints(request, places, "5m");
      const [violation] = [...validator.validate(marked), ...guard.check(marked)];
      if (violation) return invalid(violation.path, violation.message);
      const sharedBlocks = sharedWithFormer();
      formerItems = [...items];
      formerNewest = places.newest === undefined ? null : (items[places.newest] ?? null);
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
  return model.replace(/\[1m\]$/i, "");
}

function overWindow(tokens: number, window: number): Result<never> {
  return fail("too-large", `The request has about ${tokens} tokens and the window ${window}.`, {
    fix: "Compact the session, or use a model with a larger window.",
    facts: { tokens, window },
  });
}

function invalid(path: string, message: string): Result<never> {
  return fail("corrupt", `The request is not valid and was not made: ${path}: ${message}`, {
    path,
    fix: "This is a fault of the engine: please report it with the session's log.",
  });
}
