import { useMemo } from "preact/hooks";
import type { InspectedSession } from "../../inspected.ts";
import { stackColumns } from "../chart-columns.ts";
import { formatName, formatTokens } from "../format.ts";

interface LegendProps {
  readonly session: InspectedSession;
  readonly request: number;
}

/** Which colour is what, with the tokens of one request. */
export function Legend({ session, request }: LegendProps) {
  const { byCategory } = session.requests;
  const shown = useMemo(() => stackColumns(session.requests).categories, [session]);
  return (
    <ul class="legend" aria-label="Tokens by category">
      {shown.map((category) => (
        <li key={category}>
          <Swatch category={session.categories[category] ?? "other"} />
          {formatName(session.categories[category] ?? "other")}{" "}
          <span class="number">{formatTokens(byCategory[request]?.[category] ?? 0)}</span>
        </li>
      ))}
      <li class="mark">▼ compaction</li>
      <li class="quiet">▼ other decision</li>
      <li class="break">▲ cache break</li>
    </ul>
  );
}

export function Swatch({ category }: { readonly category: string }) {
  return <span class="swatch" aria-hidden="true" style={{ background: `var(--category-${category})` }} />;
}
