import type { InspectorSource } from "../../inspected.ts";
import type { MarksByRequest } from "../find-requests.ts";
import type { Go } from "../hooks/use-place.ts";
import { type Place, type Tab, tabs } from "../place.ts";
import { ChangesPanel } from "./changes-panel.tsx";
import { HappenedNote } from "./happened.tsx";
import { type ItemsPanelProps, ViewPanel } from "./view-panel.tsx";
import { WhatIfPanel } from "./what-if-panel.tsx";

interface PanelProps extends ItemsPanelProps {
  readonly source: InspectorSource;
  readonly pinned: number | undefined;
  readonly marks: MarksByRequest;
  readonly place: Place;
  readonly go: Go;
  readonly theme: number;
  readonly zoomOuts: number;
  readonly onPin: () => void;
  readonly onChoose: (request: number) => void;
}

const tabNames: Readonly<Record<Tab, string>> = { view: "View", changes: "Changes", "what-if": "What if" };

/** What there is to see of the chosen request, one thing at a time. */
export function Panel(props: PanelProps) {
  const { source, open, request, marks, place, go, theme, zoomOuts, onChoose } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const tab = tabs[(tabs.indexOf(place.tab) + step + tabs.length) % tabs.length];
    if (step === 0 || !tab) return;
    event.preventDefault();
    go({ tab });
    document.getElementById(`tab-${tab}`)?.focus();
  };
  return (
    <section class="panel" aria-label="Chosen request">
      <div class="tabs" role="tablist" aria-label="Chosen request" onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab}
            id={`tab-${tab}`}
            type="button"
            role="tab"
            aria-selected={tab === place.tab}
            aria-controls="tab-panel"
            tabIndex={tab === place.tab ? 0 : -1}
            onClick={() => go({ tab })}
          >
            {tabNames[tab]}
          </button>
        ))}
      </div>
      <div id="tab-panel" class="tab-panel" role="tabpanel" aria-labelledby={`tab-${place.tab}`}>
        {place.tab !== "what-if" && (
          <HappenedNote session={open.session} request={request} marks={marks.get(request) ?? []} />
        )}
        {place.tab === "view" && <ViewPanel {...props} />}
        {place.tab === "changes" && <ChangesPanel {...props} />}
        {place.tab === "what-if" && (
          <WhatIfPanel
            source={source}
            session={open.session}
            request={request}
            policy={place.policy}
            theme={theme}
            zoomOuts={zoomOuts}
            onPolicy={(policy) => go({ policy })}
            onChoose={onChoose}
          />
        )}
      </div>
    </section>
  );
}
