import { compactionLayerId } from "../../layers/4-compaction/rules/build-boundary.ts";
import {
  type ContentBlock,
  type Entry,
  type EntryDraft,
  fail,
  type Layer,
  type LayerId,
  type LayerIo,
  type LayerReport,
  type Moment,
  ok,
  type PalimpsestError,
  type RepairStep,
  type Result,
  type View,
} from "../../spec/index.ts";
import { type CutAnswer, findCutAnswer } from "../../view/newest-answer.ts";
import { freedByRepair } from "../../view/request/answer-repair.ts";
import { withinTime } from "../../within-time.ts";
import type { ThinkingGuard } from "../cache/thinking-guard.ts";
import { forkWithoutKeyIsNoModel } from "../session-config.ts";
import type { SessionParts } from "../session-parts.ts";
import { restoreDraft } from "../undo/undo.ts";
import { currentFacts, layerContext } from "./facts.ts";
import {
  type ActVerdict,
  applySafely,
  type Landing,
  type LayerOutcome,
  planLayers,
  runLayers,
} from "./run-layers.ts";

/** How long the end of a session waits for layers that do not heed their signal. */
export const stopWaitMs = 5_000;

/** Runs a session's layers at the moments they name, and takes in what they make. */
export interface LayerRunner {
  /** Runs the layers due; after a compaction, those due then as well. The signal ends what they do. */
  reach(moment: Moment, signal?: AbortSignal): Promise<Result<LayerOutcome>>;
  plan(moment: Moment): readonly LayerReport[];
  /**
   * Waits for work in the background as long as its layers want a request to wait; `null` where none does. Not to be
   * waited for in a turn: what the work brings needs one.
   */
  settle(): Promise<void> | null;
  /** Ends a layer's work in the background, for this once; `false` where none goes on. What it would bring is dropped. */
  stopTask(layer: LayerId): Promise<boolean>;
  /** Ends all work in the background; what it would still have brought is dropped. */
  stop(): Promise<void>;
}

interface LayerRunnerParts extends Omit<SessionParts, "surroundings"> {
  readonly view: () => View;
  readonly guard: ThinkingGuard;
  readonly tokensOf: LayerIo["tokensOf"];
  readonly fork: LayerIo["fork"];
  readonly surroundings?: LayerIo["surroundings"];
  readonly accounting?: LayerIo["accounting"];
  readonly compactNatively?: LayerIo["compactNatively"];
  readonly append: (drafts: readonly EntryDraft[]) => Promise<Result<readonly Entry[]>>;
  /** Waits until nothing else is done with the session. */
  readonly inTurn: (work: () => Promise<Result<void>>) => Promise<void>;
}

interface RunningWork {
  readonly startedMs: number;
  /** Aborted once other work of the layer takes its place, or somebody stops it. */
  readonly dropped: AbortController;
}

