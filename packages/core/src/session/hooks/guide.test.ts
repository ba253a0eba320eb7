import { readFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../../../test/house/source-files.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createRuntime } from "../../runtime.ts";
import { systemShell } from "../../runtime-shell.ts";
import { formOf } from "../../settings/schema-form.ts";
import { createHooks } from "./create-hooks.ts";
import { readAnswer } from "./read-answer.ts";
import { commonVariables } from "./run-command.ts";
import { hooksSchema } from "./settings.ts";

const page = readFileSync(join(root, "docs/guides/hooks.md"), "utf8");
const form = formOf(hooksSchema);
const hookFields = form.kind === "fields" ? form.fields : {};

function example(language: string): string {
  return new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1] ?? "";
}

/** The first cells of the rows behind a line that begins with `header`. */
function rowsOf(header: string): readonly (readonly string[])[] {
  const [, table = ""] = page.split(`\n| ${header}`);
  return (table.split("\n\n")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.slice(2, -2).split(" | "));
}

const quoted = (name: string) => `\`${name}\``;

describe("docs/guides/hooks.md", () => {
  it("has an example that does what it says", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "no-force.sh"), `${example("sh")}\n`);
    await chmod(join(folder, "no-force.sh"), 0o755);
    const hooks = createHooks({
      settings: JSON.parse(example("json")).hooks,
      shell: systemShell,
      clock: createRuntime().clock,
      environment: { PATH: "/usr/bin:/bin" },
      cwd: folder,
    });
    const use = (tool: string, command: string) => {
      const context = { session: "s", cwd: folder, mode: "default" } as const;
      const input = { toolUseId: "t", tool, input: { command }, ...context };
      return hooks.run("PreToolUse", input, new AbortController().signal);
    };
    const silent = { contexts: [], messages: [], warnings: [] };
    expect(await use("Bash", "git push --force")).toEqual({
      ...silent,
      block: "Pushing by force is not done here. Push to a new branch.",
    });
    expect(await use("Bash", "git push")).toEqual(silent);
    expect(await use("Write", "git push --force")).toEqual(silent);
  });

  it("lists the hooks there are, and which take a matcher", () => {
    const rows = rowsOf("hook | is told");
    expect(rows.map(([name]) => name)).toEqual(Object.keys(hookFields).map(quoted));
    for (const [name = "", , matcher] of rows) {
      const rule = { hooks: [], matcher: "x" };
      const make = () =>
        createHooks({
          settings: { [name.slice(1, -1)]: [rule] },
          shell: systemShell,
          clock: createRuntime().clock,
          environment: {},
          cwd: "/",
        });
      if (matcher === "none") expect(make).toThrow("nothing to match");
      else expect(make).not.toThrow();
    }
  });

  it("lists the fields that count, and where", () => {
    const values: Readonly<Record<string, string>> = { permission: "deny" };
    for (const [field = "", on] of rowsOf("field of an answer")) {
      const name = field.slice(1, -1);
      const answer = { [name]: values[name] ?? "text" };
      expect(readAnswer(answer, "PreToolUse")).toEqual({ answer, warnings: [] });
      const isEverywhere = readAnswer(answer, "SessionEnd").warnings.length === 0;
      expect([name, isEverywhere]).toEqual([name, on === "all" || name === "reason"]);
    }
    expect(rowsOf("field of an answer")).toHaveLength(7);
  });

  it("names the variables that every hook sees", () => {
    const [, sentence = ""] = /It sees ([\s\S]*?)\n-/.exec(page) ?? [];
    for (const name of commonVariables) expect(sentence).toContain(quoted(name));
  });
});
