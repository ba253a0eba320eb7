import type { Tool } from "@palimpsest/core/spec";
import { loadSkills, type SkillOptions } from "./load-skills.ts";

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
