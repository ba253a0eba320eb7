import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { version } from "../../src/version.ts";
import { root } from "./source-files.ts";

const packageFile = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Every subpath and the names it gives; a name that goes is a breaking change and is seen here. */
const surface: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(join(root, "test/house/public-names.json"), "utf8"),
);

describe("package", () => {
  it("says its version in one voice", () => {
    expect(version).toBe(packageFile.version);
  });

  it("exports files that exist, with their types", () => {
    for (const [subpath, target] of Object.entries<string>(packageFile.exports)) {
      expect(existsSync(join(root, target)), `${subpath} → ${target}`).toBe(true);
      if (target.endsWith(".js")) expect(existsSync(join(root, target.replace(/\.js$/, ".d.ts")))).toBe(true);
    }
    for (const target of Object.values<string>(packageFile.bin))
      expect(existsSync(join(root, target))).toBe(true);
  });

  it("gives the public names, no more and no fewer", async () => {
    const subpaths = Object.keys(packageFile.exports).filter((subpath) => subpath !== "./package.json");
    const names: Record<string, readonly string[]> = {};
    for (const subpath of subpaths) {
      const module = await import(join(root, packageFile.exports[subpath]));
      names[subpath] = Object.keys(module).sort();
    }
    expect(names).toEqual(surface);
  });

  it("has a reason for every dependency", () => {
    const reasons = readFileSync(join(root, "docs/dependencies.md"), "utf8");
    const { dependencies = {}, devDependencies = {}, peerDependencies = {} } = packageFile;
    const all = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
    expect(all.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
  });

  it("has a lockfile that names no registry", () => {
    expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toMatch(/"resolved": "https?:/);
  });
});
