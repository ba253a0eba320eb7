import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { strategies } from "../../packages/core/src/layers/2-microcompact/settings.ts";
import type { Strategy } from "../../packages/core/src/layers/2-microcompact/strategy.ts";
import { createSnipTool } from "../../packages/palimpsest/src/tools/snip/index.ts";
import { packages } from "../../scripts/bundle/entries.mjs";
import { sourceAliases } from "../../scripts/bundle/package-aliases.mjs";
import { agentTools } from "../loop/agent-tool-list.ts";
import { agentPage, settingsPage } from "./made-tables.ts";
import { root, sourceFiles } from "./source-files.ts";

/** What is done to a file: it is new, or a text is put before another one that it has. */
type Edit = string | readonly (readonly [before: string, added: string])[];

const toolSource = `import type { Tool } from "@palimpsest/core/spec";
import { pathSubjects } from "../files/paths/resolve-path.ts";

export function createOutlineTool(): Tool {
  return {
    name: "Outline",
    description: "Lists the headings of a file. Reads nothing else.",
    input_schema: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
    isReadOnly: true,
    promptLines: [{ section: "tools", text: "Of a long file ask for its Outline first." }],
    subjectsOf: pathSubjects("file_path", "read"),
    run: async () => ({ content: "No headings." }),
  };
}
`;

const strategySource = `import { count } from "../../../settings/declare.ts";
import { offByDefault } from "../../../settings/flag.ts";
import { chooseNothing, resultsIn, type Strategy, seenParts } from "../strategy.ts";

const settings = { oldestKeep: count(7, "with the flag \`clear-oldest\`, so many results stay", { least: 1 }) };
const flags = { "clear-oldest": offByDefault("Clears all but the newest tool results.") };

export const clearOldest: Strategy<typeof settings, typeof flags> = {
  name: "oldest",
  flags,
  settings,
  choose(context) {
    const parts = seenParts(resultsIn(context.parts).slice(0, -context.numbers.oldestKeep), context);
    return parts.length === 0 ? chooseNothing("all are new") : { choice: "clear", parts, reason: "old" };
  },
};
`;

/** Compiles where the types of settings know what the recipes added. */
const typesSource = `import type { FlagValues, Settings } from "./packages/core/src/spec/index.ts";
import { compactionNumbers } from "./packages/core/src/layers/4-compaction/settings.ts";

export const settings: Settings = { compaction: { quietRounds: 3 }, microcompact: { oldestKeep: 2 } };
export const flags: Partial<FlagValues> = { "clear-oldest": true };
export const rounds: number = compactionNumbers.quietRounds;
// @ts-expect-error: it is a number
export const wrong: Settings = { compaction: { quietRounds: "3" } };
`;

const recipes: Readonly<Record<string, Readonly<Record<string, Edit>>>> = {
  "Add a tool": {
    "packages/palimpsest/src/tools/outline/index.ts": toolSource,
    "packages/core/src/catalog/known-tools.ts": [
      [
        '  { name: "ToolSearch"',
        '  { name: "Outline", permission: reading, file: "read", clearing: "result", memory: "reads" },\n',
      ],
    ],
    "packages/palimpsest/src/loop/agent/agent-tools.ts": [
      [
        "import { createExitPlanModeTool }",
        'import { createOutlineTool } from "../../tools/outline/index.ts";\n',
      ],
      ["    createWebFetchTool(),", "    createOutlineTool(),\n"],
    ],
  },
  "Add a clearing strategy": {
    "packages/core/src/layers/2-microcompact/strategies/oldest.ts": strategySource,
    "packages/core/src/layers/2-microcompact/settings.ts": [
      ["import { clearOnServer }", 'import { clearOldest } from "./strategies/oldest.ts";\n'],
      ["  clearCold,\n", "  clearOldest,\n"],
    ],
  },
  "Add a setting": {
    "packages/core/src/layers/4-compaction/settings.ts": [
      [
        "  maxFailures: count(",
        '  quietRounds: count(4, "rounds without a question before a summary is prepared"),\n',
      ],
    ],
  },
};

/** What the changed sources are asked for. */
type Built = typeof import("../../packages/core/src/layers/2-microcompact/index.ts") &
  typeof import("../../packages/core/src/layers/2-microcompact/settings.ts") &
  typeof import("../../packages/core/src/session/flags/flag-table.ts") &
  typeof import("../../packages/core/src/session/settings/all-settings.ts") &
  typeof import("../../packages/core/src/session/settings/environment-settings.ts") &
  typeof import("../../packages/core/src/settings/check-value.ts") &
  typeof import("../../packages/core/src/view/ledgers/ledgers.ts") &
  typeof import("../../packages/palimpsest/src/loop/agent/system-prompt.ts") &
  typeof import("../../packages/palimpsest/src/surfaces/cli/config/explain-setting.ts") &
  typeof import("../../packages/palimpsest/src/surfaces/cli/config/setting-rows.ts") &
  typeof import("../../packages/palimpsest/src/tools/permissions/index.ts") &
  typeof import("../loop/agent-tool-list.ts") &
  typeof import("../support/tool-rounds.ts");

