import { join } from "node:path";
import { createRuntime, decideStore, defaultModel } from "@palimpsest/core/internal";
import {
  fail,
  ok,
  PalimpsestError,
  type ProjectStore,
  type WorkHandlers,
  type WorkItem,
  type WorkKind,
  type WorkOrder,
} from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import {
  createPostgresBackgroundWork,
  type Database,
  migrate,
  openDatabase,
  runPostgresWorker,
  type WorkerEvent,
} from "@palimpsest/core/stores/postgres";
import { openAgentLocation } from "../../../loop/agent/agent-location.ts";
import { openProjectDreams } from "../../../loop/dream/project-dreams.ts";
import { createDreamWork } from "../../../loop/work/create-dream-work.ts";
import { createExtractionWork } from "../../../loop/work/create-extraction-work.ts";
import { orThrow, UsageError } from "../../local/or-throw.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal, toJsonLine } from "../../terminal/escape-terminal.ts";
import { formatClock } from "../../terminal/format-amount.ts";
import { renderTable } from "../../terminal/table.ts";
import { readConfiguration } from "../config/read-configuration.ts";
import { checkModel } from "../run/run-choices.ts";

export interface WorkerCommandOptions {
  readonly jobs: number;
  readonly kinds?: readonly WorkKind[];
  readonly once?: boolean;
  readonly list?: boolean;
  readonly stop?: string;
  readonly json?: boolean;
}

export async function runWorker(
  context: CommandContext,
  options: WorkerCommandOptions,
  open: OpenWork = openWork,
): Promise<void> {
  if (options.list && options.stop !== undefined)
    throw new UsageError("--list and --stop exclude each other; use: palimpsest worker [--list | --stop ID]");
  const opened = await open(context);
  try {
    if (options.list) return await showWork(context, opened, options);
    if (options.stop !== undefined) return await stopWork(context, opened, options.stop, options);
    await work(context, opened, options);
  } finally {
    await opened.close();
  }
}

async function showWork({ terminal }: CommandContext, opened: OpenedWork, { json }: WorkerCommandOptions) {
  const items = orThrow(await createPostgresBackgroundWork(opened).list());
  const text = json ? items.map(toJsonLine).join("") : `${workLines(items, terminal).join("\n")}\n`;
  if (text !== "") await terminal.write(text);
}

async function stopWork(
  { terminal }: CommandContext,
  opened: OpenedWork,
  named: string,
  { json }: WorkerCommandOptions,
): Promise<void> {
  const outcome = orThrow(await createPostgresBackgroundWork(opened).stop(named));
  if (json) return terminal.write(toJsonLine({ work: named, outcome }));
  terminal.say(`${escapeTerminal(named)} is ${outcome === "removed" ? "removed" : "being stopped"}.`);
}

/** Works until the person ends it, which is no failure, or until nothing is left. */
async function work(
  context: CommandContext,
  opened: OpenedWork,
  options: WorkerCommandOptions,
): Promise<void> {
  const { terminal, now } = context;
  const { json, once: isOnce = false, jobs } = options;
  const { clock, processes } = createRuntime();
  const handlers = chooseHandlers(opened.handlers, options.kinds);
  if (!json) terminal.say(`Working for ${opened.database.address}: ${Object.keys(handlers).join(", ")}.`);
  let written: Promise<void> = Promise.resolve();
  orThrow(
    await runPostgresWorker(
      {
        ...opened,
        handlers,
        clock,
        processes,
        jobs,
        isOnce,
        onEvent(event) {
          const text = json ? toJsonLine(event) : `${eventLine(event, now(), terminal)}\n`;
          written = written.then(() => terminal.write(text));
        },
      },
      terminal.signal,
    ),
  );
  await written;
}

function chooseHandlers(handlers: WorkHandlers, kinds: readonly WorkKind[] | undefined): WorkHandlers {
  if (!kinds) return handlers;
  return Object.fromEntries(Object.entries(handlers).filter(([kind]) => kinds.includes(kind as WorkKind)));
}

type Screen = Pick<Terminal, "style" | "columns">;

/** All work, one a line, and behind it why some of it failed. */
function workLines(items: readonly WorkItem[], { style, columns }: Screen): readonly string[] {
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
      { text: escapeTerminal(item.id) },
      { text: item.state, paint: paints[item.state] },
      { text: `${item.attempts}/${item.maxAttempts}` },
      { text: escapeTerminal(nameOf(item)) },
      { text: escapeTerminal(item.lastError ?? "") },
    ]),
    width: columns,
    paintHeader: style.dim,
  });
}

