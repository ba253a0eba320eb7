import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { formatCount, formatNumber } from "../../../terminal/format-amount.ts";
import type { InspectedSession, InspectorSource } from "../../inspected.ts";
import { diffViews, sumChanges } from "../diff-views.ts";
import type { Go } from "../hooks/use-location.ts";
import type { OpenSession, Texts } from "../hooks/use-session.ts";
import { type PageLocation, type Tab, tabs } from "../page-location.ts";
import type { MarksByRequest } from "../row-window.ts";
import { formatTokens } from "../text-parts.ts";
import { rowHeight, toDiffRows, toViewRows, type ViewRow, wantedTexts } from "../view-rows.ts";
import { ViewRowOf } from "./item-row.tsx";
import { HappenedNote } from "./legend.tsx";
import { FailureNote, FilterField } from "./list-parts.tsx";
import { Rows } from "./rows.tsx";
import { WhatIfPanel } from "./what-if-panel.tsx";

interface PanelProps extends ItemsPanelProps {
  readonly source: InspectorSource;
  readonly pinned: number | undefined;
  readonly marks: MarksByRequest;
  readonly location: PageLocation;
  readonly go: Go;
  readonly theme: number;
  readonly zoomOuts: number;
  readonly onPin: () => void;
  readonly onChoose: (request: number) => void;
}

const tabNames: Readonly<Record<Tab, string>> = { view: "View", changes: "Changes", "what-if": "What if" };

