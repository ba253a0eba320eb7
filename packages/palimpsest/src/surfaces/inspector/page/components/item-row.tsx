import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { formatNumber } from "../../../terminal/format-amount.ts";
import type { InspectedItem, InspectedSession } from "../../inspected.ts";
import { formatTokens, partHeight, type TextPart, toVisible, toVisibleLine } from "../text-parts.ts";
import type { ViewRow } from "../view-rows.ts";
import { Swatch } from "./legend.tsx";

export interface ViewRowProps {
  readonly id: string;
  readonly row: ViewRow;
  readonly session: InspectedSession;
  readonly columns: number;
  readonly isActive: boolean;
  /** New items of a view are marked on the side, changes of a comparison by a sign. */
  readonly isDiff: boolean;
  readonly place: JSX.CSSProperties;
  readonly onToggle: () => void;
}

const roleNames = { system: "System", tools: "Tools", user: "User", assistant: "Assistant" } as const;

export function ViewRowOf(props: ViewRowProps) {
  const { row, session, columns, place, id, isActive, onToggle } = props;
  if (row.type === "message") return <MessageRow items={row.items} session={session} place={place} />;
  if (row.type === "item") return <ItemRow {...props} row={row} />;
  if (row.type === "unchanged") {
    return (
      <div
        id={id}
        class={`row unchanged${isActive ? " is-active" : ""}`}
        role="treeitem"
        style={place}
        onClick={onToggle}
      >
        {formatNumber(row.count, "unchanged item")}
      </div>
    );
  }
  return (
    <div class="text-row" role="presentation" style={{ ...place, "--depth": row.depth }}>
      {row.parts ? (
        row.parts.map((part) => <TextBox key={part.label} part={part} columns={columns} />)
      ) : (
        <p class="quiet loading">Reading…</p>
      )}
    </div>
  );
}

function MessageRow(props: {
  readonly items: readonly number[];
  readonly session: InspectedSession;
  readonly place: JSX.CSSProperties;
}) {
  const { items, session, place } = props;
  const first = session.items[items[0] ?? -1];
  const tokens = items.reduce((sum, item) => sum + (session.items[item]?.tokens ?? 0), 0);
  return (
    <div class="row message-row" role="presentation" style={place}>
      <span class={`role role-${first?.role}`}>{roleNames[first?.role ?? "user"]}</span>
      <span class="quiet number">entry {first?.seq}</span>
      <span class="number quiet tokens">{formatTokens(tokens)}</span>
    </div>
  );
}

const signs = { same: "", added: "+", removed: "−", replaced: "~" } as const;

function ItemRow(props: ViewRowProps & { readonly row: Extract<ViewRow, { type: "item" }> }) {
  const { id, row, session, isActive, isDiff, place, onToggle } = props;
  const item = session.items[row.item];
  if (!item) return null;
  const { type } = row.change;
  const isFresh = type === "added" && !isDiff;
  const classes = ["row", "item-row", isActive && "is-active", isFresh && "is-new", isDiff && `is-${type}`];
  return (
    <div
      id={id}
      class={classes.filter(Boolean).join(" ")}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={row.isOpen}
      aria-selected={isActive}
      style={{ ...place, "--depth": row.depth }}
      onClick={onToggle}
    >
      <span class="chevron" aria-hidden="true" />
      {isDiff && (
        <span class="sign">
          <span aria-hidden="true">{signs[type]}</span>
          <span class="heard">{type === "same" ? "" : type}</span>
        </span>
      )}
      <Swatch category={session.categories[item.category] ?? "other"} />
      <span class="kind quiet">{item.kind.replaceAll("_", " ")}</span>
      <ItemTitle item={item} isGone={isDiff && type === "removed"} />
      {isFresh && <span class="chip new">new</span>}
      {row.change.type === "removed" && row.change.into !== undefined && (
        <span class="chip">
          in {session.items[row.change.into]?.state === "folded" ? "a fold" : "a summary"}
        </span>
      )}
      {item.state !== "whole" && <span class={`chip state-${item.state}`}>{item.state}</span>}
      <span class="number tokens">{tokensOf(session, row.change, item)}</span>
    </div>
  );
}

/** Struck where what is shown stands for something that is not shown. */
function ItemTitle({ item, isGone }: { readonly item: InspectedItem; readonly isGone: boolean }) {
  const title = toVisibleLine(item.title) || "(empty)";
  const isStruck = item.state === "cleared" || item.state === "folded" || item.state === "summarised";
  return isStruck || isGone ? <del class="clip title">{title}</del> : <span class="clip title">{title}</span>;
}

function tokensOf(
  session: InspectedSession,
  change: Extract<ViewRow, { type: "item" }>["change"],
  item: InspectedItem,
): string {
  if (change.type !== "replaced") return formatTokens(item.tokens);
  return `${formatTokens(session.items[change.before]?.tokens ?? 0)} → ${formatTokens(item.tokens)}`;
}

/** Longer texts are shown so far at first: a browser lays out millions of characters slowly. */
const maxChars = 100_000;

/** A text as it is, in a box that scrolls. */
function TextBox({ part, columns }: { readonly part: TextPart; readonly columns: number }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && part.text.length > maxChars;
  const visible = useMemo(
    () => toVisible(isCut ? part.text.slice(0, maxChars) : part.text),
    [part.text, isCut],
  );
  return (
    <figure class="text-box" style={{ height: `${partHeight(part.text, columns)}px` }}>
      <figcaption>
        {part.label}
        {isCut && (
          <button type="button" class="link" onClick={() => setWhole(true)}>
            show {formatNumber(part.text.length - maxChars, "more character")}
          </button>
        )}
      </figcaption>
      {/* The box scrolls, so keys must reach it. */}
      <pre tabIndex={0}>{visible === "" ? <span class="quiet">(empty)</span> : visible}</pre>
    </figure>
  );
}
