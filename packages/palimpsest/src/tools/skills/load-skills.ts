import type { Disk } from "@palimpsest/core/spec";
import { readSkill, type Skill } from "./read-skill.ts";

/** Folders looked at in one root. */
export const maxSkillFolders = 200;

export interface SkillOptions {
  readonly disk: Disk;
  /** Folders that hold a folder a skill. A skill of a later one takes the place of one with its name. */
  readonly roots: readonly string[];
}

export interface LoadedSkills {
  /** By name. */
  readonly skills: readonly Skill[];
  /** What could not be read, for a person. */
  readonly warnings: readonly string[];
}

export async function loadSkills({ disk, roots }: SkillOptions): Promise<LoadedSkills> {
  const skills = new Map<string, Skill>();
  const warnings: string[] = [];
  for (const root of roots) {
    const listed = await disk.list(root);
    if (!listed.ok) {
      if (listed.error.code !== "not-found") warnings.push(listed.error.message);
      continue;
    }
    const folders = listed.value.filter((name) => !name.startsWith("."));
    if (folders.length > maxSkillFolders) {
      warnings.push(`${root} has over ${maxSkillFolders} skills; the rest is left out.`);
    }
    for (const folder of folders.slice(0, maxSkillFolders)) {
      const read = await readSkill(disk, root, folder);
      if (read?.ok) skills.set(read.value.name, read.value);
      else if (read) warnings.push([read.error.message, read.error.fix].filter(Boolean).join(" "));
    }
  }
  return { skills: [...skills.values()].sort((one, other) => (one.name < other.name ? -1 : 1)), warnings };
}