/** The views of the chosen request, one at a time. */
export function Panel(props: PanelProps) {
  const { source, open, request, marks, location, go, theme, zoomOuts, onChoose } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const tab = tabs[(tabs.indexOf(location.tab) + step + tabs.length) % tabs.length];
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
            aria-selected={tab === location.tab}
            aria-controls="tab-panel"
            tabIndex={tab === location.tab ? 0 : -1}
            onClick={() => go({ tab })}
          >
            {tabNames[tab]}
          </button>
        ))}
      </div>
      <div id="tab-panel" class="tab-panel" role="tabpanel" aria-labelledby={`tab-${location.tab}`}>
        {location.tab !== "what-if" && (
          <HappenedNote session={open.session} request={request} marks={marks.get(request) ?? []} />
        )}
        {location.tab === "view" && <ViewPanel {...props} />}
        {location.tab === "changes" && <ChangesPanel {...props} />}
        {location.tab === "what-if" && (
          <WhatIfPanel
            source={source}
            session={open.session}
            request={request}
            policy={location.policy}
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

interface ChangesPanelProps extends ItemsPanelProps {
  readonly pinned: number | undefined;
  readonly onPin: () => void;
}

/** The differences between two requests, the earlier on the left whichever was pinned. */
function ChangesPanel(props: ChangesPanelProps) {
  const { open, request, pinned, texts, opened, onToggle, newests, onPin } = props;
  const { session, views } = open;
  const other = pinned ?? request - 1;
  const [from, to] = other <= request ? [other, request] : [request, other];
  const changes = useMemo(
    () => diffViews(session.items, views.at(from), views.at(to)),
    [session, views, from, to],
  );
  const sum = useMemo(() => sumChanges(session.items, changes), [changes]);
  const rows = useMemo(
    () => toDiffRows({ items: session.items, opened, texts: texts.texts }, changes),
    [session, changes, opened, texts.texts],
  );
  const name = (number: number) => (number < 0 ? "nothing" : `request ${formatCount(number + 1)}`);
  return (
    <div class="panel-body">
      <div class="panel-line">
        <span class="number">
          From {name(from)} to {name(to)}
        </span>
        <span class="number sums">
          <span class="is-added">+{sum.added}</span> <span class="is-removed">−{sum.removed}</span>{" "}
          <span class="is-replaced">~{sum.replaced}</span>
          <span class="quiet">
            {" "}
            +{formatTokens(sum.tokensAdded)} −{formatTokens(sum.tokensRemoved)} tokens
          </span>
        </span>
        <button type="button" aria-pressed={pinned !== undefined} onClick={onPin}>
          {pinned === undefined ? "Pin this request" : `Let go of ${formatCount(pinned + 1)}`}
        </button>
      </div>
      {pinned === request && (
        <p class="note quiet">This request is pinned: choose another one to compare it with.</p>
      )}
      {texts.failure && <FailureNote failure={texts.failure} />}
      <ItemList
        id="changes"
        label={`Changes from ${name(from)} to ${name(to)}`}
        session={session}
        rows={rows}
        isDiff={true}
        onToggle={onToggle}
        onWant={texts.want}
        newests={newests}
        empty={<p class="note quiet">Both views are empty.</p>}
      />
    </div>
  );
}

interface ItemsPanelProps {
  readonly open: OpenSession;
  readonly request: number;
  readonly texts: Texts;
  readonly opened: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
  readonly newests: number;
}

/** The view at a request, as the model saw it. */
function ViewPanel({ open, request, texts, opened, onToggle, newests }: ItemsPanelProps) {
  const { session, views } = open;
  const [filter, setFilter] = useState("");
  const view = useMemo(() => views.at(request), [views, request]);
  const rows = useMemo(() => {
    const wanted = filter.toLowerCase();
    return toViewRows(
      { items: session.items, opened, texts: texts.texts },
      view,
      views.kept(request),
      (item) => `${item.title} ${item.kind} ${item.state}`.toLowerCase().includes(wanted),
    );
  }, [session, view, opened, texts.texts, filter]);
  return (
    <div class="panel-body filtered">
      <div class="panel-line">
        <FilterField label="Filter items" value={filter} onValue={setFilter} />
        <span class="quiet number">
          {formatNumber(view.length, "item")}, {Math.max(0, view.length - views.kept(request))} new
        </span>
      </div>
      {texts.failure && <FailureNote failure={texts.failure} />}
      <ItemList
        id="items"
        label={`View at request ${request + 1}`}
        session={session}
        rows={rows}
        isDiff={false}
        onToggle={onToggle}
        onWant={texts.want}
        newests={newests}
        empty={<p class="note quiet">{filter === "" ? "The view is empty." : "No item matches."}</p>}
      />
    </div>
  );
}

interface ItemListProps {
  readonly id: string;
  readonly label: string;
  readonly session: InspectedSession;
  readonly rows: readonly ViewRow[];
  readonly isDiff: boolean;
  readonly onToggle: (key: string) => void;
  readonly onWant: (items: readonly number[]) => void;
  /** A change of this makes the first new item active. */
  readonly newests: number;
  readonly empty: ComponentChildren;
}

const characterPixels = 7.4;
const besideText = 72;

const toColumns = (width: number) => Math.max(20, Math.floor((width - besideText) / characterPixels));
const canBeActive = (row: ViewRow | undefined) => row?.type === "item" || row?.type === "unchanged";

/** Items as rows that open to their texts. The active one is kept by its key, through other requests too. */
function ItemList(props: ItemListProps) {
  const { id, label, session, rows, isDiff, onToggle, onWant, newests, empty } = props;
  const [activeKey, setActiveKey] = useState<string>();
  const [columns, setColumns] = useState(80);
  const active = useMemo(() => rows.findIndex((row) => row.key === activeKey), [rows, activeKey]);
  useEffect(() => onWant(wantedTexts(rows)), [rows]);
  useEffect(() => {
    if (newests === 0) return;
    const fresh = rows.find((row) => row.type === "item" && row.change.type === "added");
    if (fresh) setActiveKey(fresh.key);
    document.getElementById(id)?.focus();
  }, [newests]);
  const toggle = (row: number) => {
    const found = rows[row];
    if (!found || !canBeActive(found)) return;
    setActiveKey(found.key);
    onToggle(found.key);
  };
  return (
    <Rows
      id={id}
      label={label}
      role="tree"
      count={rows.length}
      heightOf={(row, width) => {
        const found = rows[row];
        const fits = toColumns(width);
        if (fits !== columns) setColumns(fits);
        return found ? rowHeight(found, fits) : 0;
      }}
      heightsKey={rows}
      active={active}
      canBeActive={(row) => canBeActive(rows[row])}
      onActive={(row) => setActiveKey(rows[row]?.key)}
      onOpen={toggle}
      empty={empty}
      renderRow={(row, place) => {
        const found = rows[row];
        return (
          found && (
            <ViewRowOf
              key={found.key}
              id={`${id}-${row}`}
              row={found}
              session={session}
              columns={columns}
              isActive={row === active}
              isDiff={isDiff}
              place={place}
              onToggle={() => toggle(row)}
            />
          )
        );
      }}
    />
  );
}