const nameOf = ({ kind, project, session }: Pick<WorkItem, "kind" | "project" | "session">) =>
  [project, ...(session === undefined ? [] : [session]), kind].join("/");

/** One line for what a worker does. */
function eventLine(event: WorkerEvent, nowMs: number, { style }: Screen): string {
  const at = style.dim(formatClock(new Date(nowMs).toISOString()));
  if (event.type === "server-away")
    return `${at} ${style.yellow("server away")}: ${escapeTerminal(event.message)}`;
  if (event.type === "server-back") return `${at} ${style.green("server back")}`;
  const name = escapeTerminal(nameOf(event.order));
  if (event.type === "work-start")
    return `${at} ${name} ${style.dim(event.attempt > 1 ? `begins, try ${event.attempt}` : "begins")}`;
  const paints = { done: style.green, again: style.yellow, stopped: style.yellow, failed: style.red };
  return `${at} ${name} ${paints[event.outcome](event.outcome)}: ${escapeTerminal(event.message)}`;
}

interface OpenedWork {
  readonly database: Database;
  readonly url: string;
  readonly handlers: WorkHandlers;
  close(): Promise<void>;
}

/** Where the stores of a project come from. */
type OpenProjectStore = (project: string) => ProjectStore;

type OpenWork = (context: CommandContext) => Promise<OpenedWork>;

/** The queue and the projects of a store. Throws where there is no store that machines share. */
const openWork: OpenWork = async (context) => {
  const { clock, environment } = createRuntime();
  const choice = orThrow(decideStore({ environment, ...(context.store && { store: context.store }) }));
  if (choice.kind === "files")
    throw fail("invalid-input", "Workers need a shared store.", {
      path: "DATABASE_URL",
      fix: "Set DATABASE_URL or give --store. Work runs inside each agent when sessions are files.",
    }).error;
  const { url } = choice;
  const database = orThrow(await openDatabase({ url, clock }));
  orThrow(await migrate(database));
  const locations = await openSessionLocations(context);
  const store: OpenProjectStore = (project) => locations.store(project);
  return { database, url, handlers: workHandlers(context, store), close: () => database.close() };
};

/** The jobs a worker can do, on the stores that it is given. */
export function workHandlers(context: CommandContext, storeOf: OpenProjectStore): WorkHandlers {
  const { home } = context;
  const { clock, ids, homeFolder, environment } = createRuntime();

  /** A project whose folder is not on this machine is worked on from the data root, which a new machine has not yet. */
  async function locationOf({ project, cwd }: WorkOrder) {
    orThrow(await createNodeDisk().makeDirectory(home));
    const there = cwd === undefined ? null : await openAgentLocation({ cwd, home }).catch(() => null);
    const location = there ?? (await openAgentLocation({ cwd: home, home }));
    const folder = join(home, "projects", project);
    const own = { memoryFolder: join(folder, "memory"), recallFolder: join(folder, "recall") };
    return location.project === project ? location : { ...location, project, ...own };
  }

  return {
    extraction: createExtractionWork(async (order) =>
      ok({ location: await locationOf(order), store: storeOf(order.project) }),
    ),
    dream: createDreamWork(async (order) => {
      const { cwd } = await locationOf(order);
      const store = storeOf(order.project);
      const { survey, flags } = await readConfiguration({ ...context, folder: cwd }, undefined);
      const { settings } = survey;
      const isEnabled = flags.values.dream && settings.dream?.enabled !== false;
      const dreams = openProjectDreams({ store, home, cwd, homeFolder, clock, ids, settings, isEnabled });
      if (!dreams) return fail("not-found", `The store of ${order.project} has no lock to dream under.`);
      const hasModel = await canAsk(environment);
      return ok({ dreams, dreamer: hasModel ? await dreams.modelDreamer() : dreams.scribe });
    }),
  };
}

async function canAsk(environment: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  try {
    await checkModel(defaultModel, environment);
    return true;
  } catch (cause) {
    if (PalimpsestError.isInstance(cause) && cause.code === "unauthenticated") return false;
    throw cause;
  }
}
