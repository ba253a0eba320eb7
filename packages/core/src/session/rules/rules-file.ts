/** A rules file as it was read. */
export interface RulesFile {
  /** Absolute, as it was found; where a link stands, the link's. */
  readonly path: string;
  /** Whose it is: a project's is data from the project. */
  readonly level: "user" | "project";
  /** Exactly what stands in it. */
  readonly text: string;
  /** Of its bytes. */
  readonly sha256: string;
  /** The file that includes it, where it was not found by its name. */
  readonly includedBy?: string;
  /** It was written while untrusted text was in view, and no person has confirmed it: it is data. */
  readonly isUnconfirmed?: boolean;
  /** What it includes that was left out, and why. */
  readonly notes: readonly string[];
}

/** The files of one place, and what was found there and not read. */
export interface LoadedRules {
  readonly files: readonly RulesFile[];
  readonly notes: readonly string[];
}

/** The names that rules files have, in the order they are read in. A local one is the user's own. */
export const rulesNames: readonly string[] = [
  "AGENTS.md",
  "CLAUDE.md",
  "PALIMPSEST.md",
  "AGENTS.local.md",
  "CLAUDE.local.md",
  "PALIMPSEST.local.md",
];

/** Rules are read whole or not at all. */
export const maxRulesFileBytes = 102_400;
/** All rules of a session together. */
export const maxRulesTotalBytes = 409_600;
/** How deep files may include each other. */
export const maxIncludeDepth = 5;
