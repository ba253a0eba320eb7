import { compactionEditBeta, nativeBetas, onDemandBeta } from "../context/compaction/native-block.ts";
import {
  type BreakpointPlaces,
  maxBreakpoints,
  placeBreakpoints,
  withBreakpoints,
} from "../context/request/breakpoints.ts";
import { freedByRepair } from "../context/request/freed-by-repair.ts";
import { createRepairer } from "../context/request/repair.ts";
import { createValidator } from "../context/request/validator.ts";
import {
  type CacheJudgement,
  type Capabilities,
  type ContentBlock,
  type Entry,
  type EntryDraft,
  fail,
  type ModelRequest,
  ok,
  type Prepared,
  type QuerySource,
  type RepairStep,
  type RequestPatch,
  type Result,
  type TokenCount,
  type ViewItem,
} from "../spec/index.ts";
import { answeredPrefix, type MarkedPrefix } from "./answered-prefix.ts";
import { unrepeatableEdits } from "./cache-edit-guard.ts";
import type { CacheWatch } from "./cache-watch.ts";
import type { LayerRunner } from "./layer-runner.ts";
import { withPatch } from "./request-head.ts";
import type { SessionParts } from "./session-parts.ts";
import type { SessionState } from "./session-state.ts";
import type { SettledThinking, ThinkingGuard } from "./thinking-guard.ts";

