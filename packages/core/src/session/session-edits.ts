import { planSnip } from "../layers/4-compaction/rules/decide-snip.ts";
import {
  type CompactionReport,
  type CompactRequest,
  type ContentBlock,
  type Entry,
  type EntryDraft,
  type LayerReport,
  ok,
  type Result,
  type SnipReport,
  type TokenCount,
  type UndoReport,
  type View,
} from "../spec/index.ts";
import { freedByRepair } from "../view/request/freed-by-repair.ts";
import { refusedImageSteps } from "../view/request/refused-images.ts";
import { createMeasure } from "../view/tokens/measure.ts";
import type { ThinkingGuard } from "./cache/thinking-guard.ts";
import {
  checkCompactRequest,
  notCompacted,
  readCompactionReport,
  snipRefusal,
} from "./prepare/compact-by-hand.ts";
import type { LayerRunner } from "./prepare/layer-runner.ts";
import type { SessionConfig } from "./session-config.ts";
import type { SessionParts } from "./session-parts.ts";
import { checkUndo, findEntry, restoreDraft, rewindDraft, undoTarget } from "./undo/undo.ts";

/** What a person or the loop does to what the model sees. Each is one turn of the session. */
export interface SessionEdits {
  clear(targetTokens: number | undefined): Promise<Result<readonly LayerReport[]>>;
  compact(request: CompactRequest, signal?: AbortSignal): Promise<Result<CompactionReport>>;
  snip(ids: readonly string[] | undefined): Promise<Result<SnipReport>>;
  undo(decisionId: string | undefined): Promise<Result<UndoReport>>;
  rewind(to: string): Promise<Result<void>>;
  dropImages(words: string): Promise<Result<number>>;
}

export interface SessionEditsParts extends Pick<SessionParts, "state" | "log"> {
  /** As they are now: a switch of models changes them. */
  readonly config: () => SessionConfig;
  /** Where the log is, for a model that has no tool to recall with. */
  readonly logAddress: () => string | undefined;
  readonly runner: () => LayerRunner;
  readonly guard: () => ThinkingGuard;
  readonly view: () => View;
  readonly count: () => TokenCount;
  readonly tokensOf: (block: ContentBlock) => number;
  readonly append: (drafts: readonly EntryDraft[]) => Promise<Result<readonly Entry[]>>;
}

export function createSessionEdits(parts: SessionEditsParts): SessionEdits {
  const { state, log, config, logAddress, runner, guard, view, count, tokensOf, append } = parts;
  return {
    async clear(targetTokens) {
      const target = targetTokens === undefined ? {} : { targetTokens };
      const reached = await runner().reach({ kind: "before-request", trigger: "manual", ...target });
      return reached.ok ? ok(reached.value.reports) : reached;
    },

    async compact(request, signal) {
      const wrong = checkCompactRequest(request, state.items);
      if (wrong) return wrong;
      const before = state.liveCompactions.at(-1)?.id;
      const moment = { kind: "before-request", trigger: "manual", compact: request } as const;
      const reached = await runner().reach(moment, signal);
      if (!reached.ok) return reached;
      const made = state.liveCompactions.at(-1);
      if (made === undefined || made.id === before) return notCompacted(reached.value);
      return readCompactionReport(log, made, reached.value.reports);
    },

    async snip(ids) {
      const off = snipRefusal(config().flags.values.snip, ids);
      if (off) return off;
      const { decision, rounds, refused } = planSnip(view(), createMeasure(tokensOf), ids, logAddress());
      if (!decision) return ok({ rounds: 0, freedTokens: 0, refused });
      const appended = await append([{ kind: "decision", decision }]);
      if (!appended.ok) return appended;
      return ok({ decision: appended.value[0]?.id, rounds, freedTokens: decision.frees, refused });
    },

    async undo(decisionId) {
      const target = await undoTarget(state, log, decisionId);
      if (!target.ok) return target;
      const tokensBefore = count().tokens;
      const { id: decision } = target.value;
      const checked = checkUndo(target.value, tokensBefore, config().thresholds.blocking, guard());
      if (!checked.ok) return checked;
      const restored = await append([restoreDraft(target.value, state.head)]);
      if (!restored.ok) return restored;
      return ok({ decision, tokensBefore, tokensAfter: count().tokens });
    },

    async rewind(to) {
      const target = await findEntry(log, to);
      if (!target.ok) return target;
      const moved = await append([rewindDraft(target.value, state.head)]);
      return moved.ok ? ok() : moved;
    },

    async dropImages(words) {
      const steps = refusedImageSteps(state.items, words, logAddress());
      if (steps.length === 0) return ok(0);
      const frees = freedByRepair(state.items, steps, tokensOf);
      const about = { layer: "engine", reason: "the provider has refused an image", frees } as const;
      const decision = { ...about, type: "repair", basis: state.head, steps } as const;
      const appended = await append([{ kind: "decision", decision }]);
      return appended.ok ? ok(steps.length) : appended;
    },
  };
}
