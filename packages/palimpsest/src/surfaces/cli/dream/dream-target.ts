import { type ChangeSet, createRuntime, type ReviewReason } from "@palimpsest/core/internal";
import { fail } from "@palimpsest/core/spec";
import { openProjectDreams, type ProjectDreams } from "../../../loop/dream/project-dreams.ts";
import { orThrow } from "../../local/or-throw.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { wrapBehind, wrapText } from "../../terminal/wrap-text.ts";
import { readConfiguration } from "../config/read-configuration.ts";

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
  const locations = await openSessionLocations(context);
  const { clock, ids } = locations;
  const project = orThrow(await locations.toProject(cwd));
  const { homeFolder } = createRuntime();
  const dreams = openProjectDreams({
    store: locations.store(project),
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

type Screen = Pick<Terminal, "style" | "columns">;

/** The changes of a dream, one file a line, and what it wants a person to look at. */
export function changeLines({ changes, flags }: ChangeSet, { style, columns }: Screen): readonly string[] {
  const lines = changes.flatMap((change) => {
    const mark =
      change.kind === "remove" ? style.red("-") : change.expect === 0 ? style.green("+") : style.yellow("~");
    const why = change.reason
      ? wrapBehind("    ", escapeTerminal(change.reason), columns).map(style.dim)
      : [];
    const against = change.contradiction
      ? wrapBehind("    ", escapeTerminal(`contradicted: ${change.contradiction}`), columns)
      : [];
    return [`${mark} ${escapeTerminal(change.path)}`, ...why, ...against];
  });
  const flagged = flags.flatMap(({ kind, path, target }) =>
    wrapText(escapeTerminal(`! ${path}: ${flagWords[kind]} ${target}`), columns),
  );
  return [...lines, ...flagged.map(style.yellow)];
}

const flagWords = {
  "dead-link": "links to missing files:",
  "missing-path": "names a path that is not there:",
  duplicate: "says the same as",
} as const;

export function reasonLines(reasons: readonly ReviewReason[], { columns }: Screen): readonly string[] {
  return reasons.flatMap(({ message }) => wrapBehind("  - ", escapeTerminal(message), columns));
}
