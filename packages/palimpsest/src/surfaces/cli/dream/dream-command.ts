import { createRuntime, type Dreamer, type DreamReport, defaultModel } from "@palimpsest/core/internal";
import { type EventBody, fail, PalimpsestError } from "@palimpsest/core/spec";
import type { ProjectDreams } from "../../../loop/dream/project-dreams.ts";
import { toBareName } from "../../../loop/resolve-model.ts";
import { exitWith, orThrow } from "../../local/or-throw.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatNumber } from "../../terminal/format-amount.ts";
import { cutText } from "../../terminal/text-width.ts";
import { checkModel } from "../run/run-choices.ts";
import { changeLines, openDreamTarget, reasonLines, type TargetOptions } from "./dream-target.ts";

export interface DreamOptions extends TargetOptions {
  readonly dryRun?: boolean;
  readonly scribe?: boolean;
  readonly model?: string;
}

/** Dreams now: neither the time nor the number of sessions counts. */
export async function runDream(context: CommandContext, options: DreamOptions): Promise<void> {
  const { terminal } = context;
  const model = options.model === undefined ? undefined : toBareName(options.model);
  const dreams = await openDreamTarget(context, options, model);
  const dreamer = await chooseDreamer(dreams, options, terminal);
  const report = orThrow(
    await dreams.once(dreamer, {
      isByHand: true,
      isDryRun: options.dryRun ?? false,
      signal: terminal.signal,
      emit: (event) => showProgress(event, terminal),
    }),
  );
  if (options.json) await terminal.write(toJson(toDocument(report)));
  else await show(report, terminal);
  if (report.outcome === "killed") exitWith("interrupted");
  if (report.outcome === "failed" || report.outcome === "skipped") exitWith("failed");
}

/** A model where one can be reached from here, unless the scribe is asked for. */
async function chooseDreamer(
  dreams: ProjectDreams,
  { scribe, model }: DreamOptions,
  terminal: Terminal,
): Promise<Dreamer> {
  if (scribe) return dreams.scribe;
  try {
    await checkModel(model ?? defaultModel, createRuntime().environment);
    return await dreams.modelDreamer();
  } catch (cause) {
    const isKeyless = PalimpsestError.isInstance(cause) && cause.code === "unauthenticated";
    if (!isKeyless || model !== undefined) throw cause;
    terminal.say(`note: ${escapeTerminal(cause.message)} The scribe dreams instead, by fixed rules.`);
    return dreams.scribe;
  }
}

function showProgress(event: EventBody, terminal: Terminal): void {
  if (event.type !== "dream-update") return;
  const calls = Object.entries(event.calls ?? {}).map(([tool, count]) =>
    count > 1 ? `${tool} ×${count}` : tool,
  );
  const said = event.text?.replaceAll(/\s+/g, " ") ?? "";
  const parts = [
    `turn ${event.turns}`,
    calls.join(", "),
    said,
    event.text === undefined ? (event.files.at(-1) ?? "") : "",
  ];
  const line = `… ${parts.filter(Boolean).join(" · ")}`;
  terminal.progress(terminal.style.dim(cutText(escapeTerminal(line), terminal.columns - 1)));
}

/** Every field, always, in this order; `null` where there is nothing to say. */
export function toDocument(report: DreamReport): Readonly<Record<string, unknown>> {
  const isDone = report.outcome === "completed" || report.outcome === "planned";
  const task = report.outcome === "skipped" ? null : report.task;
  return {
    outcome: report.outcome,
    id: task?.id ?? null,
    by: task?.by ?? null,
    state: isDone ? (report.record?.state ?? null) : null,
    message: (report.outcome === "skipped" ? (report.message ?? report.reason) : task?.message) ?? null,
    changes: isDone ? report.changeSet.changes : [],
    flags: isDone ? report.changeSet.flags : [],
    reasons: isDone ? report.reasons : [],
    turns: task?.turns ?? [],
  };
}

async function show(report: DreamReport, terminal: Terminal): Promise<void> {
  const { style } = terminal;
  switch (report.outcome) {
    case "skipped":
      throw skippedError(report);
    case "failed":
      throw report.error;
    case "killed":
      return terminal.say(escapeTerminal(report.error.message));
    case "planned":
    case "completed": {
      const { changeSet, record, reasons } = report;
      const lines = changeLines(changeSet, terminal);
      const isWaiting = record?.state === "review" || (report.outcome === "planned" && reasons.length > 0);
      const waiting = isWaiting ? [style.yellow("It waits for you:"), ...reasonLines(reasons, terminal)] : [];
      const foot = footOf(report);
      const all = [...lines, ...waiting, ...(lines.length > 0 ? [""] : []), ...foot.map(style.dim)];
      await terminal.write(`${all.map((line) => line.trimEnd()).join("\n")}\n`);
    }
  }
}

function footOf({
  outcome,
  changeSet,
  record,
  message,
}: Extract<DreamReport, { readonly changeSet: unknown }>): readonly string[] {
  const said = message === undefined ? [] : [escapeTerminal(message)];
  const count = formatNumber(changeSet.changes.length, "change");
  if (changeSet.changes.length === 0) return ["Memory is in order: nothing was to be changed.", ...said];
  if (outcome === "planned") return [`${count}; nothing was written`, ...said];
  return record?.state === "review"
    ? [`${count}, not applied; next: palimpsest dream apply|discard`, `  ${changeSet.id}`, ...said]
    : [`${count} applied; undo: palimpsest dream undo ${changeSet.id}`, ...said];
}

function skippedError({
  reason,
  message,
}: Extract<DreamReport, { readonly outcome: "skipped" }>): PalimpsestError {
  if (reason === "held")
    return fail("held", message ?? "Another one dreams.", { fix: "Wait until it has ended." }).error;
  return fail("denied", "Dreams are switched off for this project.", {
    fix: "Look at “palimpsest config”: the flag dream and the setting dream.enabled.",
  }).error;
}
