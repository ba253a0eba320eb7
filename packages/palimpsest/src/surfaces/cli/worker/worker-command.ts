import { createRuntime } from "@palimpsest/core/internal";
import type { WorkHandlers, WorkKind } from "@palimpsest/core/spec";
import { createPostgresBackgroundWork, runPostgresWorker } from "@palimpsest/core/stores/postgres";
import { toHarmless, toJsonLine } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { type OpenedWork, type OpenWork, openWork } from "./open-work.ts";
import { eventLine, workLines } from "./work-lines.ts";

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
  terminal.say(`${toHarmless(named)} is ${outcome === "removed" ? "removed" : "being stopped"}.`);
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
  const handlers = chosen(opened.handlers, options.kinds);
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

function chosen(handlers: WorkHandlers, kinds: readonly WorkKind[] | undefined): WorkHandlers {
  if (!kinds) return handlers;
  return Object.fromEntries(Object.entries(handlers).filter(([kind]) => kinds.includes(kind as WorkKind)));
}
