import { trust } from "@palimpsest/core/internal";
import { describe, expect, it } from "vitest";
import { toFileContent } from "../../../../core/src/session/settings/index.ts";
import { createVirtualClock, createVirtualDisk, createVirtualIds } from "../../../../testing/src/index.ts";
import { loadProjectAgents } from "./agent-prompt.ts";

const home = "/home/me/.palimpsest";
const text = "---\nname: reviewer\ndescription: Reviews.\nmodel: dear-model\n---\nReview it.\n";

async function trustedProject() {
  const disk = createVirtualDisk();
  const path = "/work/mine/.palimpsest/agents/reviewer.md";
  disk.writeWhole(path, text);
  const location = { disk, home, clock: createVirtualClock(), ids: createVirtualIds() };
  await trust(location, toFileContent(path, Buffer.from(text)));
  await disk.makeDirectory("/work/foreign");
  return disk;
}

describe("loadProjectAgents", () => {
  it("gives the agents of a project with the model that was trusted", async () => {
    const disk = await trustedProject();
    expect(await loadProjectAgents({ disk, home, cwd: "/work/mine" })).toMatchObject({
      agents: [{ name: "reviewer", model: "dear-model" }],
      warnings: [],
    });
  });

  it.each([".palimpsest", ".palimpsest/agents"])(
    "reads no agents of a foreign project whose %s is a link to a trusted one's, and says so",
    async (name) => {
      const disk = await trustedProject();
      if (name !== ".palimpsest") await disk.makeDirectory("/work/foreign/.palimpsest");
      disk.plantLink(`/work/foreign/${name}`, `/work/mine/${name}`);
      expect(await loadProjectAgents({ disk, home, cwd: "/work/foreign" })).toEqual({
        agents: [],
        restricted: [],
        warnings: [
          `/work/foreign/${name} is a symbolic link, and links are not followed here. Replace the link by its target.`,
        ],
      });
    },
  );
});
