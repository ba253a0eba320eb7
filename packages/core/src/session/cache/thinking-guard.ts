import {
  type Capabilities,
  type ContentBlock,
  type Entry,
  type EntryDraft,
  type ModelRequest,
  ok,
  type RequestPatch,
  type Result,
  type ThinkingReport,
  type ViewItem,
} from "../../spec/index.ts";
import { continuePrefixChain, type PrefixChain, seenDigest } from "../../view/prefix/prefix-chain.ts";
import { decidedItems } from "../../view/projection/decided-items.ts";
import { isNativeBlock } from "../../view/request/native-block.ts";
import type { Violation } from "../../view/request/violation.ts";
import {
  changesBoundPrefix,
  chooseForThinking,
  isRoundOpen,
  isTurnWithoutThinking,
} from "../../view/thinking/thinking-choice.ts";
import { isThinking, unboundThinking } from "../../view/thinking/unbound-thinking.ts";
import type { RequestHead } from "../head/request-head.ts";
import type { SessionState } from "../session-state.ts";

/** Names what a request asks for that wants bound thinking dropped. */
export const bindingControlsBeta = "thinking-binding-controls-2026-08-01";

/** Keeps thinking valid: on models that bind it to everything before it, and in rounds of tool calls. */
export interface ThinkingGuard {
  /** Whether decisions would change what thinking is bound to, and nothing can be done about it before a round ends. */
  mustWait(drafts: readonly EntryDraft[]): boolean;
  /** Whether undoing a decision would. */
  forbidsUndo(decisionSeq: number): boolean;
  /** Settles what becomes of unbound thinking. Items before `from` have not changed since the call before. */
  settle(from: number): Promise<Result<SettledThinking>>;
  /** The patch for a request besides the next one, made of the view as it is; nothing is recorded. */
  patch(): RequestPatch;
  /** All thinking leaves the view, where there is any. */
  strip(reason: string): Promise<Result<void>>;
  /** Violations that the API would refuse. */
  check(request: ModelRequest): readonly Violation[];
}

export interface SettledThinking {
  readonly patch: RequestPatch;
  readonly report?: ThinkingReport;
  /** The view has changed. */
  readonly hasStripped: boolean;
}

export interface ThinkingGuardParts {
  readonly state: SessionState;
  readonly head: RequestHead;
  readonly capabilities: Capabilities;
  readonly tokensOf: (block: ContentBlock) => number;
  readonly append: (drafts: readonly EntryDraft[]) => Promise<Result<readonly Entry[]>>;
}

