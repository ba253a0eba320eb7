import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import type { ToolContext } from "../../../../core/src/spec/index.ts";
import { createNodeDisk } from "../../../../core/src/stores/files/disk/node-disk.ts";
import { createSkillListing, createSkillTool } from "./index.ts";
import { maxListingChars } from "./skill-tool.ts";

const moment = { kind: "session-start", touched: [], signal: new AbortController().signal } as const;

const skillFile = (name: string, description: string, body = "Do it.") =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;

/** Two roots, the files of which are given by their path. */
async function createScene(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const warnings: string[] = [];
  const options = { disk: createNodeDisk(), roots: [join(folder, "user"), join(folder, "project")] };
  const listing = createSkillListing({
    ...options,
    warn: (text) => warnings.push(text.replaceAll(folder, "")),
  });
  const tool = createSkillTool(options);
  return {
    folder,
    warnings,
    listing: async () => (await listing.take(moment)).map((notice) => notice.text),
    listed: () => listing.take(moment),
    async call(input: object) {
      const outcome = await tool.run?.(input, {} as ToolContext);
      return { ...outcome, content: String(outcome?.content).replaceAll(folder, "") };
    },
  };
}

describe("skills", () => {
  it("are listed once, those of later roots in place of earlier ones, and given when called", async () => {
    const { listed, call, warnings } = await createScene({
      "user/review/SKILL.md": skillFile("review", "Reviews code."),
      "user/ship/SKILL.md": skillFile("ship", "Old."),
      "project/ship/SKILL.md": skillFile("ship", '"Ships: with a colon.\\nTwo lines."', "1. Test\n2. Ship"),
      "project/no-skill/readme.md": "x",
      "project/file.md": "x",
    });
    expect(await listed()).toEqual([
      {
        subtype: "skills",
        text: "Skills that the Skill tool gives you, by name:\n- review: Reviews code.\n- ship: Ships: with a colon. Two lines.",
      },
    ]);
    expect(await listed()).toEqual([]);
    expect(await call({ skill: "/ship", args: "the site" })).toEqual({
      content:
        '<skill name="ship">\n1. Test\n2. Ship\n</skill>\nFiles that it names are in /project/ship.\nUse it on: the site',
    });
    expect(warnings).toEqual([]);
  });

  it("that are not right are left out with a warning, and the others stay", async () => {
    const { listing, warnings, call } = await createScene({
      "user/a-good/SKILL.md": skillFile("a-good", "Good."),
      "user/b-none/SKILL.md": "Just text",
      "user/c-yaml/SKILL.md": "---\nname: [\n---\nx",
      "user/d-list/SKILL.md": "---\n- a\n---\nx",
      "user/e-silent/SKILL.md": "---\nname: e\n---\nx",
      "user/f-name/SKILL.md": skillFile('"../../x"', "Bad name."),
      "user/g-bomb/SKILL.md": `---\na: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b]\nname: g\ndescription: x\n---\n`,
      "user/h-large/SKILL.md": skillFile("h", "Large.", "x".repeat(300_000)),
      "user/i-folder/SKILL.md/x": "",
    });
    expect(await listing()).toEqual(["Skills that the Skill tool gives you, by name:\n- a-good: Good."]);
    const fix = "Begin it with ---, a line name: …, a line description: …, and ---.";
    expect(warnings).toEqual([
      `The skill /user/b-none/SKILL.md has no front matter. ${fix}`,
      `The skill /user/c-yaml/SKILL.md has front matter that is not YAML. ${fix}`,
      `The skill /user/d-list/SKILL.md has front matter without fields. ${fix}`,
      `The skill /user/e-silent/SKILL.md has no description. ${fix}`,
      `The skill /user/f-name/SKILL.md has a name with other characters than letters, digits and “-”. ${fix}`,
      `The skill /user/g-bomb/SKILL.md has front matter that is not YAML. ${fix}`,
      "The skill /user/h-large/SKILL.md is over 200000 bytes. Move parts of it into files beside it.",
      "Could not open /user/i-folder/SKILL.md: it is a folder. Name a file.",
    ]);
    expect(await call({ skill: "b-none" })).toEqual({
      content: `There is no skill b-none. There are: a-good. ${warnings[0]}`,
      isError: true,
    });
  });

  it("are never read from outside their root", async () => {
    const { folder, listing, warnings } = await createScene({
      "user/real/SKILL.md": skillFile("real", "Real."),
      "outside/SKILL.md": skillFile("outside", "Outside."),
    });
    await symlink(join(folder, "outside"), join(folder, "user/linked-folder"));
    await mkdir(join(folder, "user/linked-file"));
    await symlink(join(folder, "outside/SKILL.md"), join(folder, "user/linked-file/SKILL.md"));
    await symlink(join(folder, "user/real"), join(folder, "user/same"));
    expect(await listing()).toEqual(["Skills that the Skill tool gives you, by name:\n- real: Real."]);
    expect(warnings).toEqual([
      "The skill /user/linked-file/SKILL.md is a link out of its folder. Put the skill itself there.",
      "The skill /user/linked-folder/SKILL.md is a link out of its folder. Put the skill itself there.",
    ]);
  });

  it("are listed within bounds, however many and long", async () => {
    const many = Array.from({ length: 150 }, (_, at) => [
      `user/skill-${at}/SKILL.md`,
      skillFile(`skill-${at}`, "long ".repeat(400)),
    ]);
    const { listing } = await createScene(Object.fromEntries(many));
    const [text = ""] = await listing();
    expect(text.length).toBeLessThan(1.6 * maxListingChars);
    expect(text).toMatch(/\nAnd: .*skill-99/);
  });

  it("are none where there are no folders", async () => {
    const { listing, call } = await createScene({});
    expect(await listing()).toEqual([]);
    expect(await call({ skill: "x" })).toEqual({
      content: "There is no skill x. There are none.",
      isError: true,
    });
  });
});
