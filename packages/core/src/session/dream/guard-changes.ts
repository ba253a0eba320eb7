import type { ChangeSet } from "../../layers/6-dream/rules/change-set.ts";
import { checkGuards, type GuardOptions } from "../../layers/6-dream/rules/check-guards.ts";
import type { Snapshot } from "../../layers/6-dream/rules/snapshot.ts";
import type { DreamNumbers } from "../../layers/6-dream/settings.ts";
import { ok, type Result } from "../../spec/index.ts";
import type { SecretMask } from "../secrets/index.ts";
import type { ReviewReason } from "./dream-record.ts";
import type { DreamWork } from "./dreamer.ts";
import { guardSecrets } from "./guard-secrets.ts";
import type { MemoryFormats } from "./memory-formats.ts";

/** A change set that was looked at. */
export interface GuardedChanges {
  /** With masks in place of secrets that memory did not hold before. */
  readonly changeSet: ChangeSet;
  readonly guards: GuardOptions;
  /** What these guards would no longer find, or never look for. */
  readonly doubts: readonly ReviewReason[];
  /** Everything that speaks against applying it. */
  readonly reasons: readonly ReviewReason[];
}

export interface GuardParts {
  readonly mask: SecretMask["mask"];
  readonly numbers: Pick<DreamNumbers, "maxRemovedPercent">;
  readonly formats: MemoryFormats;
}

export async function guardChanges(
  changeSet: ChangeSet,
  before: Snapshot,
  { doubts = [] }: Pick<DreamWork, "doubts">,
  { mask, numbers, formats }: GuardParts,
): Promise<Result<GuardedChanges>> {
  const secrets = await guardSecrets(changeSet, before, mask);
  if (!secrets.ok) return secrets;
  const { findSecrets, masked } = secrets.value;
  const { format, checkIndex } = formats;
  const guards = {
    parse: format.parse,
    checkIndex,
    findSecrets,
    maxRemovedPercent: numbers.maxRemovedPercent,
  };
  const failures = checkGuards(changeSet, before, guards);
  const leaks = failures.filter((failure) => failure.guard === "secrets");
  return ok({
    changeSet: masked(changeSet, new Set(leaks.map(({ path = "" }) => path))),
    guards,
    doubts: [...doubts, ...leaks],
    reasons: [...doubts, ...failures],
  });
}