/** Makes requests of the session's state. */
export interface Preparation {
  prepare(trigger: "auto" | "reactive", signal?: AbortSignal): Promise<Result<Prepared>>;
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

/** A request with its markers, and what it will find in the cache where somebody watches. */
interface Marked {
  readonly request: ModelRequest;
  readonly places: BreakpointPlaces;
  readonly cache?: CacheJudgement;
  readonly settled: Settled;
  readonly count: TokenCount;
}

/** What had to be done to the view before it could be sent. */
interface Settled extends SettledThinking {
  readonly steps: readonly RepairStep[];
}

/** After a part was compacted or taken back, an earlier marker is the newest that still stands. */
const rememberedMarks = 64;

export function createPreparation(parts: PreparationParts): Preparation {
  const { head, state, config, runner, guard, watch, count, tokensOf, append, emit } = parts;
  const { capabilities, windowTokens } = config;
  const limits = { images: capabilities.images, maxBreakpoints };
  const repairer = createRepairer({ ...limits, compactionBetas: takenBetas(capabilities, head.fields) });
  const validator = createValidator(limits);
  /** Digests of all prefixes of the request before, and where newest markers stood. */
  let former: readonly string[] = [];
  const marked: MarkedPrefix[] = [newestOf(state)].filter((prefix) => prefix !== null);
  let sent = state.prefixDigest(0);

  async function record(steps: readonly RepairStep[], frees: number, reason: string): Promise<Result<void>> {
    const decision = { type: "repair", layer: "engine", reason, frees, basis: state.head, steps } as const;
    const appended = await append([{ kind: "decision", decision }]);
    return appended.ok ? ok() : appended;
  }

  /** What a valid request needs is recorded before it is sent. Says from which item on the view may have changed. */
  async function repair(): Promise<Result<{ readonly steps: readonly RepairStep[]; readonly from: number }>> {
    const steps = repairer.steps(state.items, state.validItems);
    const frees = freedByRepair(state.items, steps, tokensOf);
    const repaired = steps.length > 0 ? await record(steps, frees, "a valid request needs it") : ok();
    if (!repaired.ok) return repaired;
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

  /** The newest block that had the newest marker of a request and still stands where it stood. */
  function formerMark(): number | null {
    const standing = marked.findLast(
      ({ position, digest }) => position < state.items.length && state.prefixDigest(position + 1) === digest,
    );
    return standing?.position ?? null;
  }

  /** The first request of a fork marks the end of what forks of the same answer share: the first of them writes it for all. */
  function markable(items: readonly ViewItem[]): readonly ViewItem[] {
    const { sharedItems } = parts;
    return sharedItems !== undefined && former.length === 0 ? items.slice(0, sharedItems) : items;
  }

  /** The request as the view is now. */
  async function make(patches: readonly RequestPatch[]): Promise<Result<Marked>> {
    const settled = await settle();
    if (!settled.ok) return settled;
    const { items } = state;
    const now = count();
    if (items.length === 0) return nothingToSend();
    const limit = isServant(parts.source)
      ? windowTokens + 1
      : Math.min(windowTokens + 1, config.thresholds.blocking);
    if (!(now.tokens < limit)) return blocked(now.tokens, limit);
    const bare: ModelRequest = {
      model: withoutSuffix(head.model),
      max_tokens: capabilities.maxOutput,
      ...(head.system.length > 0 && { system: head.system }),
      ...(head.tools.length > 0 && { tools: head.tools }),
      messages: [...state.messages],
    };
    const carries = { betas: nativeBetas(items) };
    const request = [head.fields, ...patches, carries, settled.value.patch].reduce(withPatch, bare);
    const places = placeBreakpoints(markable(items), formerMark());
    const marked = withBreakpoints(request, places, parts.ttl);
    const [violation] = [...validator.validate(marked), ...guard.check(marked)];
    if (violation) return invalid(violation.path, violation.message);
    const cache = watch?.announce(marked, places, validator.images);
    return ok({ request: marked, places, ...(cache && { cache }), settled: settled.value, count: now });
  }

  /** Cache edits that the provider would refuse are taken back before anything is sent. */
  async function makeSendable(patches: readonly RequestPatch[]): Promise<Result<Marked>> {
    const steps: RepairStep[] = [];
    for (;;) {
      const made = await make(patches);
      if (!made.ok) return made;
      const { cache, settled } = made.value;
      const read = watch && cache ? cache.firstBlock - watch.headBlocks : 0;
      const refused = unrepeatableEdits(parts, read, validator.images > 0, tokensOf);
      if (!refused)
        return ok({ ...made.value, settled: { ...settled, steps: [...steps, ...settled.steps] } });
      const recorded = await record(refused.steps, refused.frees, refused.reason);
      if (!recorded.ok) return recorded;
      steps.push(...settled.steps, ...refused.steps);
    }
  }

  return {
    sentDigest: () => sent,
    async prepare(trigger, signal) {
      const due = await runner.reach({ kind: "before-request", trigger }, signal);
      if (!due.ok) return due;
      const made = await makeSendable(due.value.patches);
      if (!made.ok) return made;
      const { request, places, cache, settled, count: now } = made.value;
      const { items } = state;
      const sharedBlocks = sharedWithFormer();
      former = state.prefixDigests();
      const { newest } = places;
      if (newest !== undefined) marked.push({ position: newest, digest: state.prefixDigest(newest + 1) });
      if (marked.length > rememberedMarks) marked.shift();
      sent = state.prefixDigest(items.length);
      emit({ type: "request-start", tokens: now.tokens, blocks: items.length, sharedBlocks });
      return ok({
        request,
        report: {
          layers: due.value.reports,
          count: now,
          repairs: settled.steps.map(({ repair: what }) => what),
          messages: request.messages.length,
          blocks: items.length,
          sharedBlocks,
          prefixDigest: sent,
          ...(cache && { cache }),
          ...(settled.report && { thinking: settled.report }),
        },
      });
    },
  };
}

/** A fork that makes room may use the room that is kept free for it. */
function isServant(source: QuerySource): boolean {
  return source === "compaction" || source === "notes" || source === "collapse";
}

/** Headers of the compaction blocks that a model takes; who sets one by hand knows better. */
function takenBetas(
  { nativeCompaction, serverCompaction }: Capabilities,
  { betas }: RequestPatch,
): readonly string[] {
  const given = Array.isArray(betas) ? (betas as readonly string[]) : [];
  return [
    ...given,
    ...(nativeCompaction ? [onDemandBeta] : []),
    ...(serverCompaction ? [compactionEditBeta] : []),
  ];
}

/** `[1m]` asks for a window; it is no part of the model's name. */
export function withoutSuffix(model: string): string {
  return model.trim().replace(/\[1m\]$/i, "");
}

/** What a session that is opened again sent last ended where its newest response begins. */
export function newestOf(state: SessionState): MarkedPrefix | null {
  const at = state.items.findLastIndex(
    ({ entry, role }) => role === "assistant" && state.messageOf(entry)?.prefixDigest !== undefined,
  );
  const prefix = answeredPrefix(state, at);
  return prefix && prefix.position >= 0 ? prefix : null;
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
