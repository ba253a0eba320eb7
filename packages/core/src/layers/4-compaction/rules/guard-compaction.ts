import type { Facts, Moment } from "../../../spec/index.ts";
import { isMaintenanceFork } from "../../../view/maintenance-fork.ts";

type RequestMoment = Extract<Moment, { readonly kind: "before-request" }>;

/**
 * Why nothing may be compacted, whatever the count is; `null` where it may. The cheapest questions come first. Forks that
 * serve the context themselves would recurse: they end at their budget instead.
 */
export function guardCompaction(
  moment: RequestMoment,
  { settings, source, thresholds }: Facts,
  tokens: number,
): string | null {
  const { trigger } = moment;
  const { switches = {}, flags = {} } = settings as {
    readonly switches?: Readonly<Record<string, unknown>>;
    readonly flags?: Readonly<Record<string, unknown>>;
  };
  if (switches.compact === false) return "compaction is off";
  if (isMaintenanceFork(source)) return `a fork for ${source} is never compacted`;
  if (trigger === "manual") return moment.compact ? null : "only clearing was asked for";
  if (switches.autoCompact === false) return "automatic compaction is off";
  if (trigger === "reactive") return null;
  if (flags["reactive-only"] === true) return "compaction waits until the provider refuses a request";
  /** Where folding has freed what it could and no request can be made, the session must go on all the same. */
  const isFolding = switches.folding === true && tokens < thresholds.blocking;
  return isFolding ? "folding owns the window" : null;
}
