import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { policies } from "../../packages/palimpsest/src/replay/index.ts";
import {
  comparedPolicies,
  playedPolicies,
  shippedPolicy,
} from "../../packages/palimpsest/src/surfaces/cli/demo/runs/demo-policies.ts";
import { policyAbouts } from "../../packages/palimpsest/src/surfaces/inspector/server/run-what-if.ts";
import { shipped } from "../../scripts/results/with-one-name.mjs";
import { root } from "./source-files.ts";

const names = policies.map(({ name }) => name);
const settingsOf = (policy: string) => policies.find(({ name }) => name === policy)?.settings;
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The policies that a script has in a list of names. */
function listedIn(path: string, pattern: RegExp): readonly string[] {
  const [, list = ""] = pattern.exec(read(path)) ?? [];
  return list.match(/[\w-]+/g) ?? [];
}

describe("what is advertised is what ships", () => {
  it("leads everywhere with the policy that has nothing set", () => {
    expect([shipped, settingsOf(shippedPolicy)]).toEqual([shippedPolicy, {}]);
    expect(playedPolicies.slice(0, 3)).toEqual(["identity", shippedPolicy, "thrifty"]);
    expect(comparedPolicies.slice(0, 3)).toEqual(["identity", shippedPolicy, "thrifty"]);
    expect(policyAbouts()[1]?.name).toBe(shippedPolicy);
    expect(read("packages/palimpsest/src/surfaces/inspector/page/components/what-if-panel.tsx")).toContain(
      `named("${shippedPolicy}")`,
    );
  });

  it("takes policies of the box, in the results, the pictures and the live bench", () => {
    const lists = [
      listedIn("scripts/results/parts.mjs", /quickPolicies = "(.*)"/),
      listedIn("bench/context-sizes.mjs", /const names = \[(.*)\]/),
      listedIn("scripts/results/replay-section.mjs", /const modes = \[(.*)\]/),
    ];
    for (const list of lists) {
      expect(list.filter((name) => name === shippedPolicy || name === "thrifty")).toEqual([
        shippedPolicy,
        "thrifty",
      ]);
      expect(list.filter((name) => !names.includes(name))).toEqual([]);
    }
    expect(read("bench/live/variants.mjs")).not.toMatch(/economy|flags/);
  });
});
