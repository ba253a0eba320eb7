import { describe, expect, it } from "vitest";
import { indexSize } from "../../packages/core/src/memory/build-index.ts";
import type { MemoryFolder } from "../../packages/core/src/spec/index.ts";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { answers, keep, memoriesOf, memoryFile } from "../loop/agent-memory-support.ts";
import { resultsOf, run, useProject } from "../loop/agent-project.ts";
import { memoryText } from "../support/memory-texts.ts";
import { failure, openMemoryFolder } from "../support/open-memory-folder.ts";

const sizeOf = async (memory: MemoryFolder) => indexSize(await memory.index());

/** One memory, and so many lines of the user's own that the index is just as long as it may be. */
async function fillLines(memory: MemoryFolder): Promise<void> {
  await memory.write("first.md", memoryText({ name: "First" }));
  await memory.writeOwnLines("Mine.");
  const { lines } = await sizeOf(memory);
  await memory.writeOwnLines("Mine.\n".repeat(201 - lines));
  expect((await sizeOf(memory)).lines).toBe(200);
}

/** The same, to the byte. */
async function fillBytes(memory: MemoryFolder): Promise<void> {
  await memory.write("first.md", memoryText({ name: "First", description: "short" }));
  await memory.writeOwnLines("x");
  const { bytes } = await sizeOf(memory);
  await memory.writeOwnLines("x".repeat(25_001 - bytes));
  expect((await sizeOf(memory)).bytes).toBe(25_000);
}

const longer = memoryText({ name: "First", description: "short!" });

describe("the 201st line", () => {
  it("is refused at write, with what to do; nothing is lost, and what is there can be changed", async () => {
    const { memory } = await openMemoryFolder();
    await fillLines(memory);
    expect(await failure(memory.write("second.md", memoryText({ name: "Second" })))).toMatchObject({
      code: "too-large",
      message: expect.stringContaining("201 lines"),
      fix: expect.stringContaining("Remove or merge 1 memory"),
    });
    expect((await failure(memory.writeOwnLines("Mine.\n".repeat(300)))).code).toBe("too-large");
    await memory.write("first.md", memoryText({ name: "First", body: "Other words." }));
    expect((await memory.list()).map(({ path, body }) => [path, body])).toEqual([
      ["first.md", "Other words.\n"],
    ]);
    await memory.remove("first.md");
    await memory.write("second.md", memoryText({ name: "Second" }));
    expect((await sizeOf(memory)).lines).toBe(200);
  });

  it("is refused to the agent's memory tool, and does not wait for a person either", async () => {
    const text = memoryFile("reference", "second", "The tea is blue.");
    const project = await useProject({ script: answers([keep("second.md", text), say("Full.")]) });
    const memories = await memoriesOf(project);
    await fillLines(memories);
    const session = await project.open();
    const [result] = resultsOf(await run(session, "Keep it."));
    await session.close();
    expect(result).toMatchObject({
      isError: true,
      text: expect.stringContaining("Remove or merge 1 memory"),
    });
    const { memories: kept, quarantined } = await memories.survey();
    expect([kept.map(({ path }) => path), quarantined]).toEqual([["first.md"], []]);
  });
});

describe("the 25,001st byte", () => {
  it("is refused at write, with what to shorten", async () => {
    const { memory } = await openMemoryFolder();
    await fillBytes(memory);
    expect(await failure(memory.write("first.md", longer))).toMatchObject({
      code: "too-large",
      message: expect.stringMatching(/25,?001 bytes/),
      fix: expect.stringMatching(/^Shorten descriptions by 1 byte; the longest .*first\.md/),
    });
    expect((await memory.read("first.md")).memory?.description).toBe("short");
    await memory.write("first.md", memoryText({ name: "First", description: "shor!" }));
    expect((await sizeOf(memory)).bytes).toBe(25_000);
  });

  it("is refused to the agent's memory tool", async () => {
    const grow = { command: "str_replace", path: "/memories/first.md", old_str: "short", new_str: "short!" };
    const project = await useProject({ script: answers([callTool("memory", grow), say("Full.")]) });
    const memories = await memoriesOf(project);
    await fillBytes(memories);
    const session = await project.open();
    const [result] = resultsOf(await run(session, "Change it."));
    await session.close();
    const fix = "Shorten descriptions by";
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining(fix) });
    expect((await memories.read("first.md")).memory?.description).toBe("short");
  });
});
