import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { version } from "../../packages/core/src/version.ts";
import { packages } from "../../scripts/bundle/entries.mjs";
import { packageIn } from "../../scripts/bundle/package-aliases.mjs";
import { missingPackages } from "../../scripts/complete-lockfile.mjs";
import { root } from "./source-files.ts";

interface PackageFile {
  readonly name: string;
  readonly version?: string;
  readonly exports?: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Every subpath of each package and the names it gives; a name that goes is a breaking change and is seen here. */
const surface: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = JSON.parse(
  readFileSync(join(root, "test/house/public-names.json"), "utf8"),
);

const workspace: PackageFile = packageIn(root);

describe.each(packages)("packages/%s", (folder) => {
  const at = join(root, "packages", folder);
  const packageFile: PackageFile = packageIn(at);
  const { name, exports = {}, bin = {} } = packageFile;

  it("says its version in one voice, and asks for the others in just this one", () => {
    expect(packageFile.version).toBe(version);
    const ours = Object.entries(packageFile.dependencies ?? {}).filter(([other]) => /palimpsest/.test(other));
    expect(ours.filter(([, range]) => range !== version)).toEqual([]);
  });

  it("exports files that exist, with their types", () => {
    const targets = Object.values(exports).flatMap((target) =>
      typeof target === "string" ? [target] : [target.types, target.default],
    );
    const missing = [...targets, ...Object.values(bin)].filter((target) => !existsSync(join(at, target)));
    expect(missing).toEqual([]);
  });

  it("gives the public names, no more and no fewer", async () => {
    const names: Record<string, readonly string[]> = {};
    for (const [subpath, target] of Object.entries(exports)) {
      if (typeof target === "string" || subpath.startsWith("./internal")) continue;
      names[subpath] = Object.keys(await import(join(at, target.default))).sort();
    }
    expect(names).toEqual(surface[name]);
  });

  it("says where it comes from", () => {
    expect(packageFile).toMatchObject({
      license: "MIT",
      engines: { node: ">=20.19" },
      sideEffects: false,
      repository: { type: "git", directory: `packages/${folder}` },
      homepage: expect.stringMatching(/^https:/),
      bugs: expect.stringMatching(/^https:/),
    });
  });
});

describe("the workspace", () => {
  it("has a reason for every dependency", () => {
    const reasons = readFileSync(join(root, "docs/dependencies.md"), "utf8");
    const files = [
      workspace,
      ...packages.map((folder): PackageFile => packageIn(join(root, "packages", folder))),
    ];
    const all = files.flatMap(({ dependencies, devDependencies, peerDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }),
    );
    const others = all.filter((name) => !/palimpsest/.test(name));
    expect(others.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
  });

  it("has a lockfile that names no registry", () => {
    expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toMatch(/"resolved": "https?:/);
  });

  it("has a lockfile with the packages of every platform, so that “npm ci” takes it", () => {
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
    expect(missingPackages(lock)).toEqual([]);
  });
});
