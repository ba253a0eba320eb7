import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatBytes } from "../../../terminal/format-amount.ts";
import type { InspectedEntry } from "../../inspected.ts";
import { formatTime, toVisibleLine } from "../text-parts.ts";
import { FilterField } from "./list-parts.tsx";
import { Rows } from "./rows.tsx";

interface SessionListProps {
  readonly entries: readonly InspectedEntry[];
  readonly onOpen: (id: string) => void;
}

const rowPixels = 60;

export function SessionList({ entries, onOpen }: SessionListProps) {
  const [filter, setFilter] = useState("");
  const [active, setActive] = useState(0);
  const wanted = filter.toLowerCase();
  const found = entries.filter(({ title, project, model, id }) =>
    `${title} ${project} ${model} ${id}`.toLowerCase().includes(wanted),
  );
  const chosen = Math.min(active, found.length - 1);
  const open = (row: number) => {
    const entry = found[row];
    if (entry) onOpen(entry.id);
  };
  if (entries.length === 0) return <NoSessions />;
  return (
    <main class="screen filtered">
      <div class="screen-head">
        <h1>Sessions</h1>
        <FilterField label="Filter sessions" value={filter} onValue={setFilter} />
      </div>
      <Rows
        id="sessions"
        label="Sessions"
        role="listbox"
        count={found.length}
        heightOf={() => rowPixels}
        heightsKey={0}
        active={chosen}
        onActive={setActive}
        onOpen={open}
        empty={<p class="note quiet">No session matches.</p>}
        renderRow={(row, place) => {
          const entry = found[row];
          return (
            entry && (
              <SessionRow
                key={entry.id}
                entry={entry}
                id={`sessions-${row}`}
                isActive={row === chosen}
                place={place}
                onOpen={() => open(row)}
              />
            )
          );
        }}
      />
    </main>
  );
}

function SessionRow(props: {
  readonly entry: InspectedEntry;
  readonly id: string;
  readonly isActive: boolean;
  readonly place: JSX.CSSProperties;
  readonly onOpen: () => void;
}) {
  const { entry, id, isActive, place, onOpen } = props;
  return (
    <div
      id={id}
      class="row session-row"
      role="option"
      aria-selected={isActive}
      style={place}
      onClick={onOpen}
    >
      <div class="session-title">
        {entry.isLive && <LiveDot />}
        <span class="clip">{toVisibleLine(entry.title) || "Untitled"}</span>
      </div>
      <div class="quiet session-facts">
        <span class="clip">{toVisibleLine(entry.project)}</span>
        <span class="clip">{toVisibleLine(entry.model)}</span>
        <span class="number">{formatBytes(entry.bytes)}</span>
        <span class="number">{formatTime(entry.changedAt)}</span>
      </div>
    </div>
  );
}

export function LiveDot() {
  return (
    <span class="live" title="A process has it open">
      live
    </span>
  );
}

function NoSessions() {
  return (
    <main class="screen">
      <div class="note">
        <h1>No sessions yet</h1>
        <p>
          Sessions appear here as soon as there are some: run <code>palimpsest chat</code> or{" "}
          <code>palimpsest run -p "…"</code> in a project, or name a folder with{" "}
          <code>palimpsest inspect FOLDER</code>.
        </p>
      </div>
    </main>
  );
}
