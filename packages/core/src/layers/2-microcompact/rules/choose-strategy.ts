import { clearByCacheEdits } from "../strategies/cache-edits.ts";
import { clearCold } from "../strategies/cold.ts";
import { clearEconomically } from "../strategies/economic.ts";
import { clearOnServer } from "../strategies/server.ts";
import { clearOverThreshold } from "../strategies/threshold.ts";
import type { ClearingMoment, Strategy } from "../strategy.ts";

/** In the order in which they are asked; the last one is always on. Their flags and settings are listed in this order too. */
export const strategies = [
  clearCold,
  clearOnServer,
  clearByCacheEdits,
  clearOverThreshold,
  clearEconomically,
] as const;

/** The first one that is on and possible. */
export function chooseStrategy(moment: ClearingMoment): Strategy {
  const flags = moment.facts.settings.flags as Readonly<Record<string, unknown>>;
  const all: readonly Strategy[] = strategies;
  const isOn = ({ flag }: Strategy) => flag === undefined || Boolean(flags[flag.name]);
  const chosen = all.find((strategy) => isOn(strategy) && (strategy.isPossible?.(moment) ?? true));
  return chosen ?? clearEconomically;
}
