import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exitOf } from "../../packages/palimpsest/src/surfaces/cli/run/run-command.ts";
import { exitCodes } from "../../packages/palimpsest/src/surfaces/local/or-throw.ts";

const page = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const guide = page("docs/guides/run.md");

/** The rows of a chapter's tables, by their first cell. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  const chapter = guide.slice(guide.indexOf(heading)).split(/\n## /)[0] ?? "";
  const rows = chapter
    .split("\n")
    .filter((line) => /^\| (?:`|\|)/.test(line) && !line.startsWith("| `end` |"));
  return rows.map((row) => row.split("|").map((cell) => cell.trim()));
}

describe("the guide to running the agent", () => {
  it("has every way a run can end, with its exit code", () => {
    const written = rowsOf("## How it ends").flatMap(([, reasons = "", code]) =>
      [...reasons.matchAll(/`([a-z-]+)`/g)].map(([, reason]) => [reason, Number(code)] as const),
    );
    const actual = Object.entries(exitOf).map(([reason, how]) => [reason, exitCodes[how]] as const);
    const byName = (a: readonly unknown[], b: readonly unknown[]) => String(a).localeCompare(String(b));
    expect([...written].sort(byName)).toEqual([...actual].sort(byName));
  });

  it("has every event of a run", () => {
    const chapter = guide.slice(guide.indexOf("| `type` | fields |"), guide.indexOf("What fails before"));
    const written = [...chapter.matchAll(/^\| `([a-z]+-?[a-z]*)` \|/gm)].map(([, type]) => type);
    const events = page("packages/core/src/spec/fork.ts").split("export type LoopEvent")[1] ?? "";
    const blocks = page("packages/core/src/spec/cache.ts").split("export type ModelEvent")[1] ?? "";
    const types = [...(events + blocks).matchAll(/readonly type: "([a-z]+-[a-z]+)"/g)].map(
      ([, type]) => type,
    );
    expect(new Set(written.filter((type) => type !== "type"))).toEqual(new Set(["session", ...types]));
  });

  it("names the options that there are", () => {
    const options = ["run/index.ts", "set-option.ts"]
      .map((file) => page(`packages/palimpsest/src/surfaces/cli/${file}`))
      .join("\n");
    const named = new Set([...guide.matchAll(/`(--[a-z-]+)/g)].map(([, name = ""]) => name));
    expect(
      [...named].filter((name) => !options.includes(`${name} `) && !options.includes(`${name}"`)),
    ).toEqual([]);
  });
});
