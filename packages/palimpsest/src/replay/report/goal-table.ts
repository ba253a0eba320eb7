import { decimals } from "./decimals.ts";
import { reasonText } from "./goal-reasons.ts";
import type { ReplayGoal, ReplayReport } from "./replay-report.ts";
import type { ReportTable } from "./report-table.ts";

export function goalTable({ goals }: ReplayReport): ReportTable {
  return {
    title: "Goals of the engine, each at the price row where it is worst",
    head: ["goal", "row", "engine", "oracle", "wanted", "", "short by"],
    rows: goals.map((goal) => [
      goal.what,
      goal.row,
      decimals(goal.value),
      decimals(goal.oracle),
      wanted(goal),
      goal.verdict,
      goal.verdict === "missed" ? decimals(goal.shortBy) : "–",
    ]),
    notes: [
      ...goals.flatMap(({ what, verdict, why }) => (why ? [`${what}, ${verdict}: ${reasonText(why)}.`] : [])),
      "The oracle clears results with hindsight and does nothing else: a ceiling for what is kept, not for cost.",
    ],
  };
}

function wanted({ atMost, atLeast }: ReplayGoal): string {
  return atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
}
