import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

it("has adapters that the types of the real libraries agree with", () => {
  const compiler = at("../../node_modules/typescript/bin/tsc");
  const run = () =>
    execFileSync(process.execPath, [compiler, "--noEmit", "-p", at(".")], { encoding: "utf8" });
  expect(run()).toBe("");
});
