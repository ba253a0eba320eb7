import type { Facts, Moment, QuerySource } from "../../spec/index.ts";

type RequestMoment = Extract<Moment, { readonly kind: "before-request" }>;

/** Forks that serve the context themselves: compacting them would recurse, so they end at their budget instead. */
const servants: ReadonlySet<QuerySource> = new Set(["notes", "compaction", "memory", "collapse"]);

/** Why nothing may be compacted, whatever the count is; `null` where it may. The cheapest questions come first. */
export function guardCompaction(moment: RequestMoment, { settings, source }: Facts): string | null {
  const { trigger } = moment;
  const { switches = {}, flags = {} } = settings as {
    readonly switches?: Readonly<Record<string, unknown>>;
    readonly flags?: Readonly<Record<string, unknown>>;
  };
  if (switches.compact === false) return "compaction is off";
  if (servants.has(source)) return `a fork for ${source} is never compacted`;
  if (trigger === "manual") return moment.compact ? null : "only clearing was asked for";
  if (switches.autoCompact === false) return "automatic compaction is off";
  if (trigger === "reactive") return null;
  if (flags["reactive-only"] === true) return "compaction waits until the provider refuses a request";
  return switches.contextCollapse === true ? "folding owns the window" : null;
}
