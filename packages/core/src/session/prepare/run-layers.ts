import { isObject } from "../../json/json-values.ts";
import {
  type Entry,
  type EntryDraft,
  type Facts,
  fail,
  type Layer,
  type LayerIo,
  type LayerReport,
  type Moment,
  ok,
  PalimpsestError,
  type RequestPatch,
  type Result,
  type SessionBody,
  type Verdict,
  type View,
} from "../../spec/index.ts";
import { checkEntry, validMessage } from "../../view/projection/valid-entry.ts";
import { checkFields } from "../head/request-head.ts";

export type ActVerdict = Extract<Verdict<unknown>, { readonly verdict: "act" }>;

export interface LayerRun {
  readonly layers: readonly Layer[];
  readonly moment: Moment;
  /** The view as it is now: asked again after each layer, since the layer before may have changed it. */
  readonly view: () => View;
  /** As they are now: asked once for all layers up to the next one that does something. */
  readonly facts: () => Facts;
  readonly io: LayerIo;
  readonly signal: AbortSignal;
  /** Takes in what a layer made, and says what became of it; fails where it cannot be taken in. */
  readonly commit: (layer: Layer, drafts: readonly EntryDraft[], basis: number) => Promise<Result<Landing>>;
  readonly onFailure: (layer: Layer, error: PalimpsestError) => void;
  /** Whether the layer's work goes on in the background: it is not asked again before that has ended. */
  readonly isRunning: (layer: Layer) => boolean;
  readonly start: (layer: Layer, verdict: ActVerdict) => void;
}

export type Landing = "act" | "dropped" | "waiting";

export interface LayerOutcome {
  readonly reports: readonly LayerReport[];
  /** Fields the layers add to the next request, in their order. */
  readonly patches: readonly RequestPatch[];
  /** Why layers failed, in their order. */
  readonly errors: readonly PalimpsestError[];
}

/** The planned action of each layer due at the moment; nothing is changed. */
export function planLayers(
  { layers, moment, isRunning }: Pick<LayerRun, "layers" | "moment" | "isRunning">,
  view: View,
  facts: Facts,
): readonly LayerReport[] {
  return layers
    .filter(({ moments }) => moments.includes(moment.kind))
    .map((layer) =>
      toReport(layer, moment, isRunning(layer) ? stillRunning : decideSafely(layer, view, moment, facts)),
    );
}

const stillRunning = { verdict: "skip", reason: "its background work is still running" } as const;

/**
 * Runs the layers due at a moment, in their order. A layer that fails is reported and skipped: the others go on, and
 * nothing throws.
 */
export async function runLayers(run: LayerRun): Promise<LayerOutcome> {
  const reports: LayerReport[] = [];
  const patches: RequestPatch[] = [];
  const errors: PalimpsestError[] = [];
  let facts: Facts | null = null;
  for (const layer of run.layers) {
    if (!layer.moments.includes(run.moment.kind)) continue;
    let verdict: Verdict<unknown> = stillRunning;
    if (!run.isRunning(layer)) {
      facts ??= run.facts();
      verdict = decideSafely(layer, run.view(), run.moment, facts);
    }
    const report = toReport(layer, run.moment, verdict);
    if (verdict.verdict === "skip") {
      reports.push(report);
      continue;
    }
    facts = null;
    if (verdict.run === "background") {
      run.start(layer, verdict);
      reports.push({ ...report, outcome: "started", frees: 0 });
    } else reports.push(await act(layer, verdict, report, run, errors));
    const outcome = reports.at(-1)?.outcome;
    if (verdict.request && (outcome === "act" || outcome === "started")) patches.push(verdict.request);
  }
  return { reports, patches, errors };
}

async function act(
  layer: Layer,
  verdict: ActVerdict,
  report: LayerReport,
  run: LayerRun,
  errors: PalimpsestError[],
): Promise<LayerReport> {
  const failed = (error: PalimpsestError): LayerReport => {
    run.onFailure(layer, error);
    errors.push(error);
    return { ...report, outcome: "failed", reason: error.message, frees: 0 };
  };
  const { value, error } = await applySafely(layer, verdict.command, run.io, run.signal);
  if (error) return failed(error);
  const landed = await run.commit(layer, value, verdict.basis);
  if (!landed.ok) return failed(landed.error);
  return landed.value === "act" ? report : { ...report, outcome: landed.value, frees: 0 };
}

