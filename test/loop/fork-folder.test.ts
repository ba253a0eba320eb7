import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createFileTools } from "../../packages/palimpsest/src/tools/files/index.ts";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { setStage } from "./stage.ts";

const memory = "/nowhere/memory";

describe("a fork with a folder of its own", () => {
  it("writes the copy and never the disk, and reads elsewhere as its parent may", async () => {
    const cwd = await temporaryFolder();
    await writeFile(`${cwd}/real.md`, "real");
    const script = [
      [
        callTool("Read", { file_path: "real.md" }),
        callTool("Read", { file_path: `${memory}/a.md` }),
        callTool("Edit", { file_path: `${memory}/a.md`, old_string: "one", new_string: "two" }),
        callTool("MultiEdit", {
          file_path: `${memory}/a.md`,
          edits: [{ old_string: "two", new_string: "three" }],
        }),
        callTool("Write", { file_path: `${memory}/deep/b.md`, content: "b" }),
        callTool("Write", { file_path: "real.md", content: "evil" }),
        callTool("Edit", { file_path: "real.md", old_string: "real", new_string: "evil" }),
        callTool("Write", { file_path: `${memory}/no.md`, content: "no" }),
        callTool("Glob", { pattern: "*.md" }),
        callTool("NotebookEdit", { notebook_path: "x.ipynb", new_source: "x" }),
      ],
      say("done"),
    ];
    const stage = await setStage({ script, cwd, tools: createFileTools() });
    const forked = await stage.session.fork("Go.", {
      kind: "memory",
      tools: ["Read", "Write", "Edit", "MultiEdit", "Glob"],
      folder: {
        path: memory,
        files: { "a.md": "one" },
        refuse: (path) => (path === "no.md" ? "Not that one." : undefined),
      },
    });
    expect(forked.files).toEqual({ "a.md": "three", "deep/b.md": "b" });
    expect(await readFile(`${cwd}/real.md`, "utf8")).toBe("real");
    const body = JSON.stringify(stage.emulator.requests.last?.body);
    for (const told of [
      "1\\treal",
      "1\\tone",
      "Not that one.",
      "real.md",
      "NotebookEdit may not be used here",
    ])
      expect(body).toContain(told);
    expect(body.match(/may not be written here/g)).toHaveLength(2);
  });

  it("is not given files besides", async () => {
    const stage = await setStage({ script: [] });
    const both = { kind: "memory", files: {}, folder: { path: memory, files: {} } } as const;
    await expect(stage.session.fork("Go.", both)).rejects.toThrow(
      "A fork is given files or a folder, and not both.",
    );
  });
});
