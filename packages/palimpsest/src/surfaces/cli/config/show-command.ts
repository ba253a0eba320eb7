import { nearestName } from "@palimpsest/core/internal";
import { fail } from "@palimpsest/core/spec";
import { formatNumber } from "../format-amount.ts";
import { toJson } from "../harmless.ts";
import type { CommandContext } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { fileRecords } from "./file-records.ts";
import { readConfiguration } from "./read-configuration.ts";
import { settingRows } from "./setting-rows.ts";
import { showLines } from "./show-lines.ts";

export interface ShowOptions {
  readonly cwd?: string;
  readonly json?: boolean;
}

/** Shows everything, and fails afterwards if a settings file is in error: no session opens then. */
export async function runShow(
  context: CommandContext,
  extra: readonly string[],
  options: ShowOptions,
): Promise<void> {
  refuseExtra(extra);
  const { terminal } = context;
  const configuration = await readConfiguration(context, options.cwd);
  const { home, project, survey, warnings } = configuration;
  const files = fileRecords(survey.files);
  const settings = settingRows(configuration);
  const messages = warnings.map(({ message }) => message);
  await terminal.write(
    options.json
      ? toJson({ home, project, files, settings, warnings: messages })
      : `${showLines({ home, project, files, settings, warnings: messages }, terminal).join("\n")}\n`,
  );
  const broken = files.filter(({ state }) => state === "error").map(({ path }) => path);
  if (broken.length === 0) return;
  const message = `${formatNumber(broken.length, "settings file")} cannot be used: no session opens here, and the values shown are without ${broken.length === 1 ? "it" : "them"}.`;
  throw fail("invalid-input", message, { path: broken[0], fix: `Mend ${broken.join(", ")}.` }).error;
}

/** `config` alone is `config show`, so a mistyped command arrives here. */
function refuseExtra([named]: readonly string[]): void {
  if (named === undefined) return;
  const meant = nearestName(named, ["show", "flags", "set-flag", "trust"]);
  const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
  throw new UsageError(
    `unknown command '${named}'${hint}; use: palimpsest config show|flags|set-flag|trust [--cwd DIR] [--json]`,
  );
}
