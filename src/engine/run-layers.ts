import {
  type EntryDraft,
  type Facts,
  type Layer,
  type LayerIo,
  type LayerReport,
  type Moment,
  PalimpsestError,
  type RequestPatch,
  type Verdict,
  type View,
} from "../spec/index.ts";

export interface LayerRun {
  readonly layers: readonly Layer[];
  readonly moment: Moment;
  /** The view as it is now: asked again after each layer, since the layer before may have changed it. */
  readonly view: () => View;
  readonly facts: () => Facts;
  readonly io: LayerIo;
  readonly signal: AbortSignal;
  /** Appends drafts; says how many of them were dropped because their basis is no longer live. */
  readonly append: (drafts: readonly EntryDraft[], basis: number) => Promise<{ readonly dropped: number }>;
  readonly onFailure: (layer: Layer, error: PalimpsestError) => void;
}

export interface LayerOutcome {
  readonly reports: readonly LayerReport[];
  /** Fields the layers add to the next request, in their order. */
  readonly patch: RequestPatch;
}

/** What each layer due at the moment would do; nothing is changed. */
export function planLayers(
  layers: readonly Layer[],
  moment: Moment,
  view: View,
  facts: Facts,
): readonly { readonly layer: Layer; readonly verdict: Verdict<unknown> }[] {
  return layers
    .filter(({ moments }) => moments.includes(moment.kind))
    .map((layer) => ({ layer, verdict: decideSafely(layer, view, moment, facts) }));
}

/**
 * Runs the layers due at a moment, in their order. A layer that fails is reported and skipped: the others go on, and
 * nothing throws.
 */
export async function runLayers(run: LayerRun): Promise<LayerOutcome> {
  const reports: LayerReport[] = [];
  let patch: RequestPatch = {};
  for (const layer of run.layers) {
    if (!layer.moments.includes(run.moment.kind)) continue;
    const verdict = decideSafely(layer, run.view(), run.moment, run.facts());
    if (verdict.verdict === "skip") {
      reports.push(toReport(layer, run.moment, verdict));
      continue;
    }
    const { value, error } = await applySafely(layer, verdict.command, run);
    if (error) {
      run.onFailure(layer, error);
      reports.push({
        ...toReport(layer, run.moment, verdict),
        outcome: "failed",
        reason: error.message,
        frees: 0,
      });
      continue;
    }
    const { dropped } = await run.append(value, verdict.basis);
    patch = { ...patch, ...verdict.request };
    const report = toReport(layer, run.moment, verdict);
    reports.push(dropped > 0 ? { ...report, outcome: "dropped", frees: 0 } : report);
  }
  return { reports, patch };
}

export function toReport(layer: Layer, moment: Moment, verdict: Verdict<unknown>): LayerReport {
  const { reason } = verdict;
  const frees = verdict.verdict === "act" ? verdict.frees : 0;
  return { layer: layer.id, moment: moment.kind, outcome: verdict.verdict, reason, frees };
}

function decideSafely(layer: Layer, view: View, moment: Moment, facts: Facts): Verdict<unknown> {
  try {
    return layer.decide(view, moment, facts);
  } catch (cause) {
    return { verdict: "skip", reason: `it failed to decide: ${messageOf(cause)}` };
  }
}

async function applySafely(
  layer: Layer,
  command: unknown,
  { io, signal }: LayerRun,
): Promise<{ readonly value: readonly EntryDraft[]; readonly error?: PalimpsestError }> {
  try {
    const applied = await layer.apply(command, io, signal);
    return applied.ok ? { value: applied.value } : { value: [], error: applied.error };
  } catch (cause) {
    return {
      value: [],
      error: new PalimpsestError("io", `Layer ${layer.id} failed: ${messageOf(cause)}`, { cause }),
    };
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
