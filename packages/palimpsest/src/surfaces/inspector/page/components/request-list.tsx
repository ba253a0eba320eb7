import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { formatCount, formatNumber } from "../../../terminal/format-amount.ts";
import type { InspectedSession, SessionMark } from "../../inspected.ts";
import { formatDollars, formatTokens } from "../text-parts.ts";
import { Happened } from "./legend.tsx";
import { FilterField } from "./list-parts.tsx";
import { Rows } from "./rows.tsx";

interface RequestListProps {
  readonly session: InspectedSession;
  readonly request: number;
  readonly pinned: number | undefined;
  readonly marks: ReadonlyMap<number, readonly SessionMark[]>;
  readonly filter: string;
  readonly found: readonly number[];
  readonly onFilter: (filter: string) => void;
  readonly onChoose: (request: number) => void;
  readonly onOpen: () => void;
}

const rowPixels = 28;

/** Every request with its tokens, cache, dollars and what happened at it. */
export function RequestList(props: RequestListProps) {
  const { session, request, pinned, marks, filter, found, onFilter, onChoose, onOpen } = props;
  const largest = useMemo(
    () => session.requests.tokens.reduce((most, each) => Math.max(most, each), 1),
    [session],
  );
  const choose = (row: number) => {
    const chosen = found[row];
    if (chosen !== undefined) onChoose(chosen);
  };
  return (
    <section class="requests filtered" aria-label="Requests">
      <div class="panel-head">
        <h2>Requests</h2>
        <FilterField label="Filter: number, break, mark" value={filter} onValue={onFilter} />
        {filter !== "" && <span class="quiet number">{formatNumber(found.length, "match", "matches")}</span>}
      </div>
      <div class="request-row request-head quiet" aria-hidden="true">
        <span>#</span>
        <span>Tokens</span>
        <span>Read</span>
        <span>Write</span>
        <span>Cost</span>
        <span>What happened</span>
      </div>
      <Rows
        id="requests"
        label="Requests"
        role="listbox"
        count={found.length}
        heightOf={() => rowPixels}
        heightsKey={0}
        active={indexOf(found, request)}
        onActive={choose}
        onOpen={onOpen}
        empty={<p class="note quiet">{filter === "" ? "No request yet." : "No request matches."}</p>}
        renderRow={(row, place) => {
          const number = found[row] ?? 0;
          return (
            <RequestRow
              key={number}
              id={`requests-${row}`}
              session={session}
              request={number}
              isChosen={number === request}
              isPinned={number === pinned}
              marks={marks.get(number) ?? []}
              largest={largest}
              place={place}
              onChoose={() => onChoose(number)}
            />
          );
        }}
      />
    </section>
  );
}

function indexOf(sorted: readonly number[], wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] ?? 0;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

interface RequestRowProps {
  readonly id: string;
  readonly session: InspectedSession;
  readonly request: number;
  readonly isChosen: boolean;
  readonly isPinned: boolean;
  readonly marks: readonly SessionMark[];
  readonly largest: number;
  readonly place: JSX.CSSProperties;
  readonly onChoose: () => void;
}

function RequestRow({
  id,
  session,
  request,
  isChosen,
  isPinned,
  marks,
  largest,
  place,
  onChoose,
}: RequestRowProps) {
  const { tokens, cacheRead, cacheWrite, dollars } = session.requests;
  const share = Math.round((100 * (tokens[request] ?? 0)) / largest);
  return (
    <div
      id={id}
      class={`row request-row${isPinned ? " is-pinned" : ""}`}
      role="option"
      aria-selected={isChosen}
      style={place}
      onClick={onChoose}
    >
      <span class="number quiet">{formatCount(request + 1)}</span>
      <span class="number meter" style={{ "--share": `${share}%` }}>
        {formatTokens(tokens[request] ?? 0)}
      </span>
      <span class="number">{formatTokens(cacheRead[request] ?? 0)}</span>
      <span class="number">{formatTokens(cacheWrite[request] ?? 0)}</span>
      <span class="number">{formatDollars(dollars[request] ?? null)}</span>
      <span class="clip happened">
        {isPinned && <span class="pin">● pinned</span>}
        <Happened session={session} request={request} marks={marks} />
      </span>
    </div>
  );
}
