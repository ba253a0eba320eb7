import { maxBreakpoints, placeBreakpoints, withBreakpoints } from "../context/request/breakpoints.ts";
import { repairSteps } from "../context/request/repair.ts";
import { createValidator } from "../context/request/validator.ts";
import {
  type ContextUsage,
  type Entry,
  type EntryDraft,
  type Facts,
  fail,
  type LayerIo,
  type ModelRequest,
  type Moment,
  ok,
  type Plan,
  type Prepared,
  type RepairStep,
  type Result,
  type TokenCount,
  type View,
  type ViewItem,
} from "../spec/index.ts";
import { contextUsage } from "./context-usage.ts";
import { type LayerOutcome, planLayers, runLayers, toReport } from "./run-layers.ts";
import type { SessionParts } from "./session.ts";

/** Makes requests of the session's state. */
export interface Preparation {
  prepare(): Promise<Result<Prepared>>;
  /** Runs the layers that are due at a moment. */
  reach(moment: Moment): Promise<Result<LayerOutcome>>;
  plan(): Plan;
  count(): TokenCount;
  usage(): ContextUsage;
  /** Digest of the request made last: what a response that comes now was produced on. */
  sentDigest(): string;
}

const beforeRequest: Moment = { kind: "before-request", trigger: "auto" };

export function createPreparation(
  parts: SessionParts,
  append: (drafts: readonly EntryDraft[]) => Promise<Result<readonly Entry[]>>,
): Preparation {
  const { head, state, layers, config, calibration, clock, ids, store, emit } = parts;
  const { capabilities, thresholds, windowTokens } = config;
  const limits = {
    maxImageBytes: capabilities.images.maxBytes,
    maxImages: capabilities.images.maxCount,
    maxBreakpoints,
  };
  const validator = createValidator(limits);
  let formerItems: readonly ViewItem[] = [];
  let formerNewest: ViewItem | null = null;
  let sent = state.prefixDigest(0);

  const count = () => state.count((features) => calibration.estimate(head.model, features));
  const view = (): View => ({ items: state.items, count: count(), ledgers: state.ledgers, head: state.head });
  const facts = (): Facts => ({
    nowMs: clock.now(),
    model: head.model,
    capabilities,
    prices: config.catalog.prices(head.model).value,
    settings: { ...config.settings, flags: config.flags.values, switches: config.switches },
    cache: { state: "unknown", ttlMs: 5 * 60 * 1000 },
    runningTasks: [],
    statistics: {},
  });
  const io: LayerIo = {
    fork: async () => fail("invalid-input", "Forks come with the query loop."),
    blobs: store.blobs,
    tree: store.tree("memory"),
    clock,
    ids,
  };

  async function reach(moment: Moment): Promise<Result<LayerOutcome>> {
    let failure: Result<never> | null = null;
    const outcome = await runLayers({
      layers,
      moment,
      view,
      facts,
      io,
      signal: new AbortController().signal,
      async append(drafts, basis) {
        if (basis > state.lastSeq) return { dropped: drafts.length };
        const appended = drafts.length === 0 ? ok([]) : await append(drafts);
        if (!appended.ok) failure = appended;
        return { dropped: 0 };
      },
      onFailure: (layer, error) => emit({ type: "layer-failed", layer: layer.id, message: error.message }),
    });
    return failure ?? ok(outcome);
  }

  /** What a valid request needs is recorded before it is sent. */
  async function repair(): Promise<Result<readonly RepairStep[]>> {
    const steps = repairSteps(state.items, state.validItems, limits);
    if (steps.length > 0) {
      const reason = "a valid request needs it";
      const decision = {
        type: "repair",
        layer: "engine",
        reason,
        frees: 0,
        basis: state.head,
        steps,
      } as const;
      const repaired = await append([{ kind: "decision", decision }]);
      if (!repaired.ok) return repaired;
    }
    state.markValid();
    return ok(steps);
  }

  /** Blocks at the beginning that are the very same objects as in the request before. */
  function sharedWithFormer(): number {
    const { items } = state;
    let shared = 0;
    while (shared < formerItems.length && formerItems[shared] === items[shared]) shared += 1;
    return shared;
  }

  return {
    count,
    reach,
    sentDigest: () => sent,
    usage: () => contextUsage({ state, head, calibration, thresholds, count: count() }),
    plan: () => ({
      layers: planLayers(layers, beforeRequest, view(), facts()).map(({ layer, verdict }) =>
        toReport(layer, beforeRequest, verdict),
      ),
      count: count(),
    }),
    async prepare() {
      const due = await reach(beforeRequest);
      if (!due.ok) return due;
      const steps = await repair();
      if (!steps.ok) return steps;
      const { items } = state;
      const now = count();
      if (now.tokens > windowTokens) return overWindow(now.tokens, windowTokens);
      const request: ModelRequest = {
        model: withoutSuffix(head.model),
        max_tokens: capabilities.maxOutput,
        ...(head.system.length > 0 && { system: head.system }),
        ...(head.tools.length > 0 && { tools: head.tools }),
        messages: [...state.messages],
        ...due.value.patch,
      };
      const places = placeBreakpoints(items, formerNewest);
      const marked = withBreakpoints(request, places, "5m");
      const [violation] = validator.validate(marked);
      if (violation) return invalid(violation.path, violation.message);
      const sharedBlocks = sharedWithFormer();
      formerItems = [...items];
      formerNewest = places.newest === undefined ? null : (items[places.newest] ?? null);
      sent = state.prefixDigest(items.length);
      return ok({
        request: marked,
        report: {
          layers: due.value.reports,
          count: now,
          repairs: steps.value.map(({ repair: what }) => what),
          messages: request.messages.length,
          blocks: items.length,
          sharedBlocks,
          prefixDigest: sent,
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
