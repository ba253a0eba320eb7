import type { catalogSettings } from "../catalog/settings.ts";
import type { toolResultSettings } from "../layers/1-tool-results/settings.ts";
import type { microcompactSettings } from "../layers/2-microcompact/settings.ts";
import type { sessionNotesSettings } from "../layers/3-session-notes/settings.ts";
import type { foldingSettings } from "../layers/4-compaction/folding/settings.ts";
import type { compactionSettings } from "../layers/4-compaction/settings.ts";
import type { dreamSettings } from "../layers/6-dream/settings.ts";
import type { agentSettings } from "../layers/7-agents/settings.ts";
import type { settingsShape } from "../session/settings/all-settings.ts";
import type { SettingsOf } from "../settings/setting.ts";
import type { windowSettings } from "../view/window/settings.ts";
import type { Capabilities, ImageLimits, Prices, Rates } from "./cache.ts";

/**
 * Settings of a person, in a settings file or as options; an absent setting leaves the decision to the other sources.
 * Of a project's file that is not trusted only `permissions.ask` and `permissions.deny` count. Each part declares its
 * own, in its `settings.ts`: these types are made from there.
 */
export type Settings = SettingsOf<typeof settingsShape>;

/** Parts of a session that can be on or off, each with a setting: `compactEnabled` and so on. */
export type SwitchName =
  | "compact"
  | "autoCompact"
  | "microcompact"
  | "sessionNotes"
  | "notesCompaction"
  | "folding";

/** A session's settings, with its flags and switches as all sources together have decided them. */
export type SessionSettings = Settings & {
  readonly switches?: Partial<Readonly<Record<SwitchName, boolean>>>;
};

/** How far a session may go to save money. */
export type Economy = NonNullable<Settings["economy"]>;

export type WindowSettings = SettingsOf<typeof windowSettings>;
export type ToolResultSettings = SettingsOf<typeof toolResultSettings>;
export type MicrocompactSettings = SettingsOf<typeof microcompactSettings>;
export type CompactionSettings = SettingsOf<typeof compactionSettings>;
export type SessionNotesSettings = SettingsOf<typeof sessionNotesSettings>;
export type FoldingSettings = SettingsOf<typeof foldingSettings>;
export type DreamSettings = SettingsOf<typeof dreamSettings>;
export type AgentSettings = SettingsOf<typeof agentSettings>;
export type CatalogSettings = SettingsOf<typeof catalogSettings>;
export type BudgetSettings = NonNullable<Settings["budget"]>;

/**
 * Whether the API itself compacts, where the model can: on the way to an answer (`server`), or when it is asked to
 * (`on-demand`).
 */
export type NativeCompaction = NonNullable<CompactionSettings["native"]>;

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
export type McpServerSettings = McpCommandSettings | McpAddressSettings;

export interface McpCommandSettings {
  /** The program only, not a shell command line. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Extra variables. In a value, `${NAME}` is replaced by a variable of this program. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Working folder; relative to the agent's. */
  readonly cwd?: string;
  readonly url?: never;
  readonly headers?: never;
}

export interface McpAddressSettings {
  /** Streamable HTTP. */
  readonly url: string;
  /** Headers of every request. In a value, `${NAME}` is replaced by a variable of this program. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly command?: never;
  readonly args?: never;
  readonly environment?: never;
  readonly cwd?: never;
}
