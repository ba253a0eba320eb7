import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { InspectedSession } from "../../inspected.ts";
import { rowHeight, type ViewRow, wantedTexts } from "../view-rows.ts";
import { ViewRowOf } from "./item-row.tsx";
import { Rows } from "./rows.tsx";

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
export function ItemList(props: ItemListProps) {
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
