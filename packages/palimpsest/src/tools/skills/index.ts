export type { Skill, SkillOptions } from "./load-skills.ts";
export { createSkillListing, createSkillTool } from "./skill-tool.ts";