const asked = [
  ...["layers/2-microcompact/index", "layers/2-microcompact/settings", "session/flags/flag-table"].map(
    (path) => `packages/core/src/${path}.ts`,
  ),
  ...["session/settings/all-settings", "session/settings/environment-settings"].map(
    (path) => `packages/core/src/${path}.ts`,
  ),
  ...["settings/check-value", "view/ledgers/ledgers"].map((path) => `packages/core/src/${path}.ts`),
  "packages/palimpsest/src/loop/agent/system-prompt.ts",
  ...["explain-setting", "setting-rows"].map(
    (name) => `packages/palimpsest/src/surfaces/cli/config/${name}.ts`,
  ),
  "packages/palimpsest/src/tools/permissions/index.ts",
  "test/loop/agent-tool-list.ts",
  "test/support/tool-rounds.ts",
];

let folder = "";
let built: Built;

/** A copy of the sources in which every recipe was followed. */
async function followRecipes(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "palimpsest-recipes-"));
  const isSource = (path: string) => !/\.test\.ts$|\/node_modules(?:\/|$)/.test(path.slice(root.length));
  for (const path of [...packages.map((name) => `packages/${name}/src`), "test/support", "test/loop"])
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: isSource });
  for (const path of [
    "tsconfig.json",
    "package.json",
    ...packages.map((name) => `packages/${name}/package.json`),
  ])
    cpSync(join(root, path), join(folder, path));
  for (const path of ["node_modules", "packages/palimpsest/node_modules"])
    if (existsSync(join(root, path))) symlinkSync(join(root, path), join(folder, path));
  for (const [path, edit] of Object.values(recipes).flatMap((edits) => Object.entries(edits))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof edit === "string" ? edit : edited(path, edit));
  }
}

function edited(path: string, edit: Exclude<Edit, string>): string {
  return edit.reduce(
    (text, [before, added]) => {
      if (text.split(before).length !== 2) throw new Error(`${path} does not have “${before}” once.`);
      return text.replace(before, () => `${added}${before}`);
    },
    readFileSync(join(root, path), "utf8"),
  );
}

/** Other people's packages stay outside; ours are those of the copy. */
async function build(): Promise<Built> {
  writeFileSync(join(folder, "asked.ts"), asked.map((path) => `export * from "./${path}";\n`).join(""));
  const aliases = sourceAliases().map(({ find, replacement }) => ({
    find,
    path: join(folder, replacement.slice(root.length)),
  }));
  const isBare = (id: string) => !id.startsWith(".") && !id.startsWith("/");
  const bundle = await rolldown({
    input: join(folder, "asked.ts"),
    platform: "node",
    tsconfig: false,
    logLevel: "silent",
    plugins: [
      {
        name: "copied-packages",
        resolveId(id) {
          const own = aliases.find(({ find }) => find.test(id));
          if (own) return own.path;
          return isBare(id) ? { id, external: true } : null;
        },
      },
    ],
  });
  const file = join(folder, "asked.mjs");
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return import(pathToFileURL(file).href);
}

