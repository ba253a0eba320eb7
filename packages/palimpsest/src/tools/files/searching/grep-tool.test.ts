import { execFileSync } from "node:child_process";
import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginFileTools, type FileToolBench } from "../../../../../../test/support/file-tools.ts";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { systemShell } from "../../../../../core/src/runtime-shell.ts";
import type { Shell } from "../../../../../core/src/spec/index.ts";

const environment = { PATH: process.env.PATH ?? "" };

function hasRipgrep(): boolean {
  try {
    execFileSync("rg", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const engines = hasRipgrep() ? (["built in", "ripgrep"] as const) : (["built in"] as const);

const withEngine = (engine: (typeof engines)[number]) =>
  beginFileTools(engine === "ripgrep" ? { shell: systemShell, environment } : {});

async function sample(bench: FileToolBench): Promise<FileToolBench> {
  await bench.put("src/a.ts", "const port = 1;\n// TODO: port\nend\n");
  await bench.put("src/b.ts", "nothing\n");
  await bench.put("src/deep/c.js", "port\n");
  await bench.put("a.md", "Port of call\r\nport$\r\n");
  await bench.put(".hidden/x.ts", "port\n");
  await bench.put("build/out.ts", "port\n");
  await bench.put("keep.log", "port\n");
  await bench.put("drop.log", "port\n");
  await bench.put(".gitignore", "build/\n*.log\n!keep.log\n");
  await bench.put("data.bin", "port\0\n");
  await mkdir(join(bench.folder, ".git"));
  await bench.put(".git/config", "port\n");
  return bench;
}

describe.each(engines)("Grep, %s", (engine) => {
  const begin = async () => sample(await withEngine(engine));

  it("gives the files with matches, without ignored, hidden and binary ones", async () => {
    const { textOf } = await begin();
    expect(await textOf("Grep", { pattern: "port" })).toBe("a.md\nkeep.log\nsrc/a.ts\nsrc/deep/c.js");
  });

  it("gives lines with their numbers", async () => {
    const { textOf } = await begin();
    expect(await textOf("Grep", { pattern: "port", path: "src", output_mode: "content" })).toBe(
      "src/a.ts:1:const port = 1;\nsrc/a.ts:2:// TODO: port\nsrc/deep/c.js:1:port",
    );
  });

  it("counts matching lines", async () => {
    const { textOf } = await begin();
    expect(await textOf("Grep", { pattern: "port|const", path: "src", output_mode: "count" })).toBe(
      "src/a.ts:2\nsrc/deep/c.js:1",
    );
  });

  it("ignores case, filters by glob, and shows CRLF lines without their CR", async () => {
    const { textOf } = await begin();
    const input = { pattern: "^port", case_insensitive: true, output_mode: "content" };
    expect(await textOf("Grep", { ...input, glob: "*.md" })).toBe("a.md:1:Port of call\na.md:2:port$");
    expect(await textOf("Grep", { pattern: "port", glob: "src/*.{ts,js}" })).toBe("src/a.ts");
    expect(await textOf("Grep", { pattern: "t$", path: "a.md", output_mode: "content" })).toBe(
      "Nothing matches.",
    );
    expect(await textOf("Grep", { pattern: "call$", path: "a.md", output_mode: "count" })).toBe("a.md:1");
  });

  it("does not let a glob bring back what is ignored", async () => {
    const { textOf } = await begin();
    expect(await textOf("Grep", { pattern: "port", glob: "*.log" })).toBe("keep.log");
  });

  it("searches a file or folder that is named though it is ignored or hidden", async () => {
    const { textOf } = await begin();
    expect(await textOf("Grep", { pattern: "port", path: "drop.log" })).toBe("drop.log");
    expect(await textOf("Grep", { pattern: "port", path: "build" })).toBe("build/out.ts");
    expect(await textOf("Grep", { pattern: "port", path: ".hidden" })).toBe(".hidden/x.ts");
    expect(await textOf("Grep", { pattern: "port", path: "data.bin" })).toBe("Nothing matches.");
  });

  it("shows lines around, parts apart, and the same line once", async () => {
    const bench = await withEngine(engine);
    await bench.put("a.txt", "1\nx\n3\n4\n5\n6\nx\nx\n9\n");
    const input = { pattern: "x", output_mode: "content", before: 1, after: 1 };
    expect(await bench.textOf("Grep", input)).toBe(
      ["a.txt-1-1", "a.txt:2:x", "a.txt-3-3", "--", "a.txt-6-6", "a.txt:7:x", "a.txt:8:x", "a.txt-9-9"].join(
        "\n",
      ),
    );
    expect(await bench.textOf("Grep", { ...input, before: 0, after: 0, context: 3 })).not.toContain("--");
  });

  it("searches across lines", async () => {
    const bench = await withEngine(engine);
    await bench.put("a.txt", "begin {\n  body\n} end\nbegin {\n}\n");
    const input = { pattern: "\\{.*?\\}", multiline: true, output_mode: "content" };
    expect(await bench.textOf("Grep", input)).toBe(
      "a.txt:1:begin {\na.txt:2:  body\na.txt:3:} end\na.txt:4:begin {\na.txt:5:}",
    );
    expect(await bench.textOf("Grep", { ...input, pattern: "body\\n\\}", output_mode: "count" })).toBe(
      "a.txt:2",
    );
  });

  it("gives pages, and says where to go on", async () => {
    const bench = await withEngine(engine);
    await bench.put("a.txt", "x1\nx2\nx3\nx4\n");
    const input = { pattern: "x", output_mode: "content", head_limit: 2 };
    expect(await bench.textOf("Grep", input)).toBe(
      "a.txt:1:x1\na.txt:2:x2\n[Results 1 to 2; there are more. Go on with offset 2, or narrow the search.]",
    );
    expect(await bench.textOf("Grep", { ...input, offset: 2 })).toBe(
      "a.txt:3:x3\na.txt:4:x4\n[Results 3 to 4, the last ones.]",
    );
    expect(await bench.textOf("Grep", { ...input, offset: 9 })).toBe("No more results: there are 4.");
  });

  it("shows a long line around its match, cut on characters", async () => {
    const bench = await withEngine(engine);
    await bench.put("a.txt", `${"🙂".repeat(5_000)}needle${"é".repeat(5_000)}\n`);
    const text = await bench.textOf("Grep", { pattern: "needle", output_mode: "content" });
    expect(text).toMatch(/^a\.txt:1:….*needleé+… \[characters 9876 to 10375 of 15006\]$/u);
    expect(text.isWellFormed()).toBe(true);
  });

  it("searches a line of ten megabytes", async () => {
    const bench = await withEngine(engine);
    await bench.put("a.txt", `needle${"x".repeat(10_000_000)}\nneedle\n`);
    expect(await bench.textOf("Grep", { pattern: "needle", output_mode: "count" })).toMatch(/^a\.txt:2/);
  });

  it("reads text with a byte order mark, and UTF-16", async () => {
    const bench = await withEngine(engine);
    await bench.put("bom.txt", "\ufeffone\n");
    await bench.put("wide.txt", Buffer.from("\ufeffone\nzwei\n", "utf16le"));
    expect(await bench.textOf("Grep", { pattern: "^one$" })).toBe("bom.txt\nwide.txt");
  });

  it("follows no links", async () => {
    const bench = await withEngine(engine);
    const outside = await beginFileTools();
    await outside.put("secret.txt", "secret\n");
    await symlink(outside.folder, join(bench.folder, "out"));
    await symlink(join(outside.folder, "secret.txt"), join(bench.folder, "secret.txt"));
    await symlink(".", join(bench.folder, "loop"));
    expect(await bench.textOf("Grep", { pattern: "secret" })).toBe("Nothing matches.");
  });

  it("obeys ignore files above the folder, and none from outside the repository", async () => {
    const bench = await withEngine(engine);
    await bench.put(".gitignore", "outer.txt\n");
    await bench.put("repo/.gitignore", "*.gen\n");
    await mkdir(join(bench.folder, "repo/.git"));
    await bench.put("repo/sub/outer.txt", "x\n");
    await bench.put("repo/sub/a.gen", "x\n");
    expect(await bench.textOf("Grep", { pattern: "x", path: "repo/sub" })).toBe("repo/sub/outer.txt");
    expect(await bench.textOf("Grep", { pattern: "x" })).toBe("repo/sub/outer.txt");
  });

  it("asks no ignore file above a folder that is in no repository", async () => {
    const bench = await withEngine(engine);
    await bench.put(".gitignore", "*.txt\n");
    await bench.put("sub/.gitignore", "b.txt\n");
    await bench.put("sub/a.txt", "x\n");
    await bench.put("sub/b.txt", "x\n");
    expect(await bench.textOf("Grep", { pattern: "x", path: "sub" })).toBe("sub/a.txt");
    expect(await bench.textOf("Grep", { pattern: "x" })).toBe("Nothing matches.");
  });

  it("shows names with line ends and escape codes harmless", async () => {
    const bench = await withEngine(engine);
    await bench.put("a\n\u001b[2Jb.txt", "x\n");
    expect(await bench.textOf("Grep", { pattern: "x" })).toBe("a\\x0a\\x1b[2Jb.txt");
  });

  it("takes patterns and paths for what they are, never for options", async () => {
    const bench = await withEngine(engine);
    await bench.put("-e", "--pre=sh\n");
    expect(await bench.textOf("Grep", { pattern: "--pre=sh", path: "-e" })).toBe("-e");
  });

  it("ends when it is aborted", async () => {
    const bench = await begin();
    const controller = new AbortController();
    controller.abort();
    expect(await bench.textOf("Grep", { pattern: "port" }, { signal: controller.signal })).toMatch(
      /^ERROR: The call was interrupted/,
    );
  });

  it("says what is wrong with a pattern, a glob or a path", async () => {
    const { textOf } = await begin();
    expect(await textOf("Grep", { pattern: "(" })).toBe(
      "ERROR: The pattern does not work: a ( is not closed. Write \\( to mean the character.",
    );
    expect(await textOf("Grep", { pattern: "x", glob: "*a*a*a*a*a*b" })).toMatch(/too many stars/);
    expect(await textOf("Grep", { pattern: "x", path: "gone" })).toMatch(/does not exist/);
    expect(await textOf("Grep", { pattern: "x", path: "/dev/null" })).toMatch(/is a device/);
  });
});

const timeOver =
  /^(?:a\.txt|Nothing matches\.)\n\[The search was ended after 20 s, before all was searched\. Narrow it by path or glob, or make the pattern simpler\.\]$/;

describe("Grep with a ripgrep that does not end", () => {
  it("ends it with all that it has started, and gives what it found until then", async () => {
    const programs = await realpath(await temporaryFolder());
    const said = ["begin", "match", "end"].map((type) =>
      JSON.stringify({
        type,
        data: {
          path: { text: "FOLDER/a.txt" },
          ...(type === "match" && { lines: { text: "x\n" }, line_number: 1, submatches: [{ start: 0 }] }),
        },
      }),
    );
    let isSaid = false;
    let ended: Promise<unknown> | undefined;
    const shell: Shell = {
      start(program, args, options) {
        const started = systemShell.start(program, args, {
          ...options,
          onOutput(bytes, stream) {
            options.onOutput?.(bytes, stream);
            isSaid ||= String(bytes).includes('"end"');
          },
        });
        ended = started.ended;
        return started;
      },
    };
    const bench = await beginFileTools({ shell, environment: { PATH: `${programs}:/usr/bin:/bin` } });
    await bench.put("a.txt", "x\n");
    const lines = said.join("\n").replaceAll("FOLDER", bench.folder);
    const script = `#!/bin/sh\nsleep 1000 &\ncat <<'END'\n${lines}\nEND\nwait\n`;
    await writeFile(join(programs, "rg"), script, { mode: 0o755 });
    const answer = bench.textOf("Grep", { pattern: "x" });
    while (!isSaid) await new Promise((resolve) => setImmediate(resolve));
    await bench.clock.advance(20_000);
    expect(await answer).toMatch(timeOver);
    // It ends once nothing that it has started holds its output.
    expect(await ended).toMatchObject({ ok: true, value: { exitCode: null } });
  });
});

describe("Grep without ripgrep", () => {
  it("is what happens where ripgrep is not installed, or does not work", async () => {
    for (const shell of [systemShell, brokenShell]) {
      const bench = await sample(await beginFileTools({ shell, environment: { PATH: "/nowhere" } }));
      expect(await bench.textOf("Grep", { pattern: "port", path: "src" })).toBe("src/a.ts\nsrc/deep/c.js");
      expect(await bench.textOf("Grep", { pattern: "port", path: "a.md" })).toBe("a.md");
    }
  });

  it("asks for ripgrep once where it is not installed, and again where it only failed", async () => {
    let starts = 0;
    const counted = (shell: Shell): Shell => ({
      start(...args) {
        starts += 1;
        return shell.start(...args);
      },
    });
    for (const [shell, expected] of [
      [systemShell, 1],
      [brokenShell, 2],
    ] as const) {
      starts = 0;
      const bench = await beginFileTools({ shell: counted(shell), environment: { PATH: "/nowhere" } });
      await bench.put("a.txt", "x\n");
      expect(await bench.textOf("Grep", { pattern: "x" })).toBe("a.txt");
      expect(await bench.textOf("Grep", { pattern: "x" })).toBe("a.txt");
      expect(starts).toBe(expected);
    }
  });

  it("ends a pattern that would take for ever", async () => {
    const bench = await beginFileTools();
    await bench.put("a.txt", `${"a".repeat(5_000)}!\n`);
    const answer = bench.textOf("Grep", { pattern: "^(a+)+$" });
    // The search as a whole, and the pattern on a piece of a file.
    while (bench.clock.sleeping < 2) await new Promise((resolve) => setImmediate(resolve));
    await bench.clock.advance(5_000);
    expect(await answer).toBe(
      "ERROR: The pattern took over 5000 ms. Make it simpler: without repetitions inside repetitions, or with fewer alternatives.",
    );
  });

  it("is aborted while a pattern takes for ever", async () => {
    const bench = await beginFileTools();
    await bench.put("a.txt", `${"a".repeat(5_000)}!\n`);
    const controller = new AbortController();
    const answer = bench.textOf("Grep", { pattern: "^(a+)+$" }, { signal: controller.signal });
    // The search as a whole, and the pattern on a piece of a file.
    while (bench.clock.sleeping < 2) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await answer).toMatch(/^ERROR: The call was interrupted/);
  });

  it("gives what was found when its time is over, and says so", async () => {
    const bench = await beginFileTools({ limits: { matchMs: 60_000 } });
    await bench.put("a.txt", "aa\n");
    await bench.put("b.txt", `${"a".repeat(5_000)}!\n`);
    const answer = bench.textOf("Grep", { pattern: "^(a+)+$" });
    while (bench.clock.sleeping < 2) await new Promise((resolve) => setImmediate(resolve));
    await bench.clock.advance(20_000);
    expect(await answer).toMatch(timeOver);
  });

  it("says which files and lines it could not search whole", async () => {
    const bench = await beginFileTools({ limits: { searchedFileChars: 20, searchedLineChars: 300_000 } });
    await bench.put("a.txt", `${"x".repeat(600_000)}needle\nneedle\n`);
    expect(await bench.textOf("Grep", { pattern: "needle", output_mode: "content" })).toBe(
      "a.txt:2:needle\n[Of 1 very long lines only the first 300000 characters were searched.]",
    );
    expect(await bench.textOf("Grep", { pattern: "needle", multiline: true })).toBe(
      "Nothing matches.\n[1 files over 20 characters were not searched across lines.]",
    );
  });

  it("gives up on a folder with too many names", async () => {
    const bench = await sample(await beginFileTools({ limits: { visitedNames: 2 } }));
    expect(await bench.textOf("Grep", { pattern: "zzz" })).toMatch(
      /has more than 2 files and folders\. Search in/,
    );
  });

  it("keeps numbers and context right from piece to piece", async () => {
    const bench = await beginFileTools();
    const lines = Array.from({ length: 60_000 }, (_, at) => `line ${at + 1}`);
    await bench.put("a.txt", lines.join("\n"));
    expect(
      await bench.textOf("Grep", { pattern: "^line (29999|60000)$", output_mode: "content", context: 1 }),
    ).toBe(
      "a.txt-29998-line 29998\na.txt:29999:line 29999\na.txt-30000-line 30000\n--\na.txt-59999-line 59999\na.txt:60000:line 60000",
    );
  });
});

/** Starts nothing that works. */
const brokenShell: Shell = {
  start: () => ({
    ended: Promise.resolve({ ok: true, value: { exitCode: 2, signal: null } }),
    kill: () => {},
  }),
};

describe.runIf(hasRipgrep())("ripgrep and the built-in search", () => {
  it("find the same in any folder", async () => {
    const name = fc.constantFrom(
      "a.ts",
      "b.js",
      "sub/a.ts",
      "sub/c d.md",
      "sub/.h",
      "x/y/z.ts",
      "ü.txt",
      "build/o.ts",
      "a/b",
      "a.b",
    );
    const word = fc.constantFrom(
      "foo",
      "bar",
      "Foo",
      "für",
      " ",
      "x1",
      "(",
      "\\",
      "\t",
      "é",
      "🙂",
      "foo_bar",
    );
    const line = fc.array(word, { maxLength: 4 }).map((words) => words.join(""));
    const content = fc
      .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
      .map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ""));
    const rules = fc.subarray([
      "*.js",
      "build/",
      "/a.ts",
      "!sub/",
      "sub/*",
      "!a.ts",
      ".h",
      "!.h",
      "x/**/z.ts",
      "# no",
    ]);
    const pattern = fc.constantFrom(
      "foo",
      "^foo",
      "o$",
      "\\bfür\\b",
      "[^a-z]",
      "f.o|x\\d",
      "^$",
      "\\w+_\\w",
      "o+?(b|\\()",
      "\\s",
      ".",
      "é|🙂",
    );
    const input = fc.record({
      pattern,
      output_mode: fc.constantFrom("content", "files_with_matches", "count"),
      case_insensitive: fc.boolean(),
      multiline: fc.boolean(),
      context: fc.nat({ max: 2 }),
      head_limit: fc.constantFrom(3, 250),
      offset: fc.nat({ max: 2 }),
      glob: fc.constantFrom("**", "*.ts", "sub/**"),
    });
    const files = fc.uniqueArray(fc.tuple(name, content), {
      selector: ([path]) => path.split("/")[0],
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(files, rules, rules, input, async (all, outer, inner, call) => {
        const plain = await beginFileTools();
        for (const [path, text] of all) await plain.put(path, text);
        await plain.put(".gitignore", outer.join("\n"));
        if (all.some(([path]) => path.startsWith("sub/")))
          await plain.put("sub/.gitignore", inner.join("\n"));
        const fast = await beginFileTools({ shell: systemShell, environment });
        const context = { cwd: plain.folder };
        expect(await fast.textOf("Grep", call, context)).toBe(await plain.textOf("Grep", call));
      }),
      { numRuns: 60 },
    );
  });
});
