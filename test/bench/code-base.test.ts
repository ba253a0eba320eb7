import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeCodeBase } from "../../bench/live/code-base.mjs";
import { makeSteps } from "../../bench/live/steps.mjs";
import { temporaryFolder } from "../support/temporary-folder.ts";

const wanted = { seed: 7, parts: 3, kilobytes: 1 };

function check(folder: string, name: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["check.mjs", name], { cwd: folder }, (_error, stdout) => resolve(stdout));
  });
}

describe("makeCodeBase", () => {
  it("makes the same files from the same seed, and others from another", () => {
    expect(makeCodeBase(wanted)).toEqual(makeCodeBase(wanted));
    expect(makeCodeBase({ ...wanted, seed: 8 }).files).not.toEqual(makeCodeBase(wanted).files);
  });

  it("has files of the size that was asked for", () => {
    const { files } = makeCodeBase({ ...wanted, kilobytes: 16 });
    const sizes = Object.entries(files).flatMap(([path, text]) =>
      path.startsWith("src/") ? [Math.round((text as string).length / 1024)] : [],
    );
    expect(sizes).toEqual([16, 16, 16]);
  });

  it("passes its check with the right offset only, which is in no file", async () => {
    const { files, parts } = makeCodeBase(wanted);
    const [{ name, wrongOffset, rightOffset }] = parts as [(typeof parts)[number]];
    expect(Object.values(files).join("\n")).not.toContain(String(rightOffset));
    const folder = await temporaryFolder();
    await mkdir(join(folder, "src"));
    for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text as string);
    expect(await check(folder, name)).toBe("total is wrong\n");
    const path = `src/${name}.mjs`;
    await writeFile(
      join(folder, path),
      (files as Record<string, string>)[path]?.replace(`+ ${wrongOffset};`, `+ ${rightOffset};`) ?? "",
    );
    expect(await check(folder, name)).toBe("ok\n");
  });
});

describe("makeSteps", () => {
  it("tells first, reads, edits, and asks last", () => {
    const kinds = makeSteps(makeCodeBase(wanted)).map(({ kind }) => kind);
    expect(kinds).toEqual(["tell", "read", "read", "read", "edit", "ask", "ask", "ask"]);
  });

  it("takes an answer with the number in it, however it is written", async () => {
    const { parts, ...rest } = makeCodeBase(wanted);
    const steps = makeSteps({ parts: parts.map((part) => ({ ...part, limit: 4711 })), ...rest });
    const answers = ["4711", "It is 4,711.", "4712", ""];
    const taken = await Promise.all(answers.map((answer) => steps[1]?.check(answer, "")));
    expect(taken).toEqual([true, true, false, false]);
  });
});
