import type { TreeBudget } from "./agent.ts";
import type { Capabilities, ImageLimits, Prices, Rates } from "./cache.ts";
import type { FlagValues } from "./flag.ts";
import type { HookSettings } from "./hook.ts";
import type { PermissionRules } from "./permission.ts";
import type { Durability } from "./stores/log-store.ts";

/**
 * Settings of a person, in a settings file or as options; an absent setting leaves the decision to the other sources.
 * Of a project's file that is not trusted only `permissions.ask` and `permissions.deny` count.
 */
export interface Settings {
  /** Every kind of compaction, by hand too. */
  readonly compactEnabled?: boolean;
  /** Automatic and reactive compaction. */
  readonly autoCompactEnabled?: boolean;
  readonly microcompactEnabled?: boolean;
  /** Session notes. */
  readonly sessionNotesEnabled?: boolean;
  /** Compaction by notes. */
  readonly notesCompactionEnabled?: boolean;
  /** Folding. */
  readonly foldingEnabled?: boolean;
  /** Percent of the effective window at which automatic compaction starts, over 0 up to 100; never later than the default. */
  readonly autoCompactPercent?: number;
  /** Shrinks the window, for tests. */
  readonly autoCompactWindow?: number;
  /** Requests with this many tokens or more are blocked. */
  readonly blockingLimit?: number;
  readonly window?: WindowSettings;
  readonly toolResults?: ToolResultSettings;
  readonly microcompact?: MicrocompactSettings;
  readonly compaction?: CompactionSettings;
  readonly sessionNotes?: SessionNotesSettings;
  readonly folding?: FoldingSettings;
  readonly dream?: DreamSettings;
  readonly agents?: AgentSettings;
  readonly budget?: BudgetSettings;
  /** Lifetime of the prompt cache; absent: the cheaper one for this user's gaps between requests. */
  readonly cacheTtl?: "5m" | "1h";
  /** When an append counts as saved: what it survives. */
  readonly durability?: Durability;
  /** Corrections to the data about models. */
  readonly catalog?: CatalogSettings;
  readonly flags?: Partial<FlagValues>;
  /** Permission rules; those of all files and options are combined. */
  readonly permissions?: PermissionRules;
  /** More folders the agent may work in; those of all files are combined. */
  readonly additionalFolders?: readonly string[];
  /** Hooks; those of all files and options run. */
  readonly hooks?: HookSettings;
  /** Variables for the commands that the agent runs. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly mcp?: McpSettings;
  /** Whether this process's own secrets are masked in results, events and errors; absent: yes. */
  readonly maskOwnSecrets?: boolean;
}

/** Parts of a session that can be on or off, each with a setting: `compactEnabled` and so on. */
export type SwitchName =
  | "compact"
  | "autoCompact"
  | "microcompact"
  | "sessionNotes"
  | "notesCompaction"
  | "folding";

/** A session's settings, with its flags and switches as all sources together have decided them. */
export interface SessionSettings extends Settings {
  readonly switches?: Partial<Readonly<Record<SwitchName, boolean>>>;
}

/** The numbers behind the window and its thresholds, in tokens. */
export interface WindowSettings {
  readonly longWindowTokens?: number;
  readonly defaultWindowTokens?: number;
  readonly summaryReserveTokens?: number;
  readonly autoBufferTokens?: number;
  readonly warningBufferTokens?: number;
  readonly errorBufferTokens?: number;
  readonly blockingBufferTokens?: number;
  readonly scaleBelowTokens?: number;
}

/** The numbers of layer 1. Characters are UTF-16 code units, bytes are of UTF-8. */
export interface ToolResultSettings {
  readonly defaultMaxChars?: number;
  readonly declaredMaxChars?: number;
  readonly roundMaxChars?: number;
  readonly previewBytes?: number;
  readonly tailBytes?: number;
  readonly promptPreviewBytes?: number;
}

/** Flags that turn on a way to clear old results, such as `clear-cold`. */
export type FlaggedClearing = "cold" | "server" | "cache-edits" | "threshold";

/** The numbers of layer 2: counts of results, tokens, milliseconds. */
export interface MicrocompactSettings {
  readonly coldKeep?: number;
  readonly coldAfterMs?: number;
  readonly serverTriggerTokens?: number;
  readonly serverMarginTokens?: number;
  readonly serverTargetTokens?: number;
  readonly serverThinkingTurns?: number;
  readonly cacheEditTrigger?: number;
  readonly cacheEditKeep?: number;
  readonly thresholdTokens?: number;
  readonly thresholdKeep?: number;
  readonly thresholdMinSavedTokens?: number;
  readonly economicKeep?: number;
  readonly economicMinBatchTokens?: number;
}

