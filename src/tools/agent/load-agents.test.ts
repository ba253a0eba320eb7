import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createNodeDisk } from "../../stores/files/index.ts";
import { findAgent, loadAgents, maxAgentBytes } from "./load-agents.ts";

const agent = (description: string) => `---\ndescription: ${description}\n---\nLook.\n`;

async function roots(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = await temporaryFolder();
  for (const name of ["user", "project"]) await mkdir(join(folder, name));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return [join(folder, "user"), join(folder, "project"), join(folder, "absent")];
}

describe("loadAgents", () => {
  it("reads the agents of all folders by name; a later folder's takes the place of an earlier one's", async () => {
    const found = await loadAgents({
      disk: createNodeDisk(),
      roots: await roots({
        "user/b.md": agent("The user's."),
        "user/c.md": agent("Another."),
        "project/b.md": agent("The project's."),
        "project/.hidden.md": "no agent",
        "project/readme.txt": "no agent",
      }),
    });
    expect(found.agents.map(({ name, description }) => [name, description])).toEqual([
      ["b", "The project's."],
      ["c", "Another."],
    ]);
    expect(found.warnings).toEqual([]);
  });

  it("says what it cannot read, and reads nothing outside of the folders", async () => {
    const all = await roots({
      "user/long.md": agent("x".repeat(maxAgentBytes)),
      "user/bad.md": "nothing",
      secret: agent("Secret."),
    });
    await symlink("../secret", join(all[0] as string, "link.md"));
    const { agents, warnings } = await loadAgents({ disk: createNodeDisk(), roots: all });
    expect(agents).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining("bad.md has no front matter."),
      expect.stringContaining("link.md is a link out of its folder."),
      expect.stringContaining(`long.md is over ${maxAgentBytes} bytes.`),
    ]);
  });

  it("finds an agent by its name, and says which there are", () => {
    expect(findAgent([], "x")).toMatchObject({ ok: false, error: { fix: "There are: fork, general." } });
  });
});
