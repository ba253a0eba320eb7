import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decidePermission } from "./decide-permission.ts";

interface RuledCommand {
  readonly command: string;
  readonly deny: readonly string[];
  readonly verdict: "deny" | "allow";
}

function readFixture<T>(name: string): T {
  const file = new URL(`../../../../../test/fixtures/permissions/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}

const corpus = readFixture<readonly RuledCommand[]>("denied-commands");
const ordinary = readFixture<readonly string[]>("ordinary-commands");

function decide(command: string, deny: readonly string[]) {
  return decidePermission({
    tool: "Bash",
    subjects: [{ kind: "command", value: command, access: "execute" }],
    mode: "default",
    rules: { deny, allow: ["Bash"] },
    workspace: ["/work/app"],
    homeFolder: "/home/me",
    isReadOnlyCommand: () => false,
  });
}

describe("the corpus of commands under rules that deny", () => {
  it("has at least 120 lines of either kind together, and none twice", () => {
    const keys = corpus.map(({ command, deny }) => JSON.stringify([command, deny]));
    expect(new Set(keys).size).toBe(keys.length);
    expect(corpus.length).toBeGreaterThanOrEqual(300);
  });

  it.each(corpus)("$command under $deny: $verdict", ({ command, deny, verdict }) => {
    expect(decide(command, deny).behavior).toBe(verdict);
  });
});

describe("ordinary commands that are not plain", () => {
  const rules = ["Bash(git push:*)", "Bash(rm -rf:*)", "Bash(npm publish)"];

  it("are not denied under rules about something else", () => {
    const alarms = ordinary.filter((command) => decide(command, rules).behavior === "deny");
    expect(ordinary.length).toBeGreaterThanOrEqual(60);
    expect(alarms).toEqual([]);
  });
});
