import { describe, expect, it } from "vitest";
import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import type {
  InspectedMemory,
  MemoryDetail,
} from "../../packages/palimpsest/src/surfaces/inspector/inspected.ts";
import { createMemoryShelf } from "../../packages/palimpsest/src/surfaces/inspector/read/memory-shelf.ts";
import { cliHome } from "../support/cli.ts";
import { served } from "./support/served.ts";

const memoryText = (body: string) =>
  `---\nname: tabs\ndescription: how code is indented here\ntype: project\n---\n${body}\n`;

describe("memories in the inspector", () => {
  it("lists them and gives every version with who wrote which line", async () => {
    const home = await cliHome();
    const memory = await openMemory({ home: home.home, cwd: home.home });
    const words = "**Why:** it was agreed.\n**How to apply:** everywhere.";
    await memory.write("tabs.md", memoryText(`Use tabs.\n${words}`));
    await memory.write("tabs.md", memoryText(`Use spaces.\n${words}`));
    await memory.close();
    const { json, get } = await served({ home });
    const [listed] = await json<InspectedMemory[]>("api/memories");
    expect(listed).toMatchObject({ path: "tabs.md", name: "tabs", type: "project", versions: 2 });
    const { versions, blame } = await json<MemoryDetail>("api/memory?path=tabs.md");
    expect(versions.map(({ version, text }) => [version, /Use (\w+)/.exec(text)?.[1]])).toEqual([
      [1, "tabs"],
      [2, "spaces"],
    ]);
    expect(blame.find(({ text }) => text === "Use spaces.")?.version).toBe(2);
    expect(blame.find(({ text }) => text.startsWith("**Why"))?.version).toBe(1);
    for (const path of ["", "..%2Ftabs.md", "%2Fetc%2Fpasswd", "gone.md"])
      expect([path, (await get(`api/memory?path=${path}`)).status]).toEqual([path, 404]);
  });

  it("has none where what is looked at belongs to no project", async () => {
    expect(await createMemoryShelf(null).list()).toEqual({ ok: true, value: [] });
  });
});
