import { useState } from "preact/hooks";
import type { InspectedSession } from "../../inspected.ts";
import type { MarksByRequest } from "../find-requests.ts";
import { toVisible, toVisibleLine } from "../visible-text.ts";
import { ContextChart } from "./context-chart.tsx";
import { Legend } from "./legend.tsx";
import { Readout } from "./readout.tsx";
import { LiveDot } from "./session-list.tsx";

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
export function Overview(props: OverviewProps) {
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
