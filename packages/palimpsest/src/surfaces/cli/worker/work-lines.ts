import type { WorkItem } from "@palimpsest/core/spec";
import type { WorkerEvent } from "@palimpsest/core/stores/postgres";
import { formatClock } from "../format-time.ts";
import { toHarmless } from "../harmless.ts";
import { renderTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";

type Screen = Pick<Terminal, "style" | "columns">;

/** All work, one a line, and behind it why some of it failed. */
export function workLines(items: readonly WorkItem[], { style, columns }: Screen): readonly string[] {
  if (items.length === 0) return [style.dim("There is no work.")];
  const paints = { waiting: style.dim, running: style.green, failed: style.red };
  return renderTable({
    columns: [
      { header: "ID", max: 12 },
      { header: "STATE" },
      { header: "TRIES", align: "right" },
      { header: "WORK", max: 34 },
      { header: "LAST ERROR", isFlexible: true },
    ],
    rows: items.map((item) => [
      { text: toHarmless(item.id) },
      { text: item.state, paint: paints[item.state] },
      { text: `${item.attempts}/${item.maxAttempts}` },
      { text: toHarmless(nameOf(item)) },
      { text: toHarmless(item.lastError ?? "") },
    ]),
    width: columns,
    paintHeader: style.dim,
  });
}

const nameOf = ({ kind, project, session }: Pick<WorkItem, "kind" | "project" | "session">) =>
  [project, ...(session === undefined ? [] : [session]), kind].join("/");

/** One line for what a worker does. */
export function eventLine(event: WorkerEvent, nowMs: number, { style }: Screen): string {
  const at = style.dim(formatClock(new Date(nowMs).toISOString()));
  if (event.type === "server-away")
    return `${at} ${style.yellow("server away")}: ${toHarmless(event.message)}`;
  if (event.type === "server-back") return `${at} ${style.green("server back")}`;
  const name = toHarmless(nameOf(event.order));
  if (event.type === "work-start")
    return `${at} ${name} ${style.dim(event.attempt > 1 ? `begins, try ${event.attempt}` : "begins")}`;
  const paints = { done: style.green, again: style.yellow, stopped: style.yellow, failed: style.red };
  return `${at} ${name} ${paints[event.outcome](event.outcome)}: ${toHarmless(event.message)}`;
}
