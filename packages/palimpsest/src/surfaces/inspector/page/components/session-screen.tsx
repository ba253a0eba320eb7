import { useMemo, useState } from "preact/hooks";
import { formatCount } from "../../../terminal/format-amount.ts";
import type { InspectedSession, InspectorSource } from "../../inspected.ts";
import { markedRequests } from "../chart-options.ts";
import { type Go, useKeys, useOpened } from "../hooks/use-location.ts";
import { type OpenSession, useTexts } from "../hooks/use-session.ts";
import type { Action, PageLocation } from "../page-location.ts";
import { findRequests, type MarksByRequest, marksByRequest, moveRequest } from "../row-window.ts";
import {
  formatDollars,
  formatShare,
  formatTime,
  formatTokens,
  toVisible,
  toVisibleLine,
} from "../text-parts.ts";
import { ContextChart } from "./context-chart.tsx";
import { Happened, type HappenedProps, Legend } from "./legend.tsx";
import { Panel } from "./panel.tsx";
import { RequestList } from "./request-list.tsx";
import { focusRows } from "./rows.tsx";
import { LiveDot } from "./session-list.tsx";

interface SessionScreenProps {
  readonly source: InspectorSource;
  readonly open: OpenSession;
  readonly location: PageLocation;
  readonly go: Go;
  readonly theme: number;
}

/** One session: its context over time, its requests, and what the model saw at the chosen one. */
export function SessionScreen({ source, open, location, go, theme }: SessionScreenProps) {
  const { session } = open;
  const count = session.requests.at.length;
  const request = Math.min(location.request ?? count - 1, count - 1);
  const pinned = location.pinned !== undefined && location.pinned < count ? location.pinned : undefined;
  const [filter, setFilter] = useState("");
  const [zoomOuts, setZoomOuts] = useState(0);
  const [newests, setNewests] = useState(0);
  const { opened, toggle, closeAll } = useOpened(session.id);
  const texts = useTexts(source, session.id, session.generation);
  const marks = useMemo(() => marksByRequest(session.marks), [session]);
  const found = useMemo(() => findRequests(session, marks, filter), [session, marks, filter]);
  const marked = useMemo(() => markedRequests(session), [session]);

  /** The last request stands for those to come: whoever looks at it follows the session. */
  const choose = (wanted: number) => go({ request: wanted >= count - 1 ? undefined : Math.max(0, wanted) });
  const pin = () => go(pinned === undefined ? { pinned: request, tab: "changes" } : { pinned: undefined });
  const zoomOut = () => setZoomOuts((before) => before + 1);
  const close = () => {
    if (opened.size > 0) closeAll();
    else if (filter !== "") setFilter("");
    else if (pinned !== undefined) go({ pinned: undefined });
    else zoomOut();
  };
  const actions: Partial<Record<Action, () => void>> = {
    view: () => go({ tab: "view" }),
    pin,
    whatIf: () => go({ tab: "what-if" }),
    newest: () => {
      if (location.tab === "what-if") go({ tab: "view" });
      setNewests((before) => before + 1);
    },
    zoomOut,
    close,
    filter: () => focusFilter(),
  };
  useKeys((action) => {
    const moved = moveRequest(action, request, found, marked);
    if (moved !== undefined) choose(moved);
    else actions[action]?.();
    return moved !== undefined || action in actions;
  });

  return (
    <main class="session">
      <Overview
        session={session}
        request={request}
        pinned={pinned}
        marks={marks}
        theme={theme}
        zoomOuts={zoomOuts}
        onChoose={choose}
        onZoomOut={zoomOut}
      />
      <RequestList
        session={session}
        request={request}
        pinned={pinned}
        marks={marks}
        filter={filter}
        found={found}
        onFilter={setFilter}
        onChoose={choose}
        onOpen={() => focusRows(".panel")}
      />
      <Panel
        source={source}
        open={open}
        request={request}
        pinned={pinned}
        marks={marks}
        location={location}
        go={go}
        theme={theme}
        zoomOuts={zoomOuts}
        texts={texts}
        opened={opened}
        newests={newests}
        onToggle={toggle}
        onPin={pin}
        onChoose={choose}
      />
    </main>
  );
}

