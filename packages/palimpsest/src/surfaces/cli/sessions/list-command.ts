import { type LogListing, ok, type Result } from "@palimpsest/core/spec";
import { orThrow, UsageError } from "../../local/or-throw.ts";
import { openSessionLocations, type SessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatAge, formatBytes, formatNumber } from "../../terminal/format-amount.ts";
import type { Style } from "../../terminal/style.ts";
import { type Cell, type Column, renderTable } from "../../terminal/table.ts";
import { wrapLines } from "../../terminal/wrap-text.ts";

interface ListOptions {
  readonly all?: boolean;
  readonly project?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

export async function runList(context: CommandContext, options: ListOptions): Promise<void> {
  if (options.all && options.project !== undefined) {
    throw new UsageError(
      "--all and --project exclude each other; use: palimpsest sessions list [--all | --project DIR]",
    );
  }
  const { terminal } = context;
  const locations = await openSessionLocations(context);
  const projects = options.all
    ? orThrow(await locations.projects())
    : [await chosenProject(locations, options.project)];
  const sessions = orThrow(await listSessions(locations, projects));
  const shown = sessions.slice(0, options.limit);
  if (options.json) return terminal.write(toJson(shown.map(listedSessionRow)));
  if (sessions.length === 0)
    return terminal.write(
      wrapLines(await emptyText(locations, projects, options.all ?? false), terminal.columns),
    );
  const lines = options.all ? groupedLines(shown, context) : tableLines(shown, sessions, context);
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
  const counted = formatNumber(sessions.length, "session");
  const count = shown.length < sessions.length ? `${shown.length} of ${counted}` : counted;
  const footer = terminal.style.dim(`${count}, logs of ${formatBytes(bytes)}`);
  await terminal.write(`${[...lines, "", footer].join("\n")}\n`);
}

async function chosenProject(locations: SessionLocations, named: string | undefined): Promise<string> {
  return orThrow(named === undefined ? await locations.currentProject() : await locations.toProject(named));
}

/** Every field, always, in this order; `null` where the log does not say. */
function listedSessionRow(session: ListedSession) {
  return {
    id: session.session,
    project: session.project,
    bytes: session.bytes,
    modifiedAt: session.modifiedAt,
    createdAt: session.createdAt ?? null,
    title: session.title ?? null,
    state: session.state ?? null,
    firstPrompt: session.firstPrompt ?? null,
    model: session.model ?? null,
    cwd: session.cwd ?? null,
    parent: session.parent ?? null,
    problem: session.problem ?? null,
  };
}

async function emptyText(
  locations: SessionLocations,
  projects: readonly string[],
  isAll: boolean,
): Promise<string> {
  const where = isAll ? locations.projectsAddress : placeOf(locations, projects[0] ?? "");
  const others = isAll ? [] : orThrow(await listSessions(locations, orThrow(await locations.projects())));
  const lines = [
    isAll ? "There are no sessions yet." : "This project has no sessions yet.",
    `  looked in:  ${escapeTerminal(where)}`,
    "  to get one: open a session from a program in this folder (openSession).",
    "  to read a transcript of another tool: palimpsest sessions show FILE",
  ];
  if (others.length > 0) {
    lines.push(
      `  other projects have ${formatNumber(others.length, "session")}: palimpsest sessions list --all`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function placeOf(locations: SessionLocations, project: string): string {
  return locations.store(project).folders?.sessions ?? `${locations.address}, project ${project}`;
}

/** One block for each project, the one with the newest session first. */
function groupedLines(shown: readonly ListedSession[], context: CommandContext): readonly string[] {
  const projects = [...new Set(shown.map(({ project }) => project))];
  return projects.flatMap((project, index) => {
    const own = shown.filter((session) => session.project === project);
    const folder = own.find(({ cwd }) => cwd !== undefined)?.cwd ?? "";
    const { style } = context.terminal;
    const heading = `${style.bold(escapeTerminal(project))}  ${style.dim(escapeTerminal(folder))}`.trimEnd();
    return [...(index === 0 ? [] : [""]), heading, ...tableLines(own, shown, context)];
  });
}

/** Below this a model's name would leave no room for the title. */
const minColumnsForModel = 70;

function tableLines(
  shown: readonly ListedSession[],
  all: readonly ListedSession[],
  { terminal, now }: CommandContext,
): readonly string[] {
  const { style, columns: width } = terminal;
  const ids = shortenIds(all.map(({ session }) => session));
  const nowMs = now();
  const isModelShown = width >= minColumnsForModel && shown.some(({ model }) => model !== undefined);
  const columns: readonly Column[] = [
    { header: "ID", max: 40 },
    { header: "AGE", align: "right" },
    { header: "SIZE", align: "right" },
    ...(isModelShown ? [{ header: "MODEL", max: 20 }] : []),
    { header: "TITLE", isFlexible: true },
  ];
  const rows = shown.map((session): readonly Cell[] => [
    { text: escapeTerminal(ids.get(session.session) ?? session.session), paint: style.cyan },
    { text: formatAge(nowMs - Date.parse(session.modifiedAt)) },
    { text: formatBytes(session.bytes) },
    ...(isModelShown ? [{ text: escapeTerminal(shortModel(session.model)), paint: style.dim }] : []),
    titleCell(session, style),
  ]);
  return renderTable({ columns, rows, width, paintHeader: style.dim });
}

function titleCell(session: ListedSession, style: Style): Cell {
  const text = escapeTerminal(session.title ?? session.firstPrompt ?? "").trim();
  if (session.problem !== undefined) {
    const problem = `! ${escapeTerminal(session.problem)}`;
    return { text: text === "" ? problem : `${problem}: ${text}`, paint: style.yellow };
  }
  const fork = session.parent === undefined ? "" : "(fork) ";
  return text === "" ? { text: `${fork}(no words yet)`, paint: style.dim } : { text: fork + text };
}

/** Without the date that model names end in. */
function shortModel(model = ""): string {
  return model.replace(/-20\d{6}$/, "");
}

export interface ListedSession extends LogListing {
  readonly project: string;
}

/** The sessions of some projects, newest first. A log that cannot be read is in it, with its problem. */
export async function listSessions(
  locations: SessionLocations,
  projects: readonly string[],
): Promise<Result<readonly ListedSession[]>> {
  const sessions: ListedSession[] = [];
  for (const project of projects) {
    const listed = await locations.store(project).logs.list();
    if (!listed.ok) return listed;
    for (const listing of listed.value) sessions.push({ project, ...listing });
  }
  return ok(
    sessions.sort((a, b) => (a.modifiedAt < b.modifiedAt ? 1 : a.modifiedAt > b.modifiedAt ? -1 : 0)),
  );
}

const minShownChars = 8;

/** For each id the shortest beginning that names it alone, and no less than is easy to recognise. */
export function shortenIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)].sort();
  const short = new Map<string, string>();
  for (const [index, id] of sorted.entries()) {
    const shared = Math.max(sharedChars(id, sorted[index - 1]), sharedChars(id, sorted[index + 1]));
    short.set(id, id.slice(0, Math.max(minShownChars, shared + 1)));
  }
  return short;
}

function sharedChars(id: string, other = ""): number {
  let shared = 0;
  while (shared < id.length && id[shared] === other[shared]) shared += 1;
  return shared;
}
