import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { PermissionMode } from "../../packages/core/src/spec/index.ts";
import { maxSentMcpTools } from "../../packages/palimpsest/src/loop/agent/agent-tools.ts";
import { gitTimeoutMs } from "../../packages/palimpsest/src/loop/agent/surroundings-notice.ts";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { agentPage } from "../house/made-tables.ts";
import { root, sourceFiles } from "../house/source-files.ts";
import { inTurn, useProject } from "./agent-project.ts";
import { agentTools } from "./agent-tool-list.ts";

const path = join(root, "docs/guides/agent.md");
const page = readFileSync(path, "utf8");

/** The cells of the rows behind a table's header. */
function rowsOf(header: string): readonly (readonly string[])[] {
  const [, table = ""] = page.split(`\n| ${header}`);
  return (table.split("\n\n")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.slice(2, -2).split(" | "));
}

const quoted = (name: string) => `\`${name}\``;

describe("docs/guides/agent.md", () => {
  it("has an example that runs", async () => {
    const example = /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
    const project = await useProject({
      script: inTurn(callTool("Bash", { command: "npm test" }), say("They pass.")),
      files: { "package.json": JSON.stringify({ scripts: { test: "echo passed" } }) },
    });
    // Inside the package, where its own name can be imported.
    const file = join(root, `packages/palimpsest/build/agent-guide-${process.pid}.mjs`);
    await writeFile(file, example);
    try {
      const { PATH = "" } = process.env;
      const env = {
        PATH,
        HOME: project.home,
        PALIMPSEST_HOME: project.home,
        ANTHROPIC_BASE_URL: project.emulator.url,
        ANTHROPIC_API_KEY: "sk-test",
      };
      const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: project.cwd, env });
      expect(stdout.trim().split("\n")).toEqual(['Bash {"command":"npm test"}', "done They pass."]);
      expect(JSON.stringify(project.emulator.requests.last?.whole)).toContain("passed");
    } finally {
      await rm(file);
    }
  });

  it("lists the tools that there are, in their order, and which run side by side; with -u it is written", async () => {
    await expect(agentPage(page, await agentTools())).toMatchFileSnapshot(path);
  });

  it("lists the modes and the kinds of notices that there are", () => {
    const modes: Readonly<Record<PermissionMode, true>> = {
      default: true,
      ask: true,
      plan: true,
      bypass: true,
    };
    expect(rowsOf("mode |").map(([name]) => name)).toEqual(Object.keys(modes).map(quoted));
    const kinds = sourceFiles("packages")
      .filter(
        ({ path }) =>
          /^packages\/\w+\/src\/(loop|tools|session\/rules)\//.test(path) && !path.endsWith(".test.ts"),
      )
      .flatMap(({ text }) =>
        [...text.matchAll(/\bsubtype: "([\w-]+)"/g)].map(([, kind = ""]) => quoted(kind)),
      );
    expect(
      rowsOf("kind |")
        .map(([name]) => name)
        .toSorted(),
    ).toEqual([...new Set(kinds)].toSorted());
  });

  it("quotes the numbers that the code has", () => {
    const quotedNumbers = [...page.matchAll(/<!-- (\w+) -->(\d+)<!-- \/\1 -->/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(quotedNumbers).toEqual([
      ["maxSentMcpTools", String(maxSentMcpTools)],
      ["gitTimeoutSeconds", String(gitTimeoutMs / 1000)],
    ]);
  });
});