/** The filter of the part that has the focus, or else that of the requests. */
function focusFilter(): void {
  const part = document.activeElement?.closest(".filtered") ?? document.querySelector(".requests");
  part?.querySelector<HTMLElement>(".filter")?.focus();
}

interface OverviewProps {
  readonly session: InspectedSession;
  readonly request: number;
  readonly pinned: number | undefined;
  readonly marks: MarksByRequest;
  readonly theme: number;
  readonly zoomOuts: number;
  readonly onChoose: (request: number) => void;
  readonly onZoomOut: () => void;
}

const chartPixels = 180;

/** The top of a session: what it is, its chart, and the request under the cursor or chosen. */
function Overview(props: OverviewProps) {
  const { session, request, pinned, marks, theme, zoomOuts, onChoose, onZoomOut } = props;
  const [hovered, setHovered] = useState<number>();
  const [isZoomed, setZoomed] = useState(false);
  const count = session.requests.at.length;
  const told = hovered !== undefined && hovered < count ? hovered : request;
  return (
    <section class="overview" aria-label="Context over time">
      <div class="title-line">
        <div class="session-name">
          <h1 class="clip">{toVisibleLine(session.title) || "Untitled"}</h1>
          <p class="quiet clip">
            {session.isLive && <LiveDot />} {toVisibleLine(session.model)} · {toVisibleLine(session.project)}
          </p>
        </div>
        {count > 0 && <Readout session={session} request={told} marks={marks.get(told) ?? []} />}
        {isZoomed && (
          <button type="button" onClick={onZoomOut}>
            Show all
          </button>
        )}
      </div>
      {session.damage.map((text) => (
        <p key={text} class="note failure" role="status">
          {toVisible(text)}
        </p>
      ))}
      {count === 0 ? (
        <p class="note quiet">No request yet. The chart begins with the first one.</p>
      ) : (
        <>
          <ContextChart
            session={session}
            request={request}
            pinned={pinned}
            height={chartPixels}
            theme={theme}
            zoomOuts={zoomOuts}
            onChoose={onChoose}
            onHover={setHovered}
            onZoom={setZoomed}
          />
          <input
            class="scrub"
            type="range"
            aria-label="Request"
            min={1}
            max={count}
            value={request + 1}
            onInput={(event) => onChoose(Number(event.currentTarget.value) - 1)}
          />
          <Legend session={session} request={told} />
        </>
      )}
    </section>
  );
}

/** The text about one request. */
function Readout({ session, request, marks }: HappenedProps) {
  const { requests, window } = session;
  const at = <Value,>(column: readonly Value[]) => column[request];
  const tokens = at(requests.tokens) ?? 0;
  const facts = [
    ["Request", `${formatCount(request + 1)} of ${formatCount(requests.at.length)}`],
    ["Turn", formatCount(at(requests.turn) ?? 0)],
    ["Time", formatTime(at(requests.at) ?? Number.NaN)],
    [
      "Tokens",
      window ? `${formatTokens(tokens)} (${formatShare(tokens, window.tokens)})` : formatTokens(tokens),
    ],
    ["Cache read", formatTokens(at(requests.cacheRead) ?? 0)],
    ["Cache write", formatTokens(at(requests.cacheWrite) ?? 0)],
    ["Output", formatTokens(at(requests.output) ?? 0)],
    ["Cost", formatDollars(at(requests.dollars) ?? null)],
  ] as const;
  return (
    <div class="readout">
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{value}</dd>
          </div>
        ))}
      </dl>
      <p class="happened">
        <Happened session={session} request={request} marks={marks} />
      </p>
    </div>
  );
}
