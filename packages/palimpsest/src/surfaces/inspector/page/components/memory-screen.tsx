import { useMemo, useState } from "preact/hooks";
import { formatNumber } from "../../../terminal/format-amount.ts";
import type { InspectedMemory, InspectorSource } from "../../inspected.ts";
import { useLoaded } from "../hooks/use-session.ts";
import { formatTime, toVisibleLine } from "../text-parts.ts";
import { FailureNote, FilterField } from "./list-parts.tsx";
import { MemoryDetails } from "./memory-details.tsx";
import { Rows } from "./rows.tsx";

interface MemoryScreenProps {
  readonly source: InspectorSource;
  readonly path: string | undefined;
  readonly onPath: (path: string) => void;
}

const rowPixels = 58;

/** The memories, with their history. */
export function MemoryScreen({ source, path, onPath }: MemoryScreenProps) {
  const memories = useLoaded(() => source.memories(), [source]);
  if (memories.failure)
    return (
      <main class="screen">
        <FailureNote failure={memories.failure} />
      </main>
    );
  if (!memories.value) return <main class="screen" />;
  if (memories.value.length === 0) return <NoMemories isLive={source.isLive} />;
  return (
    <Memories
      source={source}
      memories={memories.value}
      path={path ?? memories.value[0]?.path}
      onPath={onPath}
    />
  );
}

function Memories(props: MemoryScreenProps & { readonly memories: readonly InspectedMemory[] }) {
  const { source, memories, path, onPath } = props;
  const [filter, setFilter] = useState("");
  const wanted = filter.toLowerCase();
  const found = useMemo(
    () =>
      memories.filter(({ name, path, type, description }) =>
        `${name} ${path} ${type} ${description}`.toLowerCase().includes(wanted),
      ),
    [memories, wanted],
  );
  const choose = (row: number) => {
    const memory = found[row];
    if (memory) onPath(memory.path);
  };
  return (
    <main class="screen memory">
      <section class="memories filtered" aria-label="Memories">
        <div class="panel-head">
          <h1>Memory</h1>
          <FilterField label="Filter memories" value={filter} onValue={setFilter} />
        </div>
        <Rows
          id="memories"
          label="Memories"
          role="listbox"
          count={found.length}
          heightOf={() => rowPixels}
          heightsKey={0}
          active={found.findIndex((memory) => memory.path === path)}
          onActive={choose}
          onOpen={() => document.getElementById("memory-text")?.focus()}
          empty={<p class="note quiet">No memory matches.</p>}
          renderRow={(row, place) => {
            const memory = found[row];
            return (
              memory && (
                <div
                  key={memory.path}
                  id={`memories-${row}`}
                  class="row memory-row"
                  role="option"
                  aria-selected={memory.path === path}
                  style={place}
                  onClick={() => choose(row)}
                >
                  <div class="memory-name">
                    <span class="clip">{toVisibleLine(memory.name)}</span>
                    <span class="chip">{toVisibleLine(memory.type)}</span>
                    {memory.trust !== "trusted" && (
                      <span class={`chip${memory.trust === "untrusted" ? " break" : ""}`}>
                        {toVisibleLine(memory.trust)}
                      </span>
                    )}
                  </div>
                  <div class="quiet memory-facts">
                    <span class="clip">
                      {toVisibleLine(memory.description) || toVisibleLine(memory.path)}
                    </span>
                    <span class="number">{formatNumber(memory.versions, "version")}</span>
                    <span class="number">{formatTime(memory.changedAt)}</span>
                  </div>
                </div>
              )
            );
          }}
        />
      </section>
      {path !== undefined && <MemoryDetails key={path} source={source} path={path} />}
    </main>
  );
}

function NoMemories({ isLive }: { readonly isLive: boolean }) {
  return (
    <main class="screen">
      <div class="note">
        <h1>{isLive ? "No memories yet" : "No memories in this report"}</h1>
        {isLive ? (
          <p>
            What should be known next time is kept as files: say “remember …” in <code>palimpsest chat</code>,
            or look at a folder with <code>palimpsest memory list</code>.
          </p>
        ) : (
          <p>
            A report holds one session. Memories are seen with <code>palimpsest inspect</code>.
          </p>
        )}
      </div>
    </main>
  );
}
