import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { installConsumer, runProgram } from "../packages/consumer-project.ts";
import { packPackages } from "../packages/pack-packages.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("plays the session that the package brings, where it is installed, and says where that is", async () => {
  const folder = await temporaryFolder();
  const project = join(folder, "project");
  await installConsumer(project, await packPackages(folder));
  const demo = join(project, "node_modules/.bin/palimpsest");
  const { code, stdout, stderr } = await runProgram(demo, project, ["demo"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/from request \d+ of 412 on/);
  const [, shown = ""] = /palimpsest inspect (\S+)/.exec(stdout) ?? [];
  expect(shown).toMatch(/^node_modules\/palimpsest\/assets\//);
  expect(existsSync(join(project, shown))).toBe(true);
});
