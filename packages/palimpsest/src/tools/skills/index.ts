export type { SkillOptions } from "./load-skills.ts";
export type { Skill } from "./read-skill.ts";
export { createSkillListing } from "./skill-listing.ts";
export { createSkillTool } from "./skill-tool.ts";
