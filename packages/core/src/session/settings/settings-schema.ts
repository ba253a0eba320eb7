import { forClearingSettings } from "../../layers/2-microcompact/settings.ts";
import { maxNotesTokens, parseTemplate } from "../../layers/3-session-notes/rules/index.ts";
import { maxFoldTokens } from "../../layers/4-compaction/folding/rules/index.ts";
import { parseRule } from "../../permissions/parse-rule.ts";
import type {
  AgentSettings,
  BudgetSettings,
  CompactionSettings,
  DreamSettings,
  FlagValues,
  FoldingSettings,
  McpServerSettings,
  MicrocompactSettings,
  PermissionRules,
  SessionNotesSettings,
  Settings,
  ToolResultSettings,
  WindowSettings,
} from "../../spec/index.ts";
import { flagTable } from "../flags/flag-table.ts";
import { catalogSchema } from "./catalog-schema.ts";
import { refuseServer } from "./expand-variables.ts";
import { hooksSchema } from "./hooks-schema.ts";
import {
  fieldsOf,
  listOf,
  oneOf,
  type Schema,
  tableOf,
  text,
  toggle,
  type ValueRefusal,
  wholeNumber,
} from "./schema.ts";

const rule: Schema = {
  kind: "text",
  refuse(text) {
    const parsed = parseRule(text);
    if (parsed.ok) return undefined;
    const { problem, instead } = parsed.error.facts;
    return {
      problem: `${JSON.stringify(text)} is not a permission rule: ${problem}`,
      fix: `write it like ${JSON.stringify(instead)}`,
    };
  },
};

const permissionsSchema: Schema = fieldsOf<PermissionRules>({
  allow: listOf(rule),
  ask: listOf(rule),
  deny: listOf(rule),
});

const server: Schema = {
  ...fieldsOf<McpServerSettings>({
    command: text,
    args: listOf(text),
    environment: tableOf(text),
    cwd: text,
    url: text,
    headers: tableOf(text),
  }),
  refuse: refuseServer,
};

/** The schema of the servers of `createMcpClients`. */
const mcpSchema: Schema = tableOf(server);

const window = fieldsOf<WindowSettings>({
  longWindowTokens: wholeNumber(1),
  defaultWindowTokens: wholeNumber(1),
  summaryReserveTokens: wholeNumber(0),
  autoBufferTokens: wholeNumber(0),
  warningBufferTokens: wholeNumber(0),
  errorBufferTokens: wholeNumber(0),
  blockingBufferTokens: wholeNumber(0),
  scaleBelowTokens: wholeNumber(1),
});

const toolResults = fieldsOf<ToolResultSettings>({
  defaultMaxChars: wholeNumber(1),
  declaredMaxChars: wholeNumber(1),
  roundMaxChars: wholeNumber(1),
  previewBytes: wholeNumber(0),
  tailBytes: wholeNumber(0),
  promptPreviewBytes: wholeNumber(0),
});

const microcompact = fieldsOf<MicrocompactSettings>(forClearingSettings(({ least }) => wholeNumber(least)));

const percent: Schema = { kind: "number", whole: true, least: 0, most: 100 };

const compaction = fieldsOf<CompactionSettings>({
  model: { kind: "text", refuse: refuseBlank },
  prompt: { kind: "text", refuse: refuseBlank },
  native: oneOf("off", "server", "on-demand"),
  budgetPercent: percent,
  maxTokens: wholeNumber(1),
  minShrinkPercent: percent,
  newTokensPercent: percent,
  maxFailures: wholeNumber(0),
  aheadPercent: percent,
  maxSummaryTokens: wholeNumber(1),
  userMessagesPercent: percent,
  keptTailPercent: percent,
  restoredFiles: wholeNumber(0),
  restoredFileTokens: wholeNumber(0),
  restoredFilesTokens: wholeNumber(0),
  restoredSkillTokens: wholeNumber(0),
  restoredSkillsTokens: wholeNumber(0),
  tooLongRetries: wholeNumber(0),
  dropPercent: percent,
});

