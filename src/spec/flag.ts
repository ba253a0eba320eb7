/** A part of the engine that a flag turns on or off. */
export type SwitchFlagName =
  | "clear"
  | "clear-cold"
  | "clear-server"
  | "clear-cache-edits"
  | "clear-threshold"
  | "session-notes"
  | "notes-compaction"
  | "compact"
  | "compact-prefix"
  | "compact-ahead"
  | "compact-early"
  | "reactive-only"
  | "snip"
  | "fold"
  | "memory-extraction"
  | "memory-recall"
  | "dream"
  | "prefix-guard"
  | "agent-summaries"
  | "read-references";

/** What each flag says. A session resolves them once, when it opens. */
export interface FlagValues extends Readonly<Record<SwitchFlagName, boolean>> {
  /** Characters a result may have before it goes to disk, by the tool's name. */
  readonly "tool-result-limits": Readonly<Record<string, number>>;
}

export type FlagName = keyof FlagValues;
