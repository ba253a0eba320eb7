import { useMemo } from "preact/hooks";
import { formatCount } from "../../../cli/format-amount.ts";
import { diffViews, sumChanges } from "../diff-views.ts";
import { formatTokens } from "../format.ts";
import { toDiffRows } from "../view-rows.ts";
import { FailureNote } from "./failure-note.tsx";
import { ItemList } from "./item-list.tsx";
import type { ItemsPanelProps } from "./view-panel.tsx";

interface ChangesPanelProps extends ItemsPanelProps {
  readonly pinned: number | undefined;
  readonly onPin: () => void;
}

/** What is different between two requests, the earlier on the left whichever was pinned. */
export function ChangesPanel(props: ChangesPanelProps) {
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
