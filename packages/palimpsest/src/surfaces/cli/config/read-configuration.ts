import { resolve } from "node:path";
import {
  type ChosenThresholds,
  chooseThresholds,
  createRuntime,
  type Environment,
  type ResolvedFlags,
  readSwitches,
  resolveFlags,
  resolveWindow,
  type SettingsSurvey,
  type SettingWarning,
  type Switches,
  surveySettings,
  type Window,
} from "@palimpsest/core/internal";
import { type Disk, fail, type Settings } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeExactly } from "../../terminal/escape-terminal.ts";
import { wrapBehind } from "../../terminal/wrap-text.ts";
import { readStoreFlags } from "./store-flags.ts";

/** Everything that is set for a project outside a program, as a session would find it. */
export interface Configuration {
  readonly home: string;
  readonly project: string;
  readonly survey: SettingsSurvey;
  readonly flags: ResolvedFlags;
  readonly switches: Switches;
  readonly thresholds: ChosenThresholds;
  /** Of a model that nobody knows. */
  readonly window: Window;
  readonly warnings: readonly SettingWarning[];
}

/** Reads what a session reads. A settings file in error is left out: its survey says what is wrong with it. */
export async function readConfiguration(
  context: CommandContext,
  cwd: string | undefined,
  options: Settings = {},
): Promise<Configuration> {
  const { clock, environment } = createRuntime();
  const disk = createNodeDisk();
  const project = await projectFolder(disk, context.folder, cwd);
  const survey = await surveySettings(disk, context.home, project, { environment, options });
  const { stored, warnings } = await readStoreFlags(context, disk, project);
  const resolved = await resolveFlags({ options, environment, settings: survey.settings, stored, clock });
  const flags = { ...resolved, warnings: [...resolved.warnings, ...warnings] };
  return { home: context.home, project, survey, flags, ...decide(survey, flags, environment, options) };
}

function decide(survey: SettingsSurvey, flags: ResolvedFlags, environment: Environment, options: Settings) {
  const { settings } = survey;
  const { killSwitches, given } = flags;
  const switches = readSwitches({ killSwitches, options, environment, flags: given, settings });
  const thresholds = chooseThresholds({ options, environment, settings });
  const window = resolveWindow({ ...unknownModel, environment, numbers: settings.window });
  const all = [survey, flags, switches, window, ...Object.values(thresholds)];
  return { switches, thresholds, window, warnings: all.flatMap(({ warnings }) => warnings) };
}

const unknownModel = { model: "", capabilities: { known: false, value: { contextWindow: 0 } } };

/** The folder whose settings count, absolute. */
export async function projectFolder(disk: Disk, folder: string, cwd: string | undefined): Promise<string> {
  if (cwd === undefined) return folder;
  const project = resolve(folder, cwd);
  const real = await disk.realPath(project);
  const stat = real.ok ? await disk.stat(real.value) : real;
  if (stat.ok && stat.value.kind === "directory") return project;
  const fix = "Name the folder of a project after --cwd.";
  if (stat.ok) throw fail("not-directory", `${project} is not a folder.`, { path: project, fix }).error;
  if (stat.error.code !== "not-found") throw stat.error;
  throw fail("not-found", `There is no folder ${project}.`, { path: project, fix }).error;
}

/** A blank line and every message behind its mark, wrapped; nothing where there is none. */
export function warningLines(
  messages: readonly string[],
  { columns, style }: Pick<Terminal, "columns" | "style">,
  mark: "warning" | "error" = "warning",
): readonly string[] {
  const paint = mark === "error" ? style.red : style.yellow;
  const lines = messages.flatMap((message) =>
    wrapBehind(`${mark}: `, escapeExactly(message), columns).map((line) => line.replace(`${mark}:`, paint)),
  );
  return lines.length === 0 ? [] : ["", ...lines];
}