beforeAll(async () => {
  await followRecipes();
  built = await build();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");

/** A session that clears at every request all that its strategy may, and one result that was there for a while. */
async function clearedSession(tool: string, settings: object) {
  const { addRound, beginToolSession, createLedgers, createMicrocompactLayer } = built;
  const opened = await beginToolSession({ layers: [createMicrocompactLayer()], settings });
  const { session, events } = opened;
  const content = "words ".repeat(2_000);
  await addRound(session, [{ id: "t1", tool, input: { file_path: "/work/a.md" }, content }]);
  await session.prepare();
  await addRound(session, [{ id: "t2", input: { command: "ls" }, content: "a.md" }]);
  const { request } = await session.prepare();
  const ledgers = createLedgers();
  for await (const entry of session.entries()) if (entry.kind === "message") ledgers.add(entry);
  await session.close();
  return { request: JSON.stringify(request.messages), events, files: ledgers.ledgers().files };
}

describe("the recipes of CONTRIBUTING.md", () => {
  it.each(Object.entries(recipes))(
    "“%s” names the files that are touched, and no others",
    (heading, edits) => {
      const [, section = ""] = contributing.split(`\n## ${heading}\n`);
      const named = [...(section.split("\n## ")[0] ?? "").matchAll(/^\d\. `([^`]+)`/gm)].map(
        ([, path]) => path,
      );
      expect(
        named.map((path) => path?.replace("<name>", heading === "Add a tool" ? "outline" : "oldest")),
      ).toEqual(Object.keys(edits));
    },
  );

  it("lead to sources that compile", async () => {
    const files = ["types.ts", ...asked, ...Object.values(recipes).flatMap((edits) => Object.keys(edits))];
    writeFileSync(join(folder, "types.ts"), typesSource);
    writeFileSync(
      join(folder, "tsconfig.recipes.json"),
      JSON.stringify({ extends: "./tsconfig.json", files, include: [] }),
    );
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const run = promisify(execFile)(process.execPath, [compiler, "-p", "tsconfig.recipes.json"], {
      cwd: folder,
    });
    expect(await run.catch(({ stdout }: { readonly stdout: string }) => ({ stdout }))).toMatchObject({
      stdout: "",
    });
  });

  it("make a tool that prompt, rules, ledgers, clearing and the guide know", async () => {
    const { agentTools, decidePermission, toSystemPrompt } = built;
    const tools = await agentTools();
    const tool = tools.find(({ name }) => name === "Outline");
    expect(tools.map(({ name }) => name).indexOf("Outline")).toBe(10);
    expect(toSystemPrompt(tools)).toContain("\n- Of a long file ask for its Outline first.\n");
    expect(toSystemPrompt(tools.filter((one) => one !== tool))).not.toContain("Outline");

    const matter = {
      tool: "Outline",
      subjects: tool?.subjectsOf?.({ file_path: "/work/a.md" }) ?? [],
      mode: "default",
      workspace: ["/work"],
      homeFolder: "/home/me",
      isReadOnlyCommand: () => false,
    } as const;
    const rules = { deny: ["Read(//work/a.md)"] };
    expect(decidePermission({ ...matter, rules })).toMatchObject({ behavior: "deny", rule: rules.deny[0] });
    const byFamily = {
      ...matter,
      tool: "Unknown",
      rules: { allow: ["Read(//other/**)"] },
      subjects: [{ kind: "path", value: "/other/b.md", access: "read" }],
    } as const;
    expect(decidePermission(byFamily)).toMatchObject({ behavior: "ask" });
    expect(decidePermission({ ...byFamily, tool: "Outline" })).toMatchObject({ behavior: "allow" });

    const settings = {
      flags: { "clear-threshold": true },
      microcompact: { thresholdTokens: 500, thresholdKeep: 0, thresholdMinSavedTokens: 1 },
    };
    const { request, files } = await clearedSession("Outline", settings);
    expect(request).toMatch(
      /\[Old tool result content cleared\] Outline \/work\/a\.md · \d+ bytes · recall t1/,
    );
    expect(files.get("/work/a.md")).toMatchObject({ lastAction: "read" });

    const page = readFileSync(join(root, "docs/guides/agent.md"), "utf8");
    expect(agentPage(page, tools)).toContain(
      "\n| `Outline` | lists the headings of a file | yes |\n| `WebFetch` |",
    );
  });

  it("make a strategy that flags, settings, the guide and the choice know", async () => {
    const { checkValue, flagTable, microcompactNumbers, settingGroups, settingsSchema } = built;
    expect(Object.entries(flagTable).find(([name]) => name === "clear-oldest")?.[1]).toMatchObject({
      default: false,
      description: "Clears all but the newest tool results.",
    });
    expect(microcompactNumbers).toMatchObject({ oldestKeep: 7 });
    const problemsOf = (settings: object) => {
      const { problems, unknown } = checkValue(settings, settingsSchema);
      return problems.length + unknown.length;
    };
    expect(problemsOf({ microcompact: { oldestKeep: 1 }, flags: { "clear-oldest": true } })).toBe(0);
    expect(problemsOf({ microcompact: { oldestKeep: 0 } })).toBe(1);
    expect(problemsOf({ microcompact: { newestKeep: 1 } })).toBe(1);

    const settings = { microcompact: { oldestKeep: 1 } };
    const { events } = await clearedSession("Read", { ...settings, flags: { "clear-oldest": true } });
    expect(events.filter(({ type }) => type === "results-clear")).toMatchObject([
      { strategy: "oldest", results: 1 },
    ]);
    const without = await clearedSession("Read", settings);
    expect(without.events.filter(({ type }) => type === "results-clear")).toEqual([]);

    expect(addedRows(settingsPage(guide, settingGroups, flagTable))).toEqual(
      expect.arrayContaining([
        "| `microcompact.oldestKeep` | 7 | a whole number ≥ 1 | `PALIMPSEST_MICROCOMPACT_OLDEST_KEEP` | with the flag `clear-oldest`, so many results stay |",
        "| `clear-oldest` | off | `PALIMPSEST_FLAG_CLEAR_OLDEST` | Clears all but the newest tool results. |",
      ]),
    );
  });

  it("make a setting that checks, variables, command and guide know", () => {
    const { checkValue, explainSetting, flagTable, readVariables, settingGroups, settingNames } = built;
    const { settingsSchema, settingsShape } = built;
    const name = "compaction.quietRounds";
    const variable = "PALIMPSEST_COMPACTION_QUIET_ROUNDS";
    expect(checkValue({ compaction: { quietRounds: 2 } }, settingsSchema)).toEqual({
      value: { compaction: { quietRounds: 2 } },
      problems: [],
      unknown: [],
    });
    expect(checkValue({ compaction: { quietRounds: "2" } }, settingsSchema).problems).toEqual([
      { path: name, problem: 'expected a whole number ≥ 0, got "2"', fix: "write 2 without quotes" },
    ]);
    expect(checkValue({ compaction: { quitRounds: 2 } }, settingsSchema).unknown).toMatchObject([
      { fix: "did you mean quietRounds?" },
    ]);
    expect(readVariables({ [variable]: "6" }, settingsShape)).toEqual({
      parts: [{ source: variable, settings: { compaction: { quietRounds: 6 } } }],
      warnings: [],
      problems: [],
    });
    expect(settingNames()).toContain(name);
    const row = { setting: name, value: 4, isHidden: false, source: { kind: "default" } } as const;
    expect(explainSetting(row)).toMatchObject({
      default: 4,
      allowed: "a whole number ≥ 0",
      variables: [variable],
      description: "rounds without a question before a summary is prepared",
    });
    expect(addedRows(settingsPage(guide, settingGroups, flagTable))).toContain(
      `| \`${name}\` | 4 | a whole number ≥ 0 | \`${variable}\` | rounds without a question before a summary is prepared |`,
    );
  });
});

const guide = readFileSync(join(root, "docs/guides/settings.md"), "utf8");

const addedRows = (page: string) => page.split("\n").filter((line) => !guide.split("\n").includes(line));

/** Files whose names are of other things, with the reason. */
const besides: Readonly<Record<string, string>> = {
  "packages/palimpsest/src/replay/policies/tool-results.ts": "what the policies of other programs clear",
  "packages/palimpsest/src/replay/sizes/prompt-content.ts": "what Claude Code clears",
  "packages/core/src/session/flags/built-in-provider.ts": "an example in a message",
  "packages/core/src/session/flags/read-said-flag.ts": "an example in a message",
};

/** `packages/testing` is a test kit. */
const sources = sourceFiles("packages").filter(
  ({ path }) => !path.endsWith(".test.ts") && !path.startsWith("packages/testing/") && !(path in besides),
);

const filesWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe("what there is stands in as few files as what is added", () => {
  it("has exceptions that are some", () => {
    const names = /"(?:Bash|Grep)"/;
    const excepted = sourceFiles("packages").filter(({ path, text }) => path in besides && names.test(text));
    expect(excepted.map(({ path }) => path).toSorted()).toEqual(Object.keys(besides).toSorted());
  });

  it("names each tool in three files at most", async () => {
    const snip = createSnipTool({ snip: async () => ({ ok: true, value: { freedTokens: 0, rounds: 0 } }) });
    for (const { name } of [...(await agentTools()), snip]) {
      // A word of every day: it counts where it names a tool.
      const quoted = name === "memory" ? /tool\w*\W{1,6}"memory"/i : new RegExp(`"${name}"`);
      const files = filesWith(quoted);
      expect(files.length, `${name}: ${files.join(", ")}`).toBeGreaterThan(0);
      expect(files.length, `${name}: ${files.join(", ")}`).toBeLessThan(4);
    }
  });

  it("names flag and settings of each strategy in four files at most, all of them together", () => {
    const all: readonly Strategy[] = strategies;
    for (const { name, flags, settings } of all) {
      const names = [...Object.keys(settings), ...Object.keys(flags).map((flag) => `"${flag}"`)];
      const files = filesWith(new RegExp(names.map((one) => `(?<!\\w)${one}(?!\\w)`).join("|")));
      expect(files.length, `${name}: ${files.join(", ")}`).toBeGreaterThan(0);
      expect(files.length, `${name}: ${files.join(", ")}`).toBeLessThan(5);
    }
  });
});
