import { planSnip } from "../layers/4-compaction/rules/decide-snip.ts";
import {
  type CompactionReport,
  type CompactRequest,
  type ContentBlock,
  type Entry,
  type EntryDraft,
  fail,
  type LayerReport,
  ok,
  PalimpsestError,
  type Result,
  type SnipReport,
  type TokenCount,
  type UndoReport,
  type View,
  type ViewItem,
} from "../spec/index.ts";
import { freedByRepair } from "../view/request/answer-repair.ts";
import { refusedImageSteps } from "../view/request/refused-blocks.ts";
import { createMeasure } from "../view/tokens/measure.ts";
import type { ThinkingGuard } from "./cache/thinking-guard.ts";
import type { LayerRunner } from "./prepare/layer-runner.ts";
import type { LayerOutcome } from "./prepare/run-layers.ts";
import type { SessionConfig } from "./session-config.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionParts } from "./session-parts.ts";
import { checkUndo, findEntry, restoreDraft, rewindDraft, undoTarget } from "./undo/undo.ts";

/** Edits of the view by a person or the loop. Each is one turn of the session. */
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

/** The fault in a person's request; `null` where nothing is. */
function checkCompactRequest(request: CompactRequest, items: readonly ViewItem[]): Result<never> | null {
  const { instructions, from, upTo } = request;
  for (const [path, value] of Object.entries({ instructions, from, upTo }))
    if (value !== undefined && typeof value !== "string")
      return fail("invalid-input", `${path}: it is no text.`, { path, fix: "Give a text, or leave it out." });
  if (from !== undefined && upTo !== undefined)
    return fail("invalid-input", "“from” and “upTo” are both given.", {
      path: "from",
      fix: "Give one of them: what comes after a message is compacted, or what comes before it.",
    });
  const named = from ?? upTo;
  if (named === undefined || items.some(({ entry }) => entry === named)) return null;
  return fail("not-found", `There is no message ${named} in what the model sees.`, {
    path: named,
    fix: "Name the entry of a message that was not compacted yet: “session.entries()” lists them.",
  });
}

/** Why nothing was compacted, in the words of whoever knows. */
function notCompacted({ errors, reports }: LayerOutcome): Result<never> {
  const error = errors.at(-1);
  if (error) return { ok: false, error };
  const reason = reports.findLast(({ moment }) => moment === "before-request")?.reason ?? "no layer compacts";
  return fail("conflict", `Nothing was compacted: ${reason}.`, {
    fix: "See “session.plan()” for what each layer says.",
  });
}

/** The result of a compaction, its summary whole: a large one stands in the log as a reference. */
async function readCompactionReport(
  log: SessionLog,
  { id, seq }: Pick<Entry, "id" | "seq">,
  layers: readonly LayerReport[],
): Promise<Result<CompactionReport>> {
  for await (const entry of log.readAfter(seq - 1, (one) => one.id === id)) {
    if (!entry.ok) return entry;
    if (entry.value.id === id) return ok(toCompactionReport(entry.value, layers));
  }
  return fail("corrupt", `The compaction ${id} is not in the log.`, { path: id });
}

function toCompactionReport(entry: Entry, layers: readonly LayerReport[]): CompactionReport {
  if (entry.kind !== "decision" || entry.decision.type !== "compact")
    throw new PalimpsestError("corrupt", `${entry.id} is no compaction.`);
  const { strategy, part, tokensBefore, tokensAfter, summary, modelFailure } = entry.decision;
  const text = typeof summary?.content === "string" ? summary.content : "";
  const about = {
    decision: entry.id,
    strategy,
    ...(part && { part }),
    ...(modelFailure && { modelFailure }),
  };
  return { ...about, tokensBefore, tokensAfter, summary: text, layers };
}

/** Why nothing may be snipped; `null` where it may. */
function snipRefusal(isOn: boolean, ids: unknown): Result<never> | null {
  if (!isOn) return fail("denied", "Snipping is off.", { fix: "Turn the flag “snip” on." });
  const areIds = ids === undefined || (Array.isArray(ids) && ids.every((id) => typeof id === "string"));
  return areIds
    ? null
    : fail("invalid-input", "ids: they are no list of texts.", { path: "ids", fix: "Give ids, or none." });
}
