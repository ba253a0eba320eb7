import { chmod, mkdir, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { beginFileTools, type FileToolBench } from "../../../../../../test/support/file-tools.ts";
import { isTameGlob } from "./glob-filter.ts";
import { globRoot } from "./glob-tool.ts";

const isRoot = process.getuid?.() === 0;

/** Files with rising times: the last one is the newest. */
async function putInOrder(bench: FileToolBench, ...paths: readonly string[]): Promise<void> {
  for (const [at, path] of paths.entries()) {
    const place = await bench.put(path, "");
    await utimes(place, 1_000 + at, 1_000 + at);
  }
}

describe("Glob", () => {
  it("lists files newest first, equal ones by path", async () => {
    const bench = await beginFileTools();
    await putInOrder(bench, "old.ts", "src/new.ts", "src/x.js");
    await utimes(await bench.put("src/also.ts", ""), 1_001, 1_001);
    expect(await bench.textOf("Glob", { pattern: "**/*.ts" })).toBe("src/also.ts\nsrc/new.ts\nold.ts");
    expect(await bench.textOf("Glob", { pattern: "*.ts" })).toBe("old.ts");
    expect(await bench.textOf("Glob", { pattern: "./src/{new,x}.{ts,js}" })).toBe("src/x.js\nsrc/new.ts");
    expect(await bench.textOf("Glob", { pattern: "*.md" })).toBe("No file matches.");
  });

  it("shows at most so many, and says of how many", async () => {
    const bench = await beginFileTools({ limits: { searchChars: 10 } });
    await putInOrder(bench, "a", "b", "c");
    expect(await bench.textOf("Glob", { pattern: "*", head_limit: 2 })).toBe(
      "c\nb\n[The newest 2 of 3: use a narrower pattern or folder to see the others.]",
    );
    await putInOrder(bench, "a-long-name", "b-long-name");
    expect(await bench.textOf("Glob", { pattern: "*-name" })).toMatch(/^b-long-name\n\[The newest 1 of 2:/);
  });

  it("obeys ignore files unless told otherwise, and never looks into .git", async () => {
    const bench = await beginFileTools();
    await putInOrder(bench, "a.ts", "build/b.ts", ".hidden.ts", ".git/c.ts");
    await bench.put(".gitignore", "build/\n");
    expect(await bench.textOf("Glob", { pattern: "**/*.ts" })).toBe("a.ts");
    expect(await bench.textOf("Glob", { pattern: "**/*.ts", include_ignored: true })).toBe(
      ".hidden.ts\nbuild/b.ts\na.ts",
    );
    expect(await bench.textOf("Glob", { pattern: ".*.ts" })).toBe(".hidden.ts");
  });

  it("passes over a rule of an ignore file that would take for ever", async () => {
    const bench = await beginFileTools();
    await putInOrder(bench, `${"a/".repeat(300)}c.ts`, "b.log");
    await bench.put(".gitignore", `${"**/a/".repeat(20)}b\n*.log\n`);
    expect(await bench.textOf("Glob", { pattern: "**" })).toBe(`${"a/".repeat(300)}c.ts`);
  });

  it("takes an absolute pattern with the folder it begins with", async () => {
    const bench = await beginFileTools();
    await putInOrder(bench, "sub/a.ts", "sub/deep/b.ts");
    expect(await bench.textOf("Glob", { pattern: `${bench.folder}/sub/**/*.ts` }, { cwd: "/" })).toBe(
      `${bench.folder.slice(1)}/sub/deep/b.ts\n${bench.folder.slice(1)}/sub/a.ts`,
    );
    const context = { allowedPaths: [bench.folder] };
    expect(await bench.textOf("Glob", { pattern: `${bench.folder}/sub/*.ts` }, context)).toMatch(
      /permission was not given/,
    );
  });

  it("names links and follows none, so that it neither leaves the folder nor turns in circles", async () => {
    const bench = await beginFileTools();
    const outside = await beginFileTools();
    await outside.put("secret.ts", "");
    await mkdir(join(bench.folder, "sub"));
    await symlink("..", join(bench.folder, "sub/loop.ts"));
    await symlink(outside.folder, join(bench.folder, "out"));
    expect(await bench.textOf("Glob", { pattern: "**/*.ts" })).toBe("sub/loop.ts");
    expect(await bench.textOf("Glob", { pattern: "out/**" })).toBe("No file matches.");
    expect(await bench.textOf("Glob", { pattern: "**", path: "out" })).toBe(`${outside.folder}/secret.ts`);
  });

  it("shows names harmless", async () => {
    const bench = await beginFileTools();
    await bench.put("a\nb.ts", "");
    await bench.put("文件 🙂.ts", "");
    const text = await bench.textOf("Glob", { pattern: "*.ts" });
    expect(text.split("\n").sort()).toEqual(["a\\x0ab.ts", "文件 🙂.ts"]);
  });

  it("says what is wrong", async () => {
    const bench = await beginFileTools({ limits: { visitedNames: 3 } });
    await putInOrder(bench, "a", "b", "c");
    expect(await bench.textOf("Glob", { pattern: "../*" })).toMatch(
      /leads upwards\. Give the folder as path\.$/,
    );
    expect(await bench.textOf("Glob", { pattern: "" })).toMatch(/empty/);
    expect(await bench.textOf("Glob", { pattern: "*", path: "a" })).toMatch(/is not a folder/);
    expect(await bench.textOf("Glob", { pattern: "*", path: "gone" })).toMatch(/does not exist/);
    expect(await bench.textOf("Glob", { pattern: "**/".repeat(9) })).toMatch(/too many stars/);
    await bench.put("d", "");
    expect(await bench.textOf("Glob", { pattern: "*" })).toMatch(/more than 3 files and folders/);
  });

  it.skipIf(isRoot)("says what it could not see (root sees everything: run as another user)", async () => {
    const closed = await beginFileTools();
    await closed.put("sub/x", "");
    await chmod(join(closed.folder, "sub"), 0o000);
    onTestFinished(() => chmod(join(closed.folder, "sub"), 0o700));
    expect(await closed.textOf("Glob", { pattern: "**" })).toBe(
      "No file matches.\n[1 folders could not be read.]",
    );
  });

  it("ends when it is aborted", async () => {
    const bench = await beginFileTools();
    const controller = new AbortController();
    controller.abort();
    await bench.put("a", "");
    expect(await bench.textOf("Glob", { pattern: "*" }, { signal: controller.signal })).toMatch(
      /interrupted/,
    );
  });
});

describe("where a glob begins", () => {
  it.each([
    ["*.ts", undefined, { root: ".", glob: "*.ts" }],
    ["././a/*", "sub", { root: "sub", glob: "a/*" }],
    ["/a/b/*.ts", "ignored", { root: "/a/b", glob: "*.ts" }],
    ["/a/b.ts", undefined, { root: "/a", glob: "b.ts" }],
    ["/*", undefined, { root: "/", glob: "*" }],
    ["/{a,b}/c", undefined, { root: "/", glob: "{a,b}/c" }],
  ])("%s in %s", (pattern, path, expected) => {
    expect(globRoot(pattern, path)).toEqual(expected);
  });
});

describe("tame globs", () => {
  it("are those with few stars in a name, and few folders left open", () => {
    expect(["**/*.{test,spec}.*", "src/*/*/*-*.ts", "*foo*bar*baz*"].every(isTameGlob)).toBe(true);
    expect(["*a*b*c*d", "**/**/**/**/**", "x".repeat(1_001)].some(isTameGlob)).toBe(false);
  });
});
