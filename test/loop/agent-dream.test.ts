import { expect, it } from "vitest";
import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import { openFileStore } from "../../packages/core/src/stores/files/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { memoryText } from "../support/memory-texts.ts";
import { useProject } from "./agent-project.ts";

it("an agent's session that begins after five others puts memory in order beside its work", async () => {
  const { open, home, cwd, events } = await useProject({
    script: (request) =>
      JSON.stringify(request.whole?.messages).includes("tool_result")
        ? say("Removed one.")
        : callTool("Remove", { file_path: "a.md", reason: "stale" }),
  });
  const memory = await openMemory({ home, cwd });
  for (const name of ["a", "b", "c", "d"])
    await memory.write(`${name}.md`, memoryText({ body: `All about ${name}.` }));
  const store = must(await openFileStore({ home, cwd }));
  for (const id of ["s1", "s2", "s3", "s4", "s5"]) {
    const writer = must(await store.logs.create({ kind: "session", session: { id, project: "test", cwd } }));
    must(await writer.close());
  }
  await open();
  await expect.poll(() => events.some(({ type }) => type === "dream-end"), { timeout: 60_000 }).toBe(true);
  expect(events.find(({ type }) => type === "dream-end")).toMatchObject({
    by: "model",
    outcome: "completed",
    files: ["a.md"],
  });
  expect((await memory.list()).map(({ path }) => path)).toEqual(["b.md", "c.md", "d.md"]);
});
