import {
  type RestrictedParts,
  type RestrictedSetting,
  restrictedValue,
  type UnconfirmedFile,
} from "@palimpsest/core/internal";
import type { RestrictedAgent } from "../../../tools/agent/index.ts";
import { toHarmless, toJson } from "../harmless.ts";
import type { Terminal } from "../terminal.ts";
import { breakText } from "./wrap-text.ts";

const numbers = "when, and with which numbers, context is cut down";

const effects: Readonly<Record<RestrictedSetting, string>> = {
  hooks: "commands that run while a session does",
  environment: "variables that programs are started with",
  mcp: "servers that are started or asked",
  "permissions.allow": "what the agent may do without asking",
  additionalFolders: "folders that the agent may change besides this one",
  agents: "what agents may spend",
  budget: "what all sessions may spend in a day",
  catalog: "what models are said to cost and to hold",
  dream: "what putting memory in order may spend and remove",
  durability: "what is kept when a machine fails",
  cacheTtl: "what the prompt cache costs",
  maskOwnSecrets: "whether keys of the program itself are shown",
  flags: "parts of the engine that are on or off",
  compactEnabled: "whether a full session is cut down",
  autoCompactEnabled: "whether a full session is cut down by itself",
  microcompactEnabled: "whether old results are cleared",
  sessionMemoryEnabled: "whether session notes are kept",
  notesCompactionEnabled: "whether notes stand in for the past",
  contextCollapseEnabled: "whether finished work is folded",
  autoCompactPercent: numbers,
  autoCompactWindow: numbers,
  blockingLimit: numbers,
  window: numbers,
  toolResults: numbers,
  microcompact: numbers,
  compaction: `${numbers}; the model that is asked, and its prompt`,
  sessionNotes: `${numbers}; what notes are made of`,
  folding: numbers,
};

const indent = "    ";

const agentEffects: Readonly<Record<RestrictedAgent["fields"][number], string>> = {
  model: "the model that the agent asks, and so who is sent its work and paid for it",
  "memory: user": "the agent's memory is yours, in all projects",
  name: "takes the place of your agent of that name",
};

/** Everything that would be trusted, to the last character: nothing is cut, and nothing moves the cursor. */
export function trustLines(
  files: readonly RestrictedParts[],
  { columns, style }: Pick<Terminal, "columns" | "style">,
): readonly string[] {
  return files.flatMap(({ content, parts, settings }) => [
    style.bold(toHarmless(content.path)),
    ...parts.flatMap((part) => [
      `  ${style.yellow(part)}: ${effects[part]}`,
      ...toJson(restrictedValue(settings, part))
        .trimEnd()
        .split("\n")
        .flatMap((line) => breakText(line, columns - indent.length).map((piece) => indent + piece)),
    ]),
    "",
  ]);
}

/** Agents as they are now, every word of them. */
export function agentLines(
  agents: readonly RestrictedAgent[],
  { columns, style }: Pick<Terminal, "columns" | "style">,
): readonly string[] {
  return agents.flatMap(({ path, fields, bytes }) => [
    style.bold(toHarmless(path)),
    ...fields.map((field) => `  ${style.yellow(field)}: ${agentEffects[field]}`),
    ...textLines(new TextDecoder().decode(bytes), columns),
    "",
  ]);
}

/** Rules files as they are now, every word of them. */
export function rulesLines(
  files: readonly UnconfirmedFile[],
  { columns, style }: Pick<Terminal, "columns" | "style">,
): readonly string[] {
  return files.flatMap(({ path, text }) => [
    style.bold(toHarmless(path)),
    `  ${style.yellow("rules")}: written while the agent had untrusted text before it`,
    ...textLines(text, columns),
    "",
  ]);
}

function textLines(text: string, columns: number): readonly string[] {
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => breakText(toHarmless(line), columns - indent.length).map((piece) => indent + piece));
}
