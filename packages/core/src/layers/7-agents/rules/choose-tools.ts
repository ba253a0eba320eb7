import { toolsOfPeople } from "../../../catalog/known-tools.ts";

/** A tool as far as choosing goes. */
interface Named {
  readonly name: string;
}

export interface ChosenTools<Tool extends Named> {
  readonly tools: readonly Tool[];
  /** Names that no tool has. */
  readonly unknown: readonly string[];
}

/**
 * The tools of an agent in the session's order, without those that need a person; `wanted` absent: all of them. A name
 * may end with `*`.
 */
export function chooseTools<Tool extends Named>(
  all: readonly Tool[],
  wanted: readonly string[] | undefined,
): ChosenTools<Tool> {
  const usable = all.filter(({ name }) => !toolsOfPeople.includes(name));
  if (wanted === undefined) return { tools: usable, unknown: [] };
  const fits = (name: string, pattern: string) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
  return {
    tools: usable.filter(({ name }) => wanted.some((pattern) => fits(name, pattern))),
    unknown: wanted.filter((pattern) => !all.some(({ name }) => fits(name, pattern))),
  };
}
