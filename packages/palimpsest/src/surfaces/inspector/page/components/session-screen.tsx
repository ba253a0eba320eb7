import { useMemo, useState } from "preact/hooks";
import type { InspectorSource } from "../../inspected.ts";
import { markedRequests } from "../chart-columns.ts";
import { findRequests, marksByRequest } from "../find-requests.ts";
import { useKeys } from "../hooks/use-keys.ts";
import { useOpened } from "../hooks/use-opened.ts";
import type { Go } from "../hooks/use-place.ts";
import type { OpenSession } from "../hooks/use-session.ts";
import { useTexts } from "../hooks/use-texts.ts";
import type { Action } from "../keys.ts";
import { moveRequest } from "../move-request.ts";
import type { Place } from "../place.ts";
import { focusRows } from "./focus-rows.ts";
import { Overview } from "./overview.tsx";
import { Panel } from "./panel.tsx";
import { RequestList } from "./request-list.tsx";

interface SessionScreenProps {
  readonly source: InspectorSource;
  readonly open: OpenSession;
  readonly place: Place;
  readonly go: Go;
  readonly theme: number;
}

/** One session: its context over time, its requests, and what the model saw at the chosen one. */
export function SessionScreen({ source, open, place, go, theme }: SessionScreenProps) {
  const { session } = open;
  const count = session.requests.at.length;
  const request = Math.min(place.request ?? count - 1, count - 1);
  const pinned = place.pinned !== undefined && place.pinned < count ? place.pinned : undefined;
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
      if (place.tab === "what-if") go({ tab: "view" });
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
        place={place}
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
