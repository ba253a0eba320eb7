/** Flags of 0.1.0 that the mode `thrifty` has taken the place of. They are read as that mode, wherever flags come from. */
const retiredFlags = ["compact-early", "read-references"] as const;

export type RetiredFlag = (typeof retiredFlags)[number];

export const retiredFlagNames: readonly RetiredFlag[] = retiredFlags;

export function isRetiredFlag(name: string): name is RetiredFlag {
  return retiredFlagNames.some((one) => one === name);
}

/** What a person is told of one. `isRead`: it asks for the mode, and nothing stronger says another. */
export function retiredFlagNotice(
  where: string,
  isRead: boolean,
): { readonly problem: string; readonly fix: string } {
  return isRead
    ? { problem: `${where} is read as economy "thrifty" now`, fix: "set that instead" }
    : { problem: `${where} has no effect: it is part of economy "thrifty" now`, fix: "remove it" };
}

/** The same as a sentence. */
export function retiredFlagText(where: string, isRead: boolean): string {
  const { problem, fix } = retiredFlagNotice(where, isRead);
  return `${problem}; ${fix}`;
}
