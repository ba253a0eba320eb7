import { createRuntime } from "@palimpsest/core/internal";
import { fail } from "@palimpsest/core/spec";
import { openProjectDreams, type ProjectDreams } from "../../../loop/dream/project-dreams.ts";
import { readConfiguration } from "../config/read-configuration.ts";
import { escapeTerminal } from "../escape-terminal.ts";
import { orThrow } from "../or-throw.ts";
import { openSessionPlaces } from "../sessions/session-locations.ts";
import type { CommandContext } from "../terminal.ts";

export interface TargetOptions {
  readonly cwd?: string;
  readonly json?: boolean;
}

/** The dreams of the project that a command is about. What was interrupted before is finished first. */
export async function openDreamTarget(
  context: CommandContext,
  { cwd: named }: TargetOptions,
  model?: string,
): Promise<ProjectDreams> {
  const { home, terminal } = context;
  const { project: cwd, survey, flags } = await readConfiguration(context, named);
  const { settings } = survey;
  const places = await openSessionPlaces(context);
  const { clock, ids } = places;
  const project = orThrow(await places.toProject(cwd));
  const { homeFolder } = createRuntime();
  const dreams = openProjectDreams({
    store: places.store(project),
    home,
    cwd,
    homeFolder,
    clock,
    ids,
    settings,
    isEnabled: flags.values.dream && settings.dream?.enabled !== false,
    ...(model !== undefined && { model }),
    onWarning: (text) => terminal.say(`note: ${escapeTerminal(text)}`),
  });
  if (!dreams) throw fail("not-found", "This project has no memory folder.", { path: cwd }).error;
  orThrow(await dreams.changes.recover());
  return dreams;
}

/** The dream that is meant by its id or the beginning of it. */
export async function findDream(dreams: ProjectDreams, named: string): Promise<string> {
  const ids = orThrow(await dreams.changes.list()).map(({ id }) => id);
  if (ids.includes(named)) return named;
  const found = named === "" ? [] : ids.filter((id) => id.startsWith(named));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined)
    throw fail("not-found", `There is no dream “${named}”.`, { fix: "“palimpsest dream review” lists them." })
      .error;
  throw fail("invalid-input", `“${named}” may be ${found.join(", ")}.`, { fix: "Write more of the id." })
    .error;
}
