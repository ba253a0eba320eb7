import { catalogSettings } from "../../catalog/settings.ts";
import { toolResultSettings } from "../../layers/1-tool-results/settings.ts";
import { microcompactSettings } from "../../layers/2-microcompact/settings.ts";
import { sessionNotesSettings } from "../../layers/3-session-notes/settings.ts";
import { foldingSettings } from "../../layers/4-compaction/folding/settings.ts";
import { compactionSettings } from "../../layers/4-compaction/settings.ts";
import { dreamSettings } from "../../layers/6-dream/settings.ts";
import { agentSettings } from "../../layers/7-agents/settings.ts";
import { permissionSettings } from "../../permissions/settings.ts";
import { amount, none, structured, toggle, word } from "../../settings/declare.ts";
import { anyTextSchema, listOf, schemaOf, tableOf, textSchema } from "../../settings/schemas.ts";
import type { Shape } from "../../settings/setting.ts";
import type { FlagValues } from "../../spec/index.ts";
import { defaultDurability } from "../../stores/shared/log.ts";
import { economySettings } from "../../view/economics/economy.ts";
import { switchSettings } from "../../view/switch-settings.ts";
import { thresholdSettings, windowSettings } from "../../view/window/settings.ts";
import { keepWarmSettings } from "../cache/settings.ts";
import { flagsSchema } from "../flags/flag-table.ts";
import { hookSettings } from "../hooks/settings.ts";
import { mcpSettings } from "./mcp-settings.ts";

/** Spending limits over all sessions. */
const budgetSettings = {
  dollarsPerDay: amount(
    none,
    "most dollars that all sessions of one store may spend in a UTC day, forks, agents and dreams counted; a request that could exceed it is not sent",
    { isProtecting: true },
  ),
};

const permissions = {
  permissions: permissionSettings,
  additionalFolders: structured(
    listOf(textSchema),
    "more folders the agent may work in: absolute, `~/…` or relative to the project; those of all files are combined",
    { example: ["~/notes", "../shared"] },
  ),
  ...hookSettings,
  ...mcpSettings,
  environment: structured(tableOf(anyTextSchema), "variables for the commands that the agent runs, by name", {
    isHidden: true,
    example: { NODE_ENV: "test" },
  }),
  maskOwnSecrets: toggle(
    none,
    "`false`: secrets of this program itself are not masked in results of tools, events and errors",
  ),
};

const spending = { budget: budgetSettings, agents: agentSettings };

const compaction = {
  ...economySettings,
  compactEnabled: switchSettings.compactEnabled,
  autoCompactEnabled: switchSettings.autoCompactEnabled,
  ...thresholdSettings,
  window: windowSettings,
  compaction: compactionSettings,
};

const toolResults = {
  microcompactEnabled: switchSettings.microcompactEnabled,
  toolResults: toolResultSettings,
  microcompact: microcompactSettings,
};

const sessionNotes = {
  sessionNotesEnabled: switchSettings.sessionNotesEnabled,
  notesCompactionEnabled: switchSettings.notesCompactionEnabled,
  sessionNotes: sessionNotesSettings,
};

const folding = { foldingEnabled: switchSettings.foldingEnabled, folding: foldingSettings };

const memory = { dream: dreamSettings };

const models = {
  cacheTtl: word(
    ["auto", "5m", "1h"],
    "auto",
    "lifetime of the prompt cache; `auto`: the cheaper one for the pauses you make, chosen anew whenever the cache is cold",
  ),
  keepWarm: keepWarmSettings,
  catalog: catalogSettings,
};

const storage = {
  durability: word(
    ["process", "fsync", "relaxed"],
    defaultDurability,
    "when an append counts as saved: what it survives",
  ),
};

const flags = {
  flags: structured<Partial<FlagValues>>(
    flagsSchema,
    "flags by name: parts of the engine that are on or off",
  ),
};

/** Settings that a person looks for in one place. */
export interface SettingGroup {
  readonly title: string;
  /** The page that says more, as the guide to the settings links it. */
  readonly guide: string;
  readonly shape: Shape;
}

/** In the order in which people want to change them. */
export const settingGroups: readonly SettingGroup[] = [
  { title: "Permissions and commands", guide: "security.md", shape: permissions },
  { title: "Spending and agents", guide: "agents.md", shape: spending },
  { title: "Compaction", guide: "compaction.md", shape: compaction },
  { title: "Tool results", guide: "../layers/2-microcompact.md", shape: toolResults },
  { title: "Session notes", guide: "../layers/3-session-notes.md", shape: sessionNotes },
  { title: "Folding", guide: "../layers/4-compaction.md", shape: folding },
  { title: "Memory", guide: "memory.md", shape: memory },
  { title: "Models and prompt cache", guide: "prompt-cache.md", shape: models },
  { title: "Storage", guide: "../durability.md", shape: storage },
  { title: "Flags", guide: "#flags", shape: flags },
];

/** Every setting there is. */
export const settingsShape = {
  ...permissions,
  ...spending,
  ...compaction,
  ...toolResults,
  ...sessionNotes,
  ...folding,
  ...memory,
  ...models,
  ...storage,
  ...flags,
};

/** Everything a settings file may say. */
export const settingsSchema = schemaOf(settingsShape);
