import { join } from "node:path";
import { createRuntime, decideStore, defaultModel } from "@palimpsest/core/internal";
import {
  fail,
  ok,
  PalimpsestError,
  type ProjectStore,
  type WorkHandlers,
  type WorkOrder,
} from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { type Database, migrate, openDatabase } from "@palimpsest/core/stores/postgres";
import { openAgentPlace } from "../../../loop/agent/agent-place.ts";
import { openProjectDreams } from "../../../loop/dream/project-dreams.ts";
import { createDreamWork } from "../../../loop/work/create-dream-work.ts";
import { createExtractionWork } from "../../../loop/work/create-extraction-work.ts";
import { readConfiguration } from "../config/read-configuration.ts";
import { orThrow } from "../or-throw.ts";
import { checkModel } from "../run/check-model.ts";
import { openSessionPlaces } from "../sessions/session-places.ts";
import type { CommandContext } from "../terminal.ts";

export interface OpenedWork {
  readonly database: Database;
  readonly url: string;
  readonly handlers: WorkHandlers;
  close(): Promise<void>;
}

/** Where the stores of a project come from. */
export type OpenProjectStore = (project: string) => ProjectStore;

export type OpenWork = (context: CommandContext) => Promise<OpenedWork>;

/** The queue and the projects of a store. Throws where there is no store that machines share. */
export const openWork: OpenWork = async (context) => {
  const { clock, environment } = createRuntime();
  const choice = orThrow(decideStore({ environment, ...(context.store && { store: context.store }) }));
  if (choice.kind === "files")
    throw fail("invalid-input", "There is no store that workers could share.", {
      path: "DATABASE_URL",
      fix: "Set DATABASE_URL or give --store. Work runs inside each agent when sessions are files.",
    }).error;
  const { url } = choice;
  const database = orThrow(await openDatabase({ url, clock }));
  orThrow(await migrate(database));
  const places = await openSessionPlaces(context);
  const store: OpenProjectStore = (project) => places.store(project);
  return { database, url, handlers: workHandlers(context, store), close: () => database.close() };
};

/** What a worker can do, on the stores that it is given. */
export function workHandlers(context: CommandContext, storeOf: OpenProjectStore): WorkHandlers {
  const { home } = context;
  const { clock, ids, homeFolder, environment } = createRuntime();

  /** A project whose folder is not on this machine is worked on from the data root, which a new machine has not yet. */
  async function placeOf({ project, cwd }: WorkOrder) {
    orThrow(await createNodeDisk().makeDirectory(home));
    const there = cwd === undefined ? null : await openAgentPlace({ cwd, home }).catch(() => null);
    const place = there ?? (await openAgentPlace({ cwd: home, home }));
    const folder = join(home, "projects", project);
    const own = { memoryFolder: join(folder, "memory"), recallFolder: join(folder, "recall") };
    return place.project === project ? place : { ...place, project, ...own };
  }

  return {
    extraction: createExtractionWork(async (order) =>
      ok({ place: await placeOf(order), store: storeOf(order.project) }),
    ),
    dream: createDreamWork(async (order) => {
      const { cwd } = await placeOf(order);
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
