import type { Facts } from "../../../spec/index.ts";
import type { MicrocompactNumbers } from "../settings.ts";
import { clearByCacheEdits } from "../strategies/cache-edits.ts";
import { clearCold } from "../strategies/cold.ts";
import { clearEconomically } from "../strategies/economic.ts";
import { clearOnServer } from "../strategies/server.ts";
import { clearOverThreshold } from "../strategies/threshold.ts";
import type { Strategy, StrategyName } from "../strategy.ts";

const strategies: Readonly<Record<StrategyName, Strategy>> = {
  cold: clearCold,
  server: clearOnServer,
  "cache-edits": clearByCacheEdits,
  threshold: clearOverThreshold,
  economic: clearEconomically,
};

/** Cold when the cache is; else what was chosen by a flag and can be done; else economic. */
export function chooseStrategy(
  facts: Facts,
  numbers: MicrocompactNumbers,
  withoutCacheEdits = false,
): { readonly name: StrategyName; readonly strategy: Strategy } {
  const flags = facts.settings.flags as Readonly<Record<string, unknown>>;
  const named = (name: StrategyName) => ({ name, strategy: strategies[name] });
  if (flags["clear-cold"] && isCold(facts, numbers)) return named("cold");
  if (flags["clear-server"] && facts.capabilities.contextManagement) return named("server");
  const mayEdit = facts.source === "main" && facts.capabilities.cacheEdits && !withoutCacheEdits;
  if (flags["clear-cache-edits"] && mayEdit) return named("cache-edits");
  return named(flags["clear-threshold"] ? "threshold" : "economic");
}

/** There was a response, and what it left in the cache is gone, or of no use to the model that is asked now. */
function isCold({ cache }: Facts, { coldAfterMs }: MicrocompactNumbers): boolean {
  if (cache.idleMs === undefined) return false;
  return cache.isOtherModel === true || cache.idleMs >= coldAfterMs;
}
