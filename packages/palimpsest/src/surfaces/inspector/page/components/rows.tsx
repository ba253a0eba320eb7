import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useSize } from "../hooks/use-size.ts";
import { rowTops, rowWindow, scrollToRow } from "../row-window.ts";

interface RowsProps {
  readonly id: string;
  readonly label: string;
  readonly role: "listbox" | "tree";
  readonly count: number;
  readonly heightOf: (row: number, width: number) => number;
  /** Changes when heights do. */
  readonly heightsKey: unknown;
  /** The row that keys act on; -1 for none. */
  readonly active: number;
  /** Rows that keys stop at; all where absent. */
  readonly canBeActive?: (row: number) => boolean;
  readonly onActive: (row: number) => void;
  readonly onOpen: (row: number) => void;
  readonly renderRow: (row: number, place: JSX.CSSProperties) => ComponentChildren;
  readonly empty?: ComponentChildren;
}

const pageRows = 20;

/** A long list of which the document holds what can be seen. Rows have the ids `{id}-{row}`. */
export function Rows(props: RowsProps) {
  const { id, label, role, count, heightOf, heightsKey, active, onOpen, renderRow, empty } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(scroller);
  const [scrolled, setScrolled] = useState(0);
  const tops = useMemo(() => rowTops(count, (row) => heightOf(row, width)), [count, heightsKey, width]);
  const shown = rowWindow(tops, Math.min(scrolled, Math.max(0, (tops[count] ?? 0) - height)), height);

  useLayoutEffect(() => {
    const node = scroller.current;
    if (!node || active < 0 || height === 0) return;
    const wanted = scrollToRow(tops, active, node.scrollTop, height);
    if (wanted !== node.scrollTop) node.scrollTop = wanted;
    setScrolled(node.scrollTop);
  }, [active, count, height]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      if (active >= 0) onOpen(active);
    } else {
      const next = rowForKey(event.key, active, count, props.canBeActive);
      if (next === undefined) return;
      props.onActive(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      ref={scroller}
      id={id}
      class="rows"
      role={role}
      aria-label={label}
      aria-activedescendant={active >= shown.first && active < shown.end ? `${id}-${active}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
    >
      {count === 0 && empty}
      <div class="rows-all" role="presentation" style={{ height: `${shown.height}px` }}>
        {Array.from({ length: shown.end - shown.first }, (_, at) => {
          const row = shown.first + at;
          return renderRow(row, {
            top: `${tops[row] ?? 0}px`,
            height: `${(tops[row + 1] ?? 0) - (tops[row] ?? 0)}px`,
          });
        })}
      </div>
    </div>
  );
}

function rowForKey(
  key: string,
  active: number,
  count: number,
  canBeActive: (row: number) => boolean = () => true,
): number | undefined {
  const search = (from: number, step: number) => {
    for (let row = from; row >= 0 && row < count; row += step) if (canBeActive(row)) return row;
    return active;
  };
  if (key === "ArrowDown") return search(active + 1, 1);
  if (key === "ArrowUp") return search(active - 1, -1);
  if (key === "PageDown") return search(Math.min(count - 1, active + pageRows), -1);
  if (key === "PageUp") return search(Math.max(0, active - pageRows), 1);
  if (key === "Home") return search(0, 1);
  if (key === "End") return search(count - 1, -1);
  return undefined;
}

/** Puts the focus on the list inside of a part of the page, if it has one. */
export function focusRows(part: string): void {
  document.querySelector<HTMLElement>(`${part} .rows`)?.focus();
}
