import { useMemo } from "preact/hooks";
import type { InspectedSession, SessionMark } from "../../inspected.ts";
import { stackColumns } from "../chart-options.ts";
import { formatName, formatTokens, toVisibleLine } from "../text-parts.ts";

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

export interface HappenedProps {
  readonly session: InspectedSession;
  readonly request: number;
  readonly marks: readonly SessionMark[];
}

/** The event at a request, in a few words. A break that a decision announced is named by the decision. */
export function Happened({ session, request, marks }: HappenedProps) {
  const broken = session.requests.breaks[request];
  const isNamed = broken?.kind === "announced" && marks.length > 0;
  return (
    <>
      {broken && (
        <span class="break" title={toVisibleLine(broken.reason)}>
          ▲{isNamed ? "" : ` ${broken.kind}`}
        </span>
      )}
      {marks.map((mark) => (
        <span key={`${mark.seq} ${mark.kind}`} class="mark" title={toVisibleLine(mark.text)}>
          ▼ {mark.kind}
          {mark.freed > 0 && ` −${formatTokens(mark.freed)}`}
        </span>
      ))}
    </>
  );
}

/** The same in whole sentences; nothing where nothing happened. */
export function HappenedNote({ session, request, marks }: HappenedProps) {
  const broken = session.requests.breaks[request];
  if (!broken && marks.length === 0) return null;
  return (
    <ul class="happened-note">
      {broken && (
        <li>
          <span class="break">▲ Cache break ({broken.kind})</span>, {formatTokens(broken.tokens)} tokens
          written again: {toVisibleLine(broken.reason)}
        </li>
      )}
      {marks.map((mark) => (
        <li key={`${mark.seq} ${mark.kind}`}>
          <span class="mark">▼ {mark.kind}</span>
          {mark.freed > 0 && `, ${formatTokens(mark.freed)} tokens freed`}: {toVisibleLine(mark.text)}
        </li>
      ))}
    </ul>
  );
}
