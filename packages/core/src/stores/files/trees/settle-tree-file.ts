import { type ErrorCode, fail, ok, type Result, type TreeVersion } from "../../../spec/index.ts";
import { applyTreeStep, outside } from "./apply-tree-step.ts";
import {
  decideTreeStep,
  isOwedBeforeWriting,
  needsSnapshot,
  observeTree,
  type TreeObservation,
  type TreeStep,
} from "./decide-tree-step.ts";
import type { TreeLocation, TreeSurroundings } from "./tree-location.ts";

const maxAccountingTries = 500;
const maxSettlingSteps = 16;

/** Within this time the writer of a version makes it visible, unless it has died. */
export const freshMs = 1000;

interface AccountedFile {
  readonly seen: TreeObservation;
  /** The step left to do; nothing that must come before a write. */
  readonly step: TreeStep;
}

/** Looks, and makes versions of what strangers did, until a version may be put on top of what was seen. */
export async function accountForTreeFile(
  around: TreeSurroundings,
  location: TreeLocation,
): Promise<Result<AccountedFile>> {
  let before = "";
  for (let tries = 0; tries < maxAccountingTries; tries += 1) {
    const observed = await observeTree(around.disk, around.folder, around.history, location);
    if (!observed.ok) return observed;
    const seen = observed.value;
    const step = decideTreeStep(seen);
    if (!isOwedBeforeWriting(step)) return ok({ seen, step });
    if (needsSnapshot(step) && before !== seen.signature) {
      before = seen.signature;
      continue;
    }
    before = "";
    const applied = await applyTreeStep(around, location, seen, step);
    if (!applied.ok && !isRace(applied.error.code)) return applied;
  }
  return fail("io", `${location.visible} changes faster than it can be followed.`, {
    path: location.visible,
    fix: "Try again.",
    retryable: true,
  });
}

/**
 * Accounts for what strangers did, then brings the visible file up to date as far as possible. Only the first can
 * fail: the history is the truth, and whoever comes next finds what is left to do. A reader leaves a fresh version
 * to its writer.
 */
export async function settleTreeFile(
  around: TreeSurroundings,
  location: TreeLocation,
  role: "reader" | "writer",
): Promise<Result<TreeObservation>> {
  let accounted = await accountForTreeFile(around, location);
  for (let steps = 0; accounted.ok && steps < maxSettlingSteps; steps += 1) {
    const { seen, step } = accounted.value;
    if (role === "reader" && isUnderWay(around, seen, step)) return ok(seen);
    const applied = await applyTreeStep(around, location, seen, step);
    const isStuck = !applied.ok && !isRace(applied.error.code);
    if (!applied.ok && isStuck) around.onProblem(applied.error);
    if (isStuck || (applied.ok && isLast(step))) return ok(seen);
    const next = await accountForTreeFile(around, location);
    if (!next.ok) {
      around.onProblem(next.error);
      return ok(seen);
    }
    accounted = next;
  }
  return accounted.ok ? ok(accounted.value.seen) : accounted;
}

/** Makes a version visible that was just put on top of what was seen. Whatever moved meanwhile shows afterwards. */
export async function showTreeVersion(
  around: TreeSurroundings,
  location: TreeLocation,
  seen: TreeObservation,
  version: TreeVersion,
): Promise<void> {
  const expected = { ...seen, newest: version.version, header: version, damage: null };
  await applyTreeStep(around, location, expected, decideTreeStep(expected));
  const settled = await settleTreeFile(around, location, "writer");
  if (!settled.ok) around.onProblem(settled.error);
}

function isUnderWay({ clock }: TreeSurroundings, { header }: TreeObservation, { step }: TreeStep): boolean {
  if (header === null || header.author === outside) return false;
  const ageMs = clock.now() - Date.parse(header.at);
  return (step === "publish" || step === "take" || step === "confirm") && ageMs >= 0 && ageMs < freshMs;
}

/** After these the visible file is as it should be, as far as was seen. */
function isLast({ step }: TreeStep): boolean {
  return step === "rest" || step === "confirm" || step === "sweep";
}

/** Another process was faster: what was to be made exists, or what was to be used is gone. */
export function isRace(code: ErrorCode): boolean {
  return code === "exists" || code === "not-found";
}
