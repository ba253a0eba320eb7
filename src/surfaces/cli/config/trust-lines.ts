import type { RestrictedParts } from "../../../engine/settings/index.ts";
import { type RestrictedSetting, restrictedValue } from "../../../engine/settings/restricted-settings.ts";
import { toHarmless, toJson } from "../harmless.ts";
import type { Terminal } from "../terminal.ts";
import { breakText } from "./wrap-text.ts";

const effects: Readonly<Record<RestrictedSetting, string>> = {
  hooks: "commands that run while a session does",
  upstream: "where requests and keys are sent",
  environment: "variables that programs are started with",
  mcp: "servers that are started or asked",
  "permissions.allow": "what the agent may do without asking",
  additionalFolders: "folders that the agent may change besides this one",
  agents: "what agents may spend",
  budget: "what all sessions may spend in a day",
};

const indent = "    ";

/** Everything that would be trusted, to the last character: nothing is cut, and nothing moves the cursor. */
export function trustLines(
  files: readonly RestrictedParts[],
  { columns, style }: Pick<Terminal, "columns" | "style">,
): readonly string[] {
  return files.flatMap(({ content, parts, settings }) => [
    style.bold(toHarmless(content.path)),
    ...parts.flatMap((part) => [
      `  ${style.yellow(part)}: ${effects[part]}`,
      ...toJson(restrictedValue(settings, part))
        .trimEnd()
        .split("\n")
        .flatMap((line) => breakText(line, columns - indent.length).map((piece) => indent + piece)),
    ]),
    "",
  ]);
}
