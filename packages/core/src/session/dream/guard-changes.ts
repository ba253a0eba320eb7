import type { Change, ChangeSet } from "../../layers/6-dream/rules/change-set.ts";
import { checkGuards, type GuardOptions } from "../../layers/6-dream/rules/check-guards.ts";
import type { Snapshot } from "../../layers/6-dream/rules/snapshot.ts";
import type { DreamNumbers } from "../../layers/6-dream/settings.ts";
import { ok, type Result } from "../../spec/index.ts";
import type { MaskedText, SecretMask } from "../secrets/index.ts";
import type { ReviewReason } from "./dream-record.ts";
import type { DreamWork } from "./dreamer.ts";
import type { MemoryFormats } from "./memory-formats.ts";

/** A change set that was looked at. */
export interface GuardedChanges {
  /** With masks in place of secrets that memory did not hold before. */
  readonly changeSet: ChangeSet;
  readonly guards: GuardOptions;
  /** Doubts that these guards would no longer find, or never look for. */
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

interface GuardedSecrets {
  /** For the guards: what each text of the change set and of the folder before it holds. */
  findSecrets(text: string): readonly string[];
  /** The change set with masks in place of the secrets in these files: what waits for a person holds none. */
  masked(changeSet: ChangeSet, paths: ReadonlySet<string>): ChangeSet;
}

/** Looks for secrets in what a dream would write, and in what was there before only where it would write some. */
async function guardSecrets(
  { changes }: Pick<ChangeSet, "changes">,
  before: Snapshot,
  mask: SecretMask["mask"],
): Promise<Result<GuardedSecrets>> {
  const found = new Map<string, MaskedText>();
  async function look(text: string): Promise<Result<void>> {
    if (found.has(text)) return ok();
    const masked = await mask(text);
    if (!masked.ok) return masked;
    found.set(text, masked.value);
    return ok();
  }
  const texts = changes.flatMap((change) => (change.kind === "write" ? [change.text] : []));
  for (const text of texts) {
    const looked = await look(text);
    if (!looked.ok) return looked;
  }
  const hasSome = [...found.values()].some(({ secrets }) => secrets.length > 0);
  for (const { text } of hasSome ? before : []) {
    const looked = await look(text);
    if (!looked.ok) return looked;
  }
  const maskedChange = (change: Change): Change =>
    change.kind === "write" ? { ...change, text: found.get(change.text)?.text ?? change.text } : change;
  return ok({
    findSecrets: (text) => (found.get(text)?.secrets ?? []).map((secret) => secret.mask),
    masked: (changeSet, paths) => ({
      ...changeSet,
      changes: changeSet.changes.map((change) => (paths.has(change.path) ? maskedChange(change) : change)),
    }),
  });
}
