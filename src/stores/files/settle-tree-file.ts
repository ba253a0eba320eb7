import { fail, ok, type Result } from "../../spec/index.ts";
import { applyTreeStep, type TreeSurroundings } from "./apply-tree-step.ts";
import { decideTreeStep, isOwedBeforeWriting, needsSnapshot, type TreeStep } from "./decide-tree-step.ts";
import { observeTree, type TreeObservation } from "./tree-observation.ts";
import type { TreePlace } from "./tree-place.ts";

const maxAccountingTries = 500;
const maxSettlingSteps = 16;

interface Accounted {
  readonly seen: TreeObservation;
  /** What is left to do; nothing that must come before a write. */
  readonly step: TreeStep;
}

/** Looks, and makes versions of what strangers did, until a version may be put on top of what was seen. */
export async function accountForTreeFile(
  around: TreeSurroundings,
  place: TreePlace,
): Promise<Result<Accounted>> {
  let before = "";
  for (let tries = 0; tries < maxAccountingTries; tries += 1) {
    const observed = await observeTree(around.disk, around.folder, around.history, place);
    if (!observed.ok) return observed;
    const seen = observed.value;
    const step = decideTreeStep(seen);
    if (!isOwedBeforeWriting(step, seen)) return ok({ seen, step });
    if (needsSnapshot(step) && before !== seen.signature) {
      before = seen.signature;
      continue;
    }
    before = "";
    const applied = await applyTreeStep(around, place, seen, step);
    if (!applied.ok && !isRace(applied.error.code)) return applied;
  }
  return fail("io", `${place.visible} changes faster than it can be followed.`, {
    path: place.visible,
    fix: "Try again.",
    retryable: true,
  });
}

/**
 * Accounts for what strangers did, then brings the visible file up to date as far as possible. Only the first can
 * fail: the history is the truth, and whoever comes next finds what is left to do.
 */
export async function settleTreeFile(
  around: TreeSurroundings,
  place: TreePlace,
): Promise<Result<TreeObservation>> {
  let before = "";
  const first = await accountForTreeFile(around, place);
  let accounted = first;
  for (let steps = 0; accounted.ok && steps < maxSettlingSteps; steps += 1) {
    const { seen, step } = accounted.value;
    const isSure = !needsSnapshot(step) || before === seen.signature;
    before = seen.signature;
    if (isSure) {
      const applied = await applyTreeStep(around, place, seen, step);
      if (!applied.ok && !isRace(applied.error.code)) around.onProblem(applied.error);
      if (isLast(step) || (!applied.ok && !isRace(applied.error.code))) return ok(seen);
    }
    const next = await accountForTreeFile(around, place);
    if (!next.ok) around.onProblem(next.error);
    if (!next.ok) return ok(seen);
    accounted = next;
  }
  return accounted.ok ? ok(accounted.value.seen) : accounted;
}

/** After these the visible file is as it should be, as far as was seen. */
function isLast({ step }: TreeStep): boolean {
  return step === "rest" || step === "confirm" || step === "sweep";
}

function isRace(code: string): boolean {
  return code === "exists" || code === "not-found";
}
