import { formatCount } from "../../terminal/format-amount.ts";
import type { InspectedSession, WhatIf } from "../inspected.ts";
import { formatDollars, formatShare, formatTokens } from "./text-parts.ts";

export interface WhatIfRow {
  readonly name: string;
  readonly cells: readonly string[];
}

export const whatIfColumns = [
  "Cost",
  "Against session",
  "Most tokens",
  "Cache breaks",
  "In view",
  "One recall",
  "Refetch",
  "Lost",
  "Fetches",
] as const;

const most = (tokens: readonly number[]) => tokens.reduce((largest, each) => Math.max(largest, each), 0);

/** The cost of the session itself; `null` where no price is known. */
export function sessionDollars({ requests }: InspectedSession): number | null {
  const known = requests.dollars.filter((each) => each !== null);
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0);
}

/** The session and its replays under other policies, one a row. What the session would have lost is not measured. */
export function toWhatIfRows(session: InspectedSession, whatIfs: readonly WhatIf[]): readonly WhatIfRow[] {
  const paid = sessionDollars(session);
  const breaks = session.requests.breaks.filter((each) => each !== null).length;
  const own = [formatDollars(paid), "–", formatTokens(most(session.requests.tokens)), formatCount(breaks)];
  return [
    { name: "As recorded", cells: [...own, "–", "–", "–", "–", "–"] },
    ...whatIfs.map((whatIf) => ({ name: whatIf.policy, cells: toCells(whatIf, paid) })),
  ];
}

function toCells(
  { tokens, dollars, breaks, survival, fetches }: WhatIf,
  paid: number | null,
): readonly string[] {
  const cost = dollars.at(-1) ?? null;
  const { inView, recall, refetch, lost } = survival;
  return [
    formatDollars(cost),
    cost === null || paid === null ? "–" : formatChange(cost, paid),
    formatTokens(most(tokens)),
    formatCount(breaks.length),
    ...[inView, recall, refetch, lost].map((part) => formatShare(part, inView + recall + refetch + lost)),
    formatCount(fetches),
  ];
}

function formatChange(cost: number, paid: number): string {
  if (paid <= 0) return "–";
  const percent = Math.round((100 * (cost - paid)) / paid);
  return percent > 0 ? `+${percent} %` : `${String(percent).replace("-", "−")} %`;
}