export function createThinkingGuard(parts: ThinkingGuardParts): ThinkingGuard {
  const { state, head, capabilities, tokensOf, append } = parts;
  const thinking = head.fields.thinking as { readonly type?: string } | undefined;
  const isThinkingOn = thinking !== undefined && thinking.type !== "disabled";
  const isBound = capabilities.prefixBoundThinking;
  const choice = () =>
    chooseForThinking({
      isRoundOpen: isRoundOpen(state.items),
      acceptsDropping: capabilities.dropsUnboundThinking,
      isThinkingOn,
    });
  /** Positions of unbound thinking that stays in the view, for the API to drop. */
  let unbound: readonly number[] = [];

  const carried = createCarriedDigests(state);

  /** Thinking is not bound to cache edits: the model does not see them. */
  function look(from: number): readonly number[] {
    const input = {
      carriedAt: carried(from),
      items: state.items,
      from,
      digestAt: (position: number) => seenDigest(state.prefixDigest(position)),
      digestOf: (entry: string) => {
        const digest = state.messageOf(entry)?.prefixDigest;
        return digest === undefined ? undefined : seenDigest(digest);
      },
    };
    return [...unbound.filter((position) => position < from), ...unboundThinking(input)];
  }

  async function strip(reason: string): Promise<Result<void>> {
    if (!state.items.some(isThinking)) return ok();
    const upTo = state.items.at(-1)?.entry ?? "";
    const decision = {
      type: "strip-thinking",
      layer: "engine",
      reason,
      frees: state.items.filter(isThinking).reduce((sum, { block }) => sum + tokensOf(block), 0),
      basis: state.head,
      upTo,
    } as const;
    const appended = await append([{ kind: "decision", decision }]);
    return appended.ok ? ok() : appended;
  }

  function dropPatch(): RequestPatch {
    const binding = { block_binding: { prefix_mismatch_behavior: "drop_block" } };
    return { thinking: { ...thinking, ...binding }, betas: [bindingControlsBeta] };
  }

  /** A turn that did not begin with thinking can only go on without. */
  const isOffNow = () => thinking?.type === "enabled" && isTurnWithoutThinking(state.items);
  const offPatch = () => (isOffNow() ? { thinking: { type: "disabled" } } : {});

  /** Whether there is thinking that came after a decision. */
  function standsOnDecision(seq: number): boolean {
    return state.items.some((item) => item.seq > seq && isThinking(item));
  }

  return {
    mustWait(drafts) {
      if (!isBound || choice() !== "wait" || drafts.some(keepsBinding)) return false;
      const undone = drafts.flatMap((draft) =>
        draft.kind === "decision" && draft.decision.type === "restore" ? draft.decision.decisionSeq : [],
      );
      if (undone.some(standsOnDecision)) return true;
      const before = state.items;
      const after = drafts.reduce(
        (items, draft) =>
          draft.kind === "decision"
            ? decidedItems(items, { decision: draft.decision, id: "", seq: Number.MAX_SAFE_INTEGER })
            : items,
        before,
      );
      return changesBoundPrefix(before, after);
    },
    forbidsUndo: (decisionSeq) => isBound && choice() === "wait" && standsOnDecision(decisionSeq),
    async settle(from) {
      unbound = isBound ? look(from) : [];
      const blocks = unbound.length;
      if (blocks > 0 && choice() === "drop-block") {
        return ok({
          patch: dropPatch(),
          report: { choice: "drop-block", blocks, isOff: false },
          hasStripped: false,
        });
      }
      if (blocks > 0) {
        const stripped = await strip("what this thinking is bound to has changed");
        if (!stripped.ok) return stripped;
        unbound = [];
      }
      const patch = offPatch();
      const isOff = "thinking" in patch;
      if (blocks > 0) return ok({ patch, report: { choice: "strip", blocks, isOff }, hasStripped: true });
      return ok({ patch, ...(isOff && { report: { blocks, isOff } }), hasStripped: false });
    },
    patch: () => (isBound && choice() === "drop-block" && look(0).length > 0 ? dropPatch() : {}),
    strip,
    check(request) {
      const config = request.thinking as { readonly block_binding?: unknown } | undefined;
      if (config?.block_binding !== undefined) return [];
      return unbound.map((position) => ({
        rule: "thinking-bound",
        path: `block ${position}`,
        message: "The thinking is bound to another prefix than the one it stands on.",
      }));
    },
  };
}

/** The API's own compaction carries on what thinking behind it is bound to. */
function keepsBinding(draft: EntryDraft): boolean {
  return (
    draft.kind === "decision" &&
    draft.decision.type === "compact" &&
    draft.decision.summary?.prefixDigest !== undefined
  );
}

/** Digests by position; `undefined` where nothing is carried. */
type CarriedAt = (position: number) => string | undefined;

/**
 * Digests of prefixes as if what the API's own compaction stands for were still there: it vouches for that, and
 * thinking behind its block stays bound to it. `from`: items before it are those of the call before.
 */
function createCarriedDigests(state: Pick<SessionState, "items" | "messageOf">): (from: number) => CarriedAt {
  let block: ViewItem | undefined;
  let chain: PrefixChain | undefined;
  return (from) => {
    const { items } = state;
    const first = items[0];
    if (!first || first.decision !== first.entry || !isNativeBlock(first.block)) return () => undefined;
    const digest = state.messageOf(first.entry)?.prefixDigest;
    if (typeof digest !== "string") return () => undefined;
    const isSame = chain !== undefined && block === first;
    const known = chain !== undefined && isSame ? chain : continuePrefixChain(seenDigest(digest));
    known.update(items.slice(1), isSame ? Math.max(0, from - 1) : 0);
    block = first;
    chain = known;
    return (position) => (position > 0 ? seenDigest(known.digest(position - 1)) : undefined);
  };
}
