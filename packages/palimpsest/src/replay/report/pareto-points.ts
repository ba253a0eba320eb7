import type { PolicySummary, ReplayReport } from "./replay-report.ts";

/** Where a policy stands in the picture of cost against survival. */
export interface ParetoPoint {
  readonly policy: string;
  /** With fetches, identity = 1, at the first price row. */
  readonly cost: number;
  /** The part of far edits that is in view; of all needs, where no edit is of something far away. */
  readonly kept: number;
  readonly isPareto: boolean;
}

export function paretoPoints({ policies, priceRows }: ReplayReport): readonly ParetoPoint[] {
  const [row = ""] = priceRows;
  return policies.flatMap((summary) => {
    const { policy, cost, isPareto } = summary;
    const dear = cost[row]?.fetched.value;
    const kept = keptInPicture(summary);
    return dear == null || kept === null ? [] : [{ policy, cost: dear, kept, isPareto }];
  });
}

export function keptInPicture({ headline, all }: PolicySummary): number | null {
  return headline.edit_old.inView.value ?? all.inView.value;
}

const columns = 60;
const rows = 16;
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Cost to the right, survival upwards, a letter a policy; of policies at one place the first is shown. */
export function paretoText(points: readonly ParetoPoint[]): readonly string[] {
  if (points.length === 0) return ["nothing to show"];
  const most = Math.max(...points.map(({ cost }) => cost));
  const least = Math.min(...points.map(({ cost }) => cost));
  const grid = Array.from({ length: rows + 1 }, () => Array.from({ length: columns + 1 }, () => " "));
  for (const [at, { cost, kept }] of [...points.entries()].reverse()) {
    const column = Math.round(((cost - least) / Math.max(most - least, 1e-9)) * columns);
    const row = rows - Math.round(kept * rows);
    (grid[row] as string[])[column] = letters[at % letters.length] as string;
  }
  const label = (row: number) => (row === 0 ? "1.0" : row === rows ? "0.0" : "   ");
  const legend = points.map(
    ({ policy, cost, kept, isPareto }, at) =>
      `  ${letters[at % letters.length]}${isPareto ? "*" : " "} ${policy} (cost ${cost.toFixed(3)}, in view ${kept.toFixed(3)})`,
  );
  return [
    "far edits in view",
    ...grid.map((line, row) => `${label(row)} |${line.join("")}`.trimEnd()),
    `    +${"-".repeat(columns + 1)} cost with fetches, identity = 1`,
    `     ${least.toFixed(2).padEnd(columns - 3)}${most.toFixed(2)}`,
    ...legend,
    "  * nothing that was run costs less and keeps more",
  ];
}
