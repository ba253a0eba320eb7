import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openAgent } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { createEmulator, say } from "palimpsest/testing";
import { expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { runCommand, temporaryFolder } from "./subject.ts";

/** The user has a budget; the project says that nothing costs anything. */
const { user, project } = readJsonFixture<{ readonly user: object; readonly project: object }>(
  "69-settings-of-an-untrusted-project.json",
);

async function folders() {
  const root = await temporaryFolder();
  const [home, cwd] = [join(root, "home"), join(root, "shop")];
  await mkdir(join(cwd, ".palimpsest"), { recursive: true });
  await mkdir(home);
  await writeFile(join(home, "settings.json"), JSON.stringify(user));
  await writeFile(join(cwd, ".palimpsest/settings.json"), JSON.stringify(project));
  return { home, cwd };
}

it("69: a project that nobody trusts cannot lift the user's budget by saying that models cost nothing", async () => {
  const { home, cwd } = await folders();
  const emulator = await createEmulator({ script: () => say("Hello.") });
  onTestFinished(() => emulator.close());
  const model = anthropic("claude-sonnet-4-5", { baseURL: emulator.url, apiKey: "sk-test" });
  const session = await openAgent({ home, cwd, model, layers: [] });
  onTestFinished(() => session.close());
  const ends: string[] = [];
  for await (const event of session.run("Hello?")) if (event.type === "run-end") ends.push(event.reason);
  expect(ends).toEqual(["day-budget"]);
  expect([...emulator.requests]).toEqual([]);
});

it("69: what is set is the user's, and a line says what waits for trust", async () => {
  const { home, cwd } = await folders();
  const { stdout } = await runCommand(["config", "show", "--json"], { home, cwd });
  const { settings } = JSON.parse(stdout) as {
    readonly settings: readonly { readonly setting: string; readonly source: { readonly kind: string } }[];
  };
  const set = settings.filter(({ source }) => source.kind !== "default").map(({ setting }) => setting);
  expect(set).toEqual(["budget.dollarsPerDay"]);
  const { stdout: shown } = await runCommand(["config", "show"], { home, cwd });
  expect(shown.replace(/\s+/g, " ")).toContain("catalog, dream, durability: ignored until you trust");
});
