import { mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createNodeDisk } from "../../../../core/src/stores/files/index.ts";
import { type AgentFolder, findAgent, loadAgents, maxAgentBytes } from "./load-agents.ts";

const agent = (description: string) => `---\ndescription: ${description}\n---\nLook.\n`;

async function roots(files: Readonly<Record<string, string>>): Promise<readonly AgentFolder[]> {
  const folder = await temporaryFolder();
  for (const name of ["user", "project"]) await mkdir(join(folder, name));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return ["user", "project", "absent"].map((name) => ({ path: join(folder, name) }));
}

/** As `roots`, with a project that only `trusted` of its files are trusted of. */
async function withStranger(files: Readonly<Record<string, string>>, trusted: readonly string[] = []) {
  const [user, project] = (await roots(files)) as readonly [AgentFolder, AgentFolder];
  const isTrusted = async (_: string, bytes: Uint8Array) =>
    trusted.includes(Buffer.from(bytes).toString("utf8"));
  const loaded = await loadAgents({
    disk: createNodeDisk(),
    roots: [user, { ...project, isTrusted }],
  });
  const restricted = loaded.restricted.map(({ path, fields, isTrusted: isWhole }) => [
    basename(path),
    fields,
    isWhole,
  ]);
  return { ...loaded, restricted };
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
    await symlink("../secret", join(all[0]?.path as string, "link.md"));
    const { agents, warnings } = await loadAgents({ disk: createNodeDisk(), roots: all });
    expect(agents).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining("bad.md has no front matter."),
      expect.stringContaining("link.md is a link out of its folder."),
      expect.stringContaining(`long.md is over ${maxAgentBytes} bytes.`),
    ]);
  });

  describe("of a project that nobody trusts", () => {
    const withModel = "---\ndescription: A.\nmodel: gpt-5.6\ntools: Read\nmemory: user\n---\nLook.\n";

    it("lets an agent set no model and reach no memory of the user's", async () => {
      const { agents, restricted } = await withStranger({ "project/a.md": withModel });
      expect(agents).toMatchObject([{ name: "a", tools: ["Read"], prompt: "Look." }]);
      expect(agents.map(({ model, memory }) => [model, memory])).toEqual([[undefined, undefined]]);
      expect(restricted).toEqual([["a.md", ["model", "memory: user"], false]]);
    });

    it("lets no agent take the place of one of the user's, by the name in it or by that of the file", async () => {
      const named = "---\nname: b\ndescription: The project's.\n---\nLook.\n";
      const { agents, restricted } = await withStranger({
        "user/a.md": agent("The user's a."),
        "user/b.md": agent("The user's b."),
        "project/a.md": agent("The project's."),
        "project/other.md": named,
        "project/c.md": agent("Its own."),
      });
      expect(agents.map(({ description }) => description)).toEqual([
        "The user's a.",
        "The user's b.",
        "Its own.",
      ]);
      expect(restricted).toEqual([
        ["a.md", ["name"], false],
        ["other.md", ["name"], false],
      ]);
    });

    it("lets all of it hold of files that somebody trusts as they are", async () => {
      const files = { "user/a.md": agent("The user's."), "project/a.md": withModel };
      const trusted = await withStranger(files, [withModel]);
      expect(trusted.agents).toMatchObject([{ name: "a", model: "gpt-5.6", memory: "user" }]);
      expect(trusted.restricted).toEqual([["a.md", ["model", "memory: user", "name"], true]]);
    });
  });

  it("finds an agent by its name, and says which there are", () => {
    expect(findAgent([], "x")).toMatchObject({ ok: false, error: { fix: "There are: fork, general." } });
  });
});
