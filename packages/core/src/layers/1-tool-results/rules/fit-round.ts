import { frameChars, type ToolResultLimits, type ToolResultNumbers } from "../settings.ts";

/** A result as far as the limit of its round goes. */
export interface SizedResult {
  readonly chars: number;
  /** It is over its own limit. */
  readonly isOver: boolean;
}

export interface RoundFit {
  /** The results that go to disk. */
  readonly offloaded: ReadonlySet<SizedResult>;
  /** Bytes from the beginning of each that stay: fewer than usual where very many results share the round. */
  readonly previewBytes: number;
}

/**
 * Which results of a round go to disk: those over their own limit, and then the largest until the round holds. Where it
 * does not hold with the usual previews, they are halved until it does, or nothing is left of them.
 */
export function fitRound(
  results: readonly SizedResult[],
  settledChars: number,
  numbers: ToolResultNumbers & Pick<ToolResultLimits, "logAddress">,
): RoundFit {
  const bySize = results.filter(({ isOver }) => !isOver).toSorted((a, b) => b.chars - a.chars);
  const over = results.filter(({ isOver }) => isOver);
  const whole = bySize.reduce((sum, { chars }) => sum + chars, settledChars);

  function fitWith(previewBytes: number): RoundFit & { readonly holds: boolean } {
    const replaced = offloadedChars(previewBytes, numbers);
    const offloaded = new Set(over);
    let total = whole + over.length * replaced;
    for (const result of bySize) {
      if (total <= numbers.roundMaxChars || result.chars <= replaced) break;
      offloaded.add(result);
      total -= result.chars - replaced;
    }
    return { offloaded, previewBytes, holds: total <= numbers.roundMaxChars };
  }

  let fit = fitWith(numbers.previewBytes);
  while (!fit.holds && fit.previewBytes > 0) fit = fitWith(Math.floor(fit.previewBytes / 2));
  return { offloaded: fit.offloaded, previewBytes: fit.previewBytes };
}

/** The most characters that stand in place of an offloaded result. */
export function offloadedChars(
  previewBytes: number,
  { tailBytes, logAddress = "" }: Pick<ToolResultLimits, "tailBytes" | "logAddress">,
): number {
  return previewBytes + Math.min(previewBytes, tailBytes) + frameChars + logAddress.length;
}
