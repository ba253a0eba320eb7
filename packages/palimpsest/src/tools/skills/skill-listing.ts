import { firstChars } from "@palimpsest/core/internal";
import type { NoticeSource } from "@palimpsest/core/spec";
import { loadSkills, type SkillOptions } from "./load-skills.ts";
import type { Skill } from "./read-skill.ts";

/** Characters of the whole listing, and of what it says about one skill. */
export const maxListingChars = 8_000;
const descriptionChars = 300;

export interface SkillListingOptions extends SkillOptions {
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