function toReport(layer: Layer, moment: Moment, verdict: Verdict<unknown>): LayerReport {
  const { reason } = verdict;
  const frees = verdict.verdict === "act" ? verdict.frees : 0;
  return { layer: layer.id, moment: moment.kind, outcome: verdict.verdict, reason, frees };
}

function decideSafely(layer: Layer, view: View, moment: Moment, facts: Facts): Verdict<unknown> {
  try {
    return checkVerdict(layer.decide(view, moment, facts));
  } catch (cause) {
    return { verdict: "skip", reason: `it failed to decide: ${messageOf(cause)}` };
  }
}

/** An invalid verdict is a skip that says so. */
function checkVerdict(verdict: Verdict<unknown>): Verdict<unknown> {
  const { verdict: kind, reason } = (verdict ?? {}) as Partial<ActVerdict>;
  if (kind !== "act") {
    const isSkip = (kind as string | undefined) === "skip" && typeof reason === "string";
    return isSkip ? verdict : { verdict: "skip", reason: "its decision is not a verdict" };
  }
  const { basis, frees, run, request } = verdict as ActVerdict;
  const isSound =
    Number.isFinite(basis) && Number.isFinite(frees) && (run === "inline" || run === "background");
  if (!isSound) return { verdict: "skip", reason: "its verdict lacks a basis, what it frees, or how to run" };
  const checked = checkFields(request ?? {});
  return checked.ok ? verdict : { verdict: "skip", reason: checked.error.message };
}

export async function applySafely(
  layer: Layer,
  command: unknown,
  io: LayerIo,
  signal: AbortSignal,
): Promise<{ readonly value: readonly EntryDraft[]; readonly error?: PalimpsestError }> {
  try {
    const applied = await layer.apply(command, io, signal);
    if (!applied.ok) return { value: [], error: applied.error };
    const checked = checkDrafts(applied.value);
    return checked.ok ? { value: checked.value } : { value: [], error: checked.error };
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

/** A layer's drafts, if they can be appended; a log must never hold what nobody can read. */
function checkDrafts(drafts: unknown): Result<readonly EntryDraft[]> {
  if (!Array.isArray(drafts)) return refuse("it gave no list of drafts");
  for (const [index, draft] of drafts.entries()) {
    const fault = draftFault(draft);
    if (fault !== null) return refuse(`draft ${index} ${fault}`);
  }
  return ok(drafts.map(bodyOf));
}

/** The fields a draft may set; all others of an entry are the engine's. */
function bodyOf(draft: Exclude<EntryDraft, SessionBody>): EntryDraft {
  const { id, at } = draft;
  const head = { ...(id !== undefined && { id }), ...(at !== undefined && { at }) };
  switch (draft.kind) {
    case "message": {
      const { kind, message, parent } = draft;
      return { kind, ...head, message, ...(parent !== undefined && { parent }) };
    }
    case "decision":
      return { kind: draft.kind, ...head, decision: draft.decision };
    case "note":
      return { kind: draft.kind, ...head, note: draft.note };
  }
}

function draftFault(draft: unknown): string | null {
  if (typeof draft !== "object" || draft === null) return "is no object";
  const { kind, id, at, message, note } = draft as Record<string, unknown>;
  if (at !== undefined && !isTime(at)) return "has a time that is none";
  if (id !== undefined && (typeof id !== "string" || id === "")) return "has an id that is none";
  if (kind === "message") return isObject(message) && isSoundMessage(message) ? null : "has no message";
  if (kind === "decision")
    return checkEntry(draft as Entry) === draft ? null : "has no decision of a known kind";
  return kind === "note" && isObject(note) ? null : "is of no kind that a layer may append";
}

function isSoundMessage(message: object): boolean {
  const { type } = message as { readonly type?: unknown };
  return typeof type === "string" && validMessage(message as Parameters<typeof validMessage>[0]) === message;
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

function refuse(what: string): Result<never> {
  return fail("invalid-input", `What the layer made was not appended: ${what}.`, {
    fix: "This is a fault of the layer.",
  });
}
