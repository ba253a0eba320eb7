import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./source-files.ts";

const page = readFileSync(join(root, "docs/guides/api.md"), "utf8");

const names: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = JSON.parse(
  readFileSync(join(root, "test/house/public-names.json"), "utf8"),
);

/** The members of an interface as its source has them. */
function membersOf(file: string, name: string): readonly string[] {
  const source = readFileSync(join(root, file), "utf8");
  const [, body = ""] = new RegExp(`export interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(source) ?? [];
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:<]/gm)].map(([, member = ""]) => member);
}

/** What the page names in code, without what stands in the brackets of a call. */
const named = new Set([...page.matchAll(/`([\w.]+)[^`]*`/g)].map(([, name = ""]) => name));

describe("docs/guides/api.md", () => {
  it.each([
    ["session", "packages/core/src/spec/session.ts", "Session"],
    ["handle", "packages/core/src/session/loop-port.ts", "SessionHandle"],
  ])("names every member of a %s, and none that is not there", (prefix, file, type) => {
    const members = membersOf(file, type);
    expect(members.length).toBeGreaterThan(15);
    const documented = [...named].filter((name) => name.startsWith(`${prefix}.`));
    expect(documented.toSorted()).toEqual(members.map((member) => `${prefix}.${member}`).toSorted());
  });

  it("names everything that the package gives", () => {
    const missing = Object.entries(names).flatMap(([packageName, subpaths]) =>
      Object.entries(subpaths).flatMap(([subpath, exported]) =>
        exported.filter((name) => !named.has(name)).map((name) => `${packageName} ${subpath} ${name}`),
      ),
    );
    expect(missing).toEqual([]);
  });
});
