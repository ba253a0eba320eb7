import { firstChars } from "@palimpsest/core/internal";
import type { NoticeSource, Tool } from "@palimpsest/core/spec";
import { loadSkills, type Skill, type SkillOptions } from "./load-skills.ts";

const maxNamesChars = 4_000;

/** Gives a skill's text; read when it is called, so that a change counts at once. */
export function createSkillTool(options: SkillOptions): Tool {
  return {
    name: "Skill",
    description:
      "Gives the text of a skill: what a person wrote down on how to do a kind of work. Call it when the work at hand is what a skill is for, before you begin, and follow it.",
    input_schema: {
      type: "object",
      properties: {
        skill: { type: "string", minLength: 1, maxLength: 100, description: "The skill's name." },
        args: { type: "string", maxLength: 10_000, description: "What it should be used on." },
      },
      required: ["skill"],
      additionalProperties: false,
    },
    isReadOnly: true,
    async run(input) {
      const { skill: wanted, args } = input as { readonly skill: string; readonly args?: string };
      const { skills, warnings } = await loadSkills(options);
      const name = wanted.replace(/^\//, "");
      const skill = skills.find((one) => one.name === name);
      if (skill === undefined) {
        const names = skills
          .map((one) => one.name)
          .join(", ")
          .slice(0, maxNamesChars);
        const there = names === "" ? "There are none." : `There are: ${names}.`;
        const why = warnings.filter((warning) => warning.includes(`/${name}/`));
        return { content: [`There is no skill ${name}.`, there, ...why].join(" "), isError: true };
      }
      const lines = [
        `<skill name="${skill.name}">`,
        skill.body,
        "</skill>",
        `Files that it names are in ${skill.folder}.`,
      ];
      return { content: [...lines, ...(args ? [`Use it on: ${args}`] : [])].join("\n") };
    },
  };
}

/** Characters of the whole listing, and of what it says about one skill. */
export const maxListingChars = 8_000;
const descriptionChars = 300;

interface SkillListingOptions extends SkillOptions {
  readonly warn?: (text: string) => void;
}

/**
 * Tells the model once which skills there are; a compaction brings back those that were used, not the listing. What
 * cannot be read goes to `warn`.
 */
export function createSkillListing(options: SkillListingOptions): NoticeSource {
  let hasGiven = false;
  return {
    name: "skills",
    async take() {
      if (hasGiven) return [];
      hasGiven = true;
      const { skills, warnings } = await loadSkills(options);
      for (const warning of warnings) options.warn?.(warning);
      return skills.length === 0 ? [] : [{ subtype: "skills", text: toListing(skills) }];
    },
  };
}

function toListing(skills: readonly Skill[]): string {
  const lines = ["Skills that the Skill tool gives you, by name:"];
  let chars = 0;
  for (const { name, description } of skills) {
    const line = `- ${name}: ${firstChars(description.replace(/\s+/g, " ").trim(), descriptionChars)}`;
    chars += line.length + 1;
    if (chars > maxListingChars) break;
    lines.push(line);
  }
  const rest = skills.slice(lines.length - 1).map(({ name }) => name);
  const names = firstChars(rest.join(", "), maxListingChars / 2);
  return rest.length === 0 ? lines.join("\n") : `${lines.join("\n")}\nAnd: ${names}`;
}
