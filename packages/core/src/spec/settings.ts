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
  /** Automatic compaction at this part of the effective window, in percent over 0 up to 100; never later than usual. */
  readonly autoCompactPercent?: number;
  /** Shrinks the window, for tests. */
  readonly autoCompactWindow?: number;
  /** Requests are blocked from this count of tokens on. */
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
  /** How long the provider keeps what is marked; absent: what is cheaper for a user with such gaps. */
  readonly cacheTtl?: "5m" | "1h";
  /** When an append counts as saved: what it survives. */
  readonly durability?: Durability;
  /** Corrections to the data about models. */
  readonly catalog?: CatalogSettings;
  readonly flags?: Partial<FlagValues>;
  /** Rules of all files and options count together. */
  readonly permissions?: PermissionRules;
  /** Folders that the agent works in besides its own; those of all files count together. */
  readonly additionalFolders?: readonly string[];
  /** Hooks of all files and options run. */
  readonly hooks?: HookSettings;
  /** Variables for the commands that the agent runs. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly mcp?: McpSettings;
  /** Whether keys of the process itself are masked in what comes from outside; absent: they are. */
  readonly maskOwnSecrets?: boolean;
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

/** The ways to clear old results that a flag turns on, such as `clear-cold`. */
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

/** The numbers of layer 4: tokens, percentages and counts; who compacts, and what they are asked. */
export interface CompactionSettings {
  /** Asked for the summary in place of the session's own model, with a plain transcript. */
  readonly model?: string;
  /** In place of the usual prompt for a summary; instructions still stand behind it. */
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
  /** By everything that shares the store, in one day of UTC; absent: as much as is needed. */
  readonly dollarsPerDay?: number;
}

/** The numbers of layer 6: milliseconds, counts, percent. */
export interface DreamSettings {
  /** Whether memory is put in order between sessions. */
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
  /** Whether a line is kept of every turn, in a log for each day. */
  readonly dailyLogs?: boolean;
}

/** By model name as people write it; `*` stands for anything. */
export interface CatalogSettings {
  readonly capabilities?: Readonly<Record<string, CapabilitySettings>>;
  readonly prices?: Readonly<Record<string, PriceSettings>>;
  /** Ways of saying "the prompt is too long", tried before the built-in ones. */
  readonly overflowWordings?: readonly WordingSettings[];
}

export type CapabilitySettings = Partial<Omit<Capabilities, "images">> & {
  readonly images?: Partial<ImageLimits>;
};

/** `null` takes the second tier away. */
export type PriceSettings = Partial<Rates> & { readonly above?: Prices["above"] | null };

export interface WordingSettings {
  readonly id: string;
  readonly servers: readonly string[];
  readonly pattern: string;
}

/** MCP servers by the name their tools carry. */
export type McpSettings = Readonly<Record<string, McpServerSettings>>;

/** Either `command`, a program that is started and spoken to on its input and output, or `url`. */
export interface McpServerSettings {
  /** The program alone: never a shell's line. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** Variables besides the usual few. In a value, `${NAME}` stands for a variable of this program. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where it runs; relative to where the agent works. */
  readonly cwd?: string;
  /** Streamable HTTP. */
  readonly url?: string;
  /** Sent with every request. In a value, `${NAME}` stands for a variable of this program. */
  readonly headers?: Readonly<Record<string, string>>;
}
