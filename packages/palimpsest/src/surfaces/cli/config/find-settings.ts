import { flagNames, nearestName, settingsIn, settingsShape, variablesOf } from "@palimpsest/core/internal";
import { UsageError } from "../../local/or-throw.ts";
import { settingNames } from "./setting-rows.ts";

/** The settings that a person means by a name, a group's name (`compaction`, `compaction.*`) or a variable. */
export function findSettings([named = "", ...others]: readonly string[]): readonly string[] {
  const found = namesMeant(named);
  if (found.length === 0) refuseUnknown(named);
  if (others.length > 0)
    throw new UsageError(
      `config explains one setting, or one group of them, at a time, and got ${others.length + 1}; use: palimpsest config show NAME`,
    );
  return found;
}

function namesMeant(named: string): readonly string[] {
  if (settingNames().includes(named)) return [named];
  const group = named.replace(/\.\*$/, "");
  const inside = settingNames().filter((name) => name.startsWith(`${group}.`));
  if (inside.length > 0) return inside;
  return settingsIn(settingsShape)
    .filter(({ name, setting }) => [...variablesOf(name, setting), setting.disabledBy].includes(named))
    .map(({ name }) => name);
}

/** `config NAME` explains a setting, so a mistyped command arrives here too. */
function refuseUnknown(named: string): never {
  const use = "use: palimpsest config show NAME, and config --all for the names";
  const flag = named.replace(/^flags\./, "");
  if (flagNames.some((name) => name === flag))
    throw new UsageError(`'${flag}' is a flag; use: palimpsest config flags`);
  const command = nearestName(named, ["show", "flags", "set-flag", "trust"]);
  const inGroup = settingNames().filter((name) => name.split(".").at(-1) === named);
  const near = nearestName(named, settingNames());
  const settings = inGroup.length > 0 ? inGroup : near === undefined ? [] : [near];
  const [first] = settings;
  if (command === undefined && first !== undefined) {
    const hint = `did you mean ${settings.join(" or ")}?`;
    throw new UsageError(`unknown setting '${named}' (${hint}); ${use}`);
  }
  if (command === undefined && /[.A-Z]/.test(named))
    throw new UsageError(`unknown setting '${named}'; ${use}`);
  const hint = command === undefined ? "" : ` (did you mean ${command}?)`;
  throw new UsageError(
    `unknown command '${named}'${hint}; use: palimpsest config show|flags|set-flag|trust [--cwd DIR] [--json]`,
  );
}