export function createLayerRunner(parts: LayerRunnerParts): LayerRunner {
  const { layers, state, store, clock, ids, view, guard, append, inTurn, emit } = parts;
  /** The newest work of each layer in the background, until it is done. */
  const running = new Map<Layer, RunningWork>();
  /** Work in the background and whose it is, until what it brought has landed. */
  const tasks = new Map<Promise<void>, Layer>();
  const stopping = new AbortController();
  const io: LayerIo = {
    /** A layer's fork ends with it. */
    fork: async (directive, options) => {
      const signal = AbortSignal.any([stopping.signal, ...(options.signal ? [options.signal] : [])]);
      return forkWithoutKeyIsNoModel(await parts.fork(directive, { ...options, signal }));
    },
    session: parts.id,
    ...(parts.parent && { parent: parts.parent }),
    emit,
    tokensOf: parts.tokensOf,
    ...(parts.compactNatively && { compactNatively: parts.compactNatively }),
    prefixDigest: state.prefixDigest,
    blobs: store.blobs,
    tree: store.tree("memory"),
    ...(store.notesCopies && { notesCopies: store.notesCopies }),
    ...(parts.accounting && { accounting: parts.accounting }),
    ...(parts.surroundings && { surroundings: parts.surroundings }),
    clock,
    ids,
  };
  const facts = () =>
    currentFacts(
      parts,
      [...running.keys()].map(({ id }) => id),
    );

  /** Whether its work keeps a layer from being asked: not once it has gone on for too long. */
  function isRunning(layer: Layer): boolean {
    const work = running.get(layer);
    if (!work) return false;
    const staleMs = layer.staleMs?.(facts()) ?? Number.POSITIVE_INFINITY;
    return clock.monotonic() - work.startedMs < staleMs;
  }

  const report = (layer: Layer, error: PalimpsestError) =>
    emit({ type: "layer-failed", layer: layer.id, message: error.message });

  /** Appends what a layer made, unless what it was decided on is gone or thinking forbids it just now. */
  async function commit(
    layer: Layer,
    drafts: readonly EntryDraft[],
    basis: number,
  ): Promise<Result<Landing>> {
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
    running.get(layer)?.dropped.abort();
    const mine: RunningWork = { startedMs: clock.monotonic(), dropped: new AbortController() };
    running.set(layer, mine);
    const task = layerContext
      .run(false, () => work(layer, verdict, mine))
      .catch((cause: PalimpsestError): "failed" => {
        report(layer, cause);
        return "failed";
      })
      .then((outcome) => {
        tasks.delete(task);
        emit({ type: "task-end", layer: layer.id, outcome });
      });
    tasks.set(task, layer);
  }

  async function work(
    layer: Layer,
    { command, basis }: ActVerdict,
    mine: RunningWork,
  ): Promise<"done" | "failed" | "stopped"> {
    const signal = AbortSignal.any([stopping.signal, mine.dropped.signal]);
    const { value, error } = await applySafely(layer, command, io, signal);
    if (running.get(layer) === mine) running.delete(layer);
    if (error) throw error;
    if (signal.aborted) {
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
    const landed = await commit(layer, drafts, basis);
    if (!landed.ok) return landed;
    if (landed.value !== "act" || !drafts.some(isCompaction)) return ok();
    const reached = await reach({ kind: "after-compaction" });
    return reached.ok ? ok() : reached;
  }

  async function reach(moment: Moment, given?: AbortSignal): Promise<Result<LayerOutcome>> {
    if (!layers.some(({ moments }) => moments.includes(moment.kind)))
      return ok({ reports: [], patches: [], errors: [] });
    let hasCompacted = false;
    const outcome = await layerContext.run(true, () =>
      runLayers({
        layers,
        moment,
        view,
        facts,
        io,
        signal: given ? AbortSignal.any([stopping.signal, given]) : stopping.signal,
        // A person who asks for a compaction does not wait for one that is being prepared.
        isRunning: (layer) => isRunning(layer) && !isAskedForByHand(layer, moment),
        start,
        onFailure: report,
        async commit(layer, drafts, basis) {
          const landed = await commit(layer, drafts, basis);
          const isCompacted = landed.ok && landed.value === "act" && drafts.some(isCompaction);
          if (isCompacted) running.get(layer)?.dropped.abort();
          hasCompacted ||= isCompacted;
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
      errors: [...outcome.errors, ...after.value.errors],
    });
  }

  return {
    reach,
    plan: (moment) => planLayers({ layers, moment, isRunning }, view(), facts()),
    settle() {
      const awaited = [...tasks].flatMap(([task, layer]) => {
        const isStale = running.has(layer) && !isRunning(layer);
        const waitMs = isStale ? 0 : (layer.waitMs?.(view(), facts()) ?? 0);
        return waitMs > 0 ? [withinTime(task, waitMs, clock)] : [];
      });
      return awaited.length === 0 ? null : Promise.all(awaited).then(() => undefined);
    },
    async stopTask(id) {
      const mine = [...running].filter(([layer]) => layer.id === id);
      const ended = [...tasks].flatMap(([task, layer]) => (layer.id === id ? [task] : []));
      for (const [, { dropped }] of mine) dropped.abort();
      if (mine.length > 0) await withinTime(Promise.all(ended), stopWaitMs, clock);
      return mine.length > 0;
    },
    async stop() {
      stopping.abort();
      await withinTime(Promise.all(tasks.keys()), stopWaitMs, clock);
    },
  };
}

function isAskedForByHand({ id }: Layer, moment: Moment): boolean {
  return id === compactionLayerId && moment.kind === "before-request" && moment.compact !== undefined;
}

function isCompaction(draft: EntryDraft): boolean {
  return draft.kind === "decision" && draft.decision.type === "compact";
}

/** Answers that were cut because the model's window was full: each is asked for again, on less. */
interface CutAnswers {
  /** The newest answer, where it is one and nothing was compacted since; who only reads leaves it as it is. */
  find(): CutAnswer | null;
  /** Takes one out of the view: half an answer is no beginning of the next. Gives what says so, where it can be done. */
  takeBack(cut: CutAnswer): Promise<Result<Entry | undefined>>;
  /** Brings one back by what took it out, since it cannot be asked for again. Fails in any case. */
  giveUp(taken: Entry): Promise<Result<never>>;
}

interface CutAnswersParts extends Pick<SessionParts, "state" | "log"> {
  readonly tokensOf: (block: ContentBlock) => number;
  readonly append: (drafts: readonly EntryDraft[]) => Promise<Result<readonly Entry[]>>;
}

const why = "the window was full before the answer was whole: it is asked for again";

export function createCutAnswers({ state, log, tokensOf, append }: CutAnswersParts): CutAnswers {
  return {
    find() {
      if (log.isReadOnly) return null;
      const { items, messageOf, liveCompactions } = state;
      return findCutAnswer({ items, messageOf, boundarySeq: liveCompactions.at(-1)?.seq });
    },
    async takeBack({ repeatable }) {
      if (repeatable.length === 0) return ok(undefined);
      const steps = repeatable.map(
        ({ entry, index: block }): RepairStep => ({ repair: "drop-block", place: { entry, block }, why }),
      );
      const frees = freedByRepair(state.items, steps, tokensOf);
      const head = { layer: "engine", reason: why, frees, basis: state.head } as const;
      const appended = await append([{ kind: "decision", decision: { ...head, type: "repair", steps } }]);
      return appended.ok ? ok(appended.value[0]) : appended;
    },
    async giveUp(taken) {
      const back = await append([restoreDraft(taken, state.head, "nothing could be freed")]);
      return back.ok ? windowFull() : back;
    },
  };
}

function windowFull(): Result<never> {
  return fail("too-large", "The answer was cut: the model's window is full, and nothing could be freed.", {
    fix: "Compact the session, ask for less at once, use fewer tools, or a model with a larger window.",
  });
}