/** The numbers of layer 4: tokens, percentages and counts; the model and its prompt. */
export interface CompactionSettings {
  /** Writes the summary instead of the session's own model, from a plain transcript. */
  readonly model?: string;
  /** Replaces the default prompt for a summary; instructions are still added after it. */
  readonly prompt?: string;
  readonly native?: NativeCompaction;
  readonly budgetPercent?: number;
  readonly maxTokens?: number;
  readonly minShrinkPercent?: number;
  readonly newTokensPercent?: number;
  readonly maxFailures?: number;
  readonly aheadPercent?: number;
  readonly maxSummaryTokens?: number;
  readonly userMessagesPercent?: number;
  readonly keptTailPercent?: number;
  readonly restoredFiles?: number;
  readonly restoredFileTokens?: number;
  readonly restoredFilesTokens?: number;
  readonly restoredSkillTokens?: number;
  readonly restoredSkillsTokens?: number;
  readonly tooLongRetries?: number;
  readonly dropPercent?: number;
}

/**
 * Whether the API itself compacts, where the model can: on the way to an answer (`server`), or when it is asked to
 * (`on-demand`).
 */
export type NativeCompaction = "off" | "server" | "on-demand";

/** The numbers of layer 3, and its template: tokens, counts, milliseconds, percent. */
export interface SessionNotesSettings {
  /** Sections as `## heading`, each with one line `> what belongs there`. */
  readonly template?: string;
  readonly firstTokens?: number;
  readonly growTokens?: number;
  readonly minCalls?: number;
  readonly staleMs?: number;
  readonly waitMs?: number;
  readonly budgetPercent?: number;
  readonly sectionTokens?: number;
  readonly fileTokens?: number;
  readonly keepTokens?: number;
  readonly keepMessages?: number;
  readonly maxKeepTokens?: number;
}

/** The numbers of folding: percent of the effective window, tokens, counts, milliseconds. */
export interface FoldingSettings {
  readonly preparePercent?: number;
  readonly commitPercent?: number;
  readonly blockPercent?: number;
  readonly targetPercent?: number;
  readonly minBatchPercent?: number;
  readonly spanTokens?: number;
  readonly minSpanTokens?: number;
  readonly summaryTokens?: number;
  readonly keepTokens?: number;
  readonly keepRounds?: number;
  readonly maxSpans?: number;
  readonly staleMs?: number;
}

/** Limits for agents, and who reports their progress: see `TreeBudget`. */
export interface AgentSettings extends Partial<TreeBudget> {
  /**
   * The model that says in a few words what a background agent does; absent: the cheapest one there is a key and a price
   * for. `off`: none, its last call of a tool says it.
   */
  readonly summaryModel?: string;
}

/** Spending limits over all sessions. */
export interface BudgetSettings {
  /** Limit for everything that shares the store, per UTC day; absent: no limit. */
  readonly dollarsPerDay?: number;
}

/** The numbers of layer 6: milliseconds, counts, percent. */
export interface DreamSettings {
  /** Whether memories are tidied up between sessions. */
  readonly enabled?: boolean;
  readonly minGapMs?: number;
  readonly minSessions?: number;
  readonly scanGapMs?: number;
  readonly maxRemovedPercent?: number;
  readonly nearPercent?: number;
  /** The most turns of a model that dreams. */
  readonly maxTurns?: number;
  readonly maxTokens?: number;
  readonly maxMs?: number;
  /** Whether one line per turn is kept, in a log for each day. */
  readonly dailyLogs?: boolean;
}

/** By model name as people write it; `*` matches anything. */
export interface CatalogSettings {
  readonly capabilities?: Readonly<Record<string, CapabilitySettings>>;
  readonly prices?: Readonly<Record<string, PriceSettings>>;
  /** Error wordings for "the prompt is too long", tried before the built-in ones. */
  readonly overflowWordings?: readonly WordingSettings[];
}

export type CapabilitySettings = Partial<Omit<Capabilities, "images">> & {
  readonly images?: Partial<ImageLimits>;
};

/** `null` removes the second tier. */
export type PriceSettings = Partial<Rates> & { readonly above?: Prices["above"] | null };

export interface WordingSettings {
  readonly id: string;
  readonly servers: readonly string[];
  readonly pattern: string;
}

/** MCP servers by the name their tools carry. */
export type McpSettings = Readonly<Record<string, McpServerSettings>>;

/** Either `command`, a program that is started and talks over stdin and stdout, or `url`. */
export interface McpServerSettings {
  /** The program only, not a shell command line. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** Extra variables. In a value, `${NAME}` is replaced by a variable of this program. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Working folder; relative to the agent's. */
  readonly cwd?: string;
  /** Streamable HTTP. */
  readonly url?: string;
  /** Headers of every request. In a value, `${NAME}` is replaced by a variable of this program. */
  readonly headers?: Readonly<Record<string, string>>;
}
