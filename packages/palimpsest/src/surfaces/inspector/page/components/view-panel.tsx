import { useMemo, useState } from "preact/hooks";
import { formatNumber } from "../../../cli/format-amount.ts";
import type { OpenSession } from "../hooks/use-session.ts";
import type { Texts } from "../hooks/use-texts.ts";
import { toViewRows } from "../view-rows.ts";
import { FailureNote } from "./failure-note.tsx";
import { FilterField } from "./filter-field.tsx";
import { ItemList } from "./item-list.tsx";

export interface ItemsPanelProps {
  readonly open: OpenSession;
  readonly request: number;
  readonly texts: Texts;
  readonly opened: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
  readonly newests: number;
}

/** The view at a request, as the model saw it. */
export function ViewPanel({ open, request, texts, opened, onToggle, newests }: ItemsPanelProps) {
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