const sessionNotes = fieldsOf<SessionNotesSettings>({
  template: { kind: "text", refuse: refuseTemplate },
  firstTokens: wholeNumber(0),
  growTokens: wholeNumber(0),
  minCalls: wholeNumber(0),
  staleMs: wholeNumber(0),
  waitMs: wholeNumber(0),
  budgetPercent: { kind: "number", whole: true, least: 0, most: 100 },
  sectionTokens: wholeNumber(1),
  fileTokens: { kind: "number", whole: true, least: 1, most: maxNotesTokens },
  keepTokens: wholeNumber(0),
  keepMessages: wholeNumber(0),
  maxKeepTokens: wholeNumber(0),
});

function refuseBlank(text: string): ValueRefusal | undefined {
  return text.trim() === "" ? { problem: "It is blank", fix: "Leave it out, or say something" } : undefined;
}

const folding = fieldsOf<FoldingSettings>({
  preparePercent: percent,
  commitPercent: percent,
  blockPercent: percent,
  targetPercent: percent,
  minBatchPercent: percent,
  spanTokens: wholeNumber(1),
  minSpanTokens: wholeNumber(1),
  summaryTokens: { kind: "number", whole: true, least: 1, most: maxFoldTokens },
  keepTokens: wholeNumber(0),
  keepRounds: wholeNumber(1),
  maxSpans: wholeNumber(1),
  staleMs: wholeNumber(0),
});

const amount: Schema = { kind: "number", whole: false, least: 0 };

const agents = fieldsOf<AgentSettings>({
  maxDepth: wholeNumber(0),
  maxAgents: wholeNumber(0),
  maxRunning: wholeNumber(1),
  maxTokens: wholeNumber(0),
  maxDollars: amount,
  maxMs: wholeNumber(0),
  maxDayDollars: amount,
  summaryModel: { kind: "text", refuse: refuseBlank },
});

const budget = fieldsOf<BudgetSettings>({ dollarsPerDay: amount });

const dream = fieldsOf<DreamSettings>({
  enabled: toggle,
  minGapMs: wholeNumber(0),
  minSessions: wholeNumber(0),
  scanGapMs: wholeNumber(0),
  maxRemovedPercent: { kind: "number", whole: true, least: 0, most: 100 },
  nearPercent: { kind: "number", whole: true, least: 50, most: 100 },
  maxTurns: wholeNumber(1),
  maxTokens: wholeNumber(1),
  maxMs: wholeNumber(1),
  dailyLogs: toggle,
});

function refuseTemplate(template: string): ValueRefusal | undefined {
  const parsed = parseTemplate(template);
  if (parsed.ok) return undefined;
  const { message, fix = "" } = parsed.error;
  return { problem: message.replace(/\.$/, ""), fix: fix.replace(/\.$/, "") };
}

const flagTypes = Object.fromEntries(Object.entries(flagTable).map(([name, { type }]) => [name, type]));

/** Everything a settings file may say. */
export const settingsSchema: Schema = fieldsOf<Settings>({
  compactEnabled: toggle,
  autoCompactEnabled: toggle,
  microcompactEnabled: toggle,
  sessionNotesEnabled: toggle,
  notesCompactionEnabled: toggle,
  foldingEnabled: toggle,
  autoCompactPercent: { kind: "number", whole: false, over: 0, most: 100 },
  autoCompactWindow: wholeNumber(1),
  blockingLimit: wholeNumber(1),
  window,
  toolResults,
  microcompact,
  compaction,
  sessionNotes,
  folding,
  dream,
  agents,
  budget,
  cacheTtl: oneOf("5m", "1h"),
  durability: oneOf("process", "fsync", "relaxed"),
  catalog: catalogSchema,
  flags: fieldsOf<FlagValues>(flagTypes as Record<keyof FlagValues, Schema>),
  maskOwnSecrets: toggle,
  permissions: permissionsSchema,
  additionalFolders: listOf(text),
  hooks: hooksSchema,
  environment: tableOf({ kind: "text", mayBeBlank: true }),
  mcp: mcpSchema,
});
