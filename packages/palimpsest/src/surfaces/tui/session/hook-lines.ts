import type { Settings } from "@palimpsest/core/spec";
import { cutText } from "../../cli/fit-text.ts";
import { toHarmless } from "../../cli/harmless.ts";

/** The hooks that settings name, one a line. */
export function hookLines({ hooks = {} }: Pick<Settings, "hooks">, columns: number): readonly string[] {
  const lines = Object.entries(hooks).flatMap(([name, given]) =>
    [given]
      .flat()
      .map((hook) => cutText(`  ${name.padEnd(18)} ${toHarmless(JSON.stringify(hook))}`, columns)),
  );
  if (lines.length > 0) return lines;
  return ["  None is set. “hooks” in a settings file names them; docs/guides/hooks.md says how."];
}
