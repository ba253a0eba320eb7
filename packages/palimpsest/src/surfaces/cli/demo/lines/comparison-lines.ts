import { catalogRowName, type PolicySummary } from "../../../../replay/index.ts";
import { wrapBehind } from "../../config/wrap-text.ts";
import { formatNumber } from "../../format-amount.ts";
import type { Style } from "../../style.ts";
import { type Cell, renderTable } from "../../table.ts";
import { comparedPolicies } from "../runs/demo-policies.ts";
import { formatTokens } from "./format-demo.ts";

const indent = "  ";

/** One row a policy, and what the columns mean. */
export function comparisonLines(
  summaries: readonly PolicySummary[],
  columns: number,
  style: Style,
): readonly string[] {
  const table = renderTable({
    columns: [
      { header: "policy" },
      { header: "dollars", align: "right" },
      { header: "× identity", align: "right" },
      { header: "fetched", align: "right" },
      { header: "breaks", align: "right" },
      { header: "peak", align: "right" },
      { header: "far edits", align: "right" },
    ],
    rows: summaries.map((summary) => toRow(summary, style)),
    width: columns - indent.length,
    paintHeader: style.dim,
  });
  return [
    ...table.map((line) => indent + line),
    ...noteTexts(summaries).flatMap((text) => wrapBehind(indent, text, columns)),
  ];
}

function toRow({ policy, cost, breaks, context, headline }: PolicySummary, style: Style): readonly Cell[] {
  const costs = cost[catalogRowName];
  const paint = policy === "engine" ? { paint: style.bold } : {};
  return [
    policy,
    (costs?.total ?? 0).toFixed(2),
    (costs?.plain.value ?? 0).toFixed(2),
    (costs?.totalFetched ?? 0).toFixed(2),
    String(breaks.policy),
    formatTokens(context.peak),
    headline.edit_old.withRecall.value?.toFixed(2) ?? "–",
  ].map((text) => ({ text, ...paint }));
}

function noteTexts(summaries: readonly PolicySummary[]): readonly string[] {
  const [first] = summaries;
  const left = comparedPolicies.filter((name) => !summaries.some(({ policy }) => policy === name));
  return [
    "fetched: dollars when every block that a later call needs and the view does not hold is fetched again.",
    `breaks: of the warm cache, by the policy; pauses made it cold ${formatNumber(first?.breaks.idle ?? 0, "time")} besides, for all.`,
    `far edits: of ${formatNumber(first?.headline.edit_old.needs ?? 0, "edit")} whose old text was last seen more than ten requests before, the part that had it in view or one recall away.`,
    ...(summaries.some(({ policy }) => policy === "oracle")
      ? ["oracle: clears with hindsight what nothing later needs; nobody can have it."]
      : []),
    ...(left.length > 0 ? [`Left out, since there was no time for them: ${left.join(", ")}.`] : []),
  ];
}
