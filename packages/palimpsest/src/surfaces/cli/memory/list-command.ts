import type { Memory, MemorySurvey } from "@palimpsest/core/spec";
import type { CommandContext } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatAge, formatNumber } from "../../terminal/format-amount.ts";
import { renderTable } from "../../terminal/table.ts";
import { wrapLines } from "../../terminal/wrap-text.ts";
import { openMemoryTarget, type TargetOptions } from "./memory-target.ts";

export interface ListOptions extends TargetOptions {
  readonly quarantine?: boolean;
  readonly json?: boolean;
}

export async function runList(context: CommandContext, options: ListOptions): Promise<void> {
  const { terminal } = context;
  const { memory, folder } = await openMemoryTarget(context, options);
  const survey = await memory.survey();
  const shown = options.quarantine ? survey.quarantined : survey.memories;
  if (options.json) return terminal.write(toJson(shown.map(memoryRow)));
  const lines = shown.length === 0 ? emptyLines(folder, options) : tableLines(shown, context);
  const footer = footerLines(shown, survey, options).map(terminal.style.dim);
  const text = [...lines, ...(footer.length > 0 ? ["", ...footer] : [])].join("\n");
  await terminal.write(`${wrapLines(text, terminal.columns)}\n`);
}

/** Every field but the text, always, in this order; `null` where the memory does not say. */
export function memoryRow(memory: Memory) {
  return {
    path: memory.path,
    name: memory.name,
    description: memory.description,
    type: memory.type,
    author: memory.author,
    session: memory.session ?? null,
    entries: memory.entries ?? [],
    trust: memory.trust,
    confirmed: memory.isConfirmed ?? false,
    version: memory.version,
    at: memory.at,
  };
}

function emptyLines(folder: string, { quarantine }: ListOptions): readonly string[] {
  if (quarantine) return ["Nothing waits in quarantine."];
  return [
    "Nothing is remembered of this project yet.",
    `  looked in:    ${escapeTerminal(folder)}`,
    "  to begin:     palimpsest memory edit NAME",
    "  to bring in:  palimpsest memory import FOLDER",
  ];
}

function footerLines(
  shown: readonly Memory[],
  { memories, quarantined, invalid }: MemorySurvey,
  { quarantine }: ListOptions,
): readonly string[] {
  const count = formatNumber(shown.length, "memory", "memories");
  return [
    ...(shown.length > 0
      ? [quarantine ? `${count} in quarantine: look with show, then confirm or reject` : count]
      : []),
    ...(shown.some(isDoubtful) ? ["! from untrusted content, not confirmed"] : []),
    ...(!quarantine && quarantined.length > 0
      ? [`${quarantined.length} in quarantine: palimpsest memory list --quarantine`]
      : []),
    ...(invalid.length > 0
      ? [`${formatNumber(invalid.length, "file")} that cannot be read as a memory: palimpsest memory doctor`]
      : []),
    ...(quarantine && shown.length === 0 && memories.length > 0
      ? [`${formatNumber(memories.length, "memory", "memories")} in force: palimpsest memory list`]
      : []),
  ];
}

function tableLines(shown: readonly Memory[], { terminal, now }: CommandContext): readonly string[] {
  const { style, columns: width } = terminal;
  const nowMs = now();
  return renderTable({
    columns: [
      { header: "FILE", max: 32 },
      { header: "TYPE" },
      { header: "BY" },
      { header: "AGE", align: "right" },
      { header: "WHEN IT MATTERS", isFlexible: true },
    ],
    rows: shown.map((one) => [
      { text: escapeTerminal(one.path), paint: style.cyan },
      { text: one.type },
      { text: one.author, ...(isDoubtful(one) ? { paint: style.yellow } : {}) },
      { text: formatAge(nowMs - Date.parse(one.at)) },
      { text: `${isDoubtful(one) ? "! " : ""}${escapeTerminal(one.description)}` },
    ]),
    width,
    paintHeader: style.dim,
  });
}

/** From untrusted content, and no person has confirmed it. */
function isDoubtful({ trust, isConfirmed }: Memory): boolean {
  return trust === "untrusted" && !isConfirmed;
}
