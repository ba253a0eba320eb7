import {
  type Entry,
  type EntryDraft,
  type Layer,
  type LayerIo,
  type LayerReport,
  type Moment,
  ok,
  type PalimpsestError,
  type Result,
  type View,
} from "../spec/index.ts";
import { currentFacts } from "./facts.ts";
import { insideLayers } from "./inside-layers.ts";
import {
  type ActVerdict,
  applySafely,
  type Landing,
  type LayerOutcome,
  planLayers,
  runLayers,
} from "./run-layers.ts";
import type { SessionParts } from "./session-parts.ts";
import type { ThinkingGuard } from "./thinking-guard.ts";

/** How long the end of a session waits for layers that do not heed their signal. */
export const stopWaitMs = 5_000;

/** Runs a session's layers at the moments they name, and takes in what they make. */
export interface LayerRunner {
  /** Runs the layers due; after a compaction, those due then as well. */
  reach(moment: Moment): Promise<Result<LayerOutcome>>;
  plan(moment: Moment): readonly LayerReport[];
  /** Ends all work in the background; what it would still have brought is dropped. */
  stop(): Promise<void>;
}

export interface LayerRunnerParts extends SessionParts {
  readonly view: () => View;
  readonly guard: ThinkingGuard;
  readonly tokensOf: LayerIo["tokensOf"];
  readonly fork: LayerIo["fork"];
  readonly append: (drafts: readonly EntryDraft[]) => Promise<Result<readonly Entry[]>>;
  /** Waits until nothing else is done with the session. */
  readonly inTurn: (work: () => Promise<Result<void>>) => Promise<void>;
}

export function createLayerRunner(parts: LayerRunnerParts): LayerRunner {
  const { layers, state, store, clock, ids, view, guard, append, inTurn, emit } = parts;
  const running = new Set<Layer>();
  /** Work in the background, until what it brought has landed. */
  const tasks = new Set<Promise<void>>();
  const stopping = new AbortController();
  const io: LayerIo = {
    /** What a layer has begun ends with it. */
    fork: (directive, options) =>
      parts.fork(directive, {
        ...options,
        signal: AbortSignal.any([stopping.signal, ...(options.signal ? [options.signal] : [])]),
      }),
    session: parts.id,
    emit,
    tokensOf: parts.tokensOf,
    blobs: store.blobs,
    tree: store.tree("memory"),
    clock,
    ids,
  };
  const facts = () =>
    currentFacts(
      parts,
      [...running].map(({ id }) => id),
    );
  const isRunning = (layer: Layer) => running.has(layer);
  const report = (layer: Layer, error: PalimpsestError) =>
    emit({ type: "layer-failed", layer: layer.id, message: error.message });

  /** Appends what a layer made, unless what it was decided on is gone or thinking forbids it just now. */
  async function land(layer: Layer, drafts: readonly EntryDraft[], basis: number): Promise<Result<Landing>> {
    if (basis > state.lastSeq || !state.isLive(basis)) {
      emit({ type: "draft-dropped", layer: layer.id, basis });
      return ok("dropped");
    }
    if (guard.mustWait(drafts)) return ok("waiting");
    const appended = drafts.length === 0 ? ok([]) : await append(drafts);
    return appended.ok ? ok("act") : appended;
  }

  function start(layer: Layer, verdict: ActVerdict): void {
    emit({ type: "task-start", layer: layer.id, reason: verdict.reason });
    running.add(layer);
    const task = insideLayers
      .run(false, () => work(layer, verdict))
      .catch((cause: PalimpsestError): "failed" => {
        running.delete(layer);
        report(layer, cause);
        return "failed";
      })
      .then((outcome) => {
        tasks.delete(task);
        emit({ type: "task-end", layer: layer.id, outcome });
      });
    tasks.add(task);
  }

  async function work(layer: Layer, { command, basis }: ActVerdict): Promise<"done" | "failed" | "stopped"> {
    const { value, error } = await applySafely(layer, command, io, stopping.signal);
    if (error) throw error;
    running.delete(layer);
    if (stopping.signal.aborted) {
      if (value.length > 0) emit({ type: "draft-dropped", layer: layer.id, basis });
      return "stopped";
    }
    await inTurn(() => landLater(layer, value, basis));
    return "done";
  }

  async function landLater(
    layer: Layer,
    drafts: readonly EntryDraft[],
    basis: number,
  ): Promise<Result<void>> {
    const landed = await land(layer, drafts, basis);
    if (!landed.ok) return landed;
    if (landed.value !== "act" || !drafts.some(isCompaction)) return ok();
    const reached = await reach({ kind: "after-compaction" });
    return reached.ok ? ok() : reached;
  }

  async function reach(moment: Moment): Promise<Result<LayerOutcome>> {
    let hasCompacted = false;
    const outcome = await insideLayers.run(true, () =>
      runLayers({
        layers,
        moment,
        view,
        facts,
        io,
        signal: stopping.signal,
        isRunning,
        start,
        onFailure: report,
        async land(layer, drafts, basis) {
          const landed = await land(layer, drafts, basis);
          hasCompacted ||= landed.ok && landed.value === "act" && drafts.some(isCompaction);
          return landed;
        },
      }),
    );
    if (!hasCompacted || moment.kind === "after-compaction") return ok(outcome);
    const after = await reach({ kind: "after-compaction" });
    if (!after.ok) return after;
    return ok({
      reports: [...outcome.reports, ...after.value.reports],
      patches: [...outcome.patches, ...after.value.patches],
    });
  }

  return {
    reach,
    plan: (moment) => planLayers({ layers, moment, isRunning }, view(), facts()),
    async stop() {
      stopping.abort();
      const waited = new AbortController();
      await Promise.race([Promise.all(tasks), clock.sleep(stopWaitMs, waited.signal)]);
      waited.abort();
    },
  };
}

function isCompaction(draft: EntryDraft): boolean {
  return draft.kind === "decision" && draft.decision.type === "compact";
}
