import { openSession } from "@palimpsest/core";
import { createRuntime, usageOfEntries } from "@palimpsest/core/internal";
import type { ContextUsage, Entry } from "@palimpsest/core/spec";
import { orThrow } from "../../local/or-throw.ts";
import { findTranscript } from "../../local/sessions/find-transcript.ts";
import { readTranscript } from "../../local/sessions/read-transcript.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import { transcriptChunks, transcriptName } from "../../local/sessions/transcript-chunks.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { cacheLines } from "../../terminal/cache-lines.ts";
import { contextPicture } from "../../terminal/context-picture.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatCount } from "../../terminal/format-amount.ts";
import { sourceWords } from "../../terminal/token-words.ts";
import { wrapBehind } from "../../terminal/wrap-text.ts";
import { assignedSettings } from "../config/assigned-settings.ts";

export interface ContextOptions {
  readonly project?: string;
  readonly set?: readonly string[];
  readonly json?: boolean;
}

/** Shows what fills the context at the end of a session or transcript. Reads only. */
export async function runContext(
  context: CommandContext,
  named: string,
  options: ContextOptions,
): Promise<void> {
  const { terminal } = context;
  const settings = assignedSettings(options);
  const locations = await openSessionLocations(context);
  const target = orThrow(await findTranscript(locations, named, options.project));
  const name = transcriptName(target);
  let usage: ContextUsage;
  let unseen: readonly string[] = [];
  if (target.kind === "session") {
    const session = await openSession({
      store: target.store,
      id: target.session,
      readOnly: true,
      ...(settings && { settings }),
    });
    usage = session.usage();
    await session.close();
  } else {
    const entries: Entry[] = [];
    const source = { name, isOwnPlace: false, signal: terminal.signal };
    orThrow(
      await readTranscript(transcriptChunks(target, terminal), source, (entry) => void entries.push(entry)),
    );
    usage = usageOfEntries(entries, createRuntime().environment, settings);
    unseen = unrecordedLines(usage);
  }
  if (options.json) return terminal.write(toJson(usage));
  const lines = [
    ...headLines(name, usage, terminal),
    ...picture(usage, terminal),
    ...(usage.cache ? ["", ...cacheLines(usage.cache, terminal.columns)] : []),
    ...unseen,
    ...assumptionLines(usage, terminal),
  ];
  await terminal.write(`${lines.join("\n")}\n`);
}

/** A transcript does not hold what stood before its messages: only the provider's counts tell of it. */
function unrecordedLines({ count, accounting }: ContextUsage): readonly string[] {
  const { tokens } = accounting.categories.systemPrompt;
  if (count.source !== "usage" || tokens === 0) return [];
  return ["", `System prompt: ${formatCount(tokens)} tokens as the provider counted them, with the tools.`];
}

/** The numbers above rest on these. */
function assumptionLines({ assumptions }: ContextUsage, { columns, style }: Terminal): readonly string[] {
  const lines = assumptions.flatMap(({ message, fix }) =>
    wrapBehind("assumed: ", escapeTerminal(`${message} ${fix}`), columns),
  );
  return lines.length === 0 ? [] : ["", ...lines.map((line) => line.replace(/^assumed:/, style.yellow))];
}

function headLines(
  name: string,
  { count, thresholds, percentLeft, level }: ContextUsage,
  { style }: Terminal,
) {
  const paint = level === "fine" ? style.green : level === "warning" ? style.yellow : style.red;
  const share = `${formatCount(count.tokens)} of ${formatCount(thresholds.window)} tokens`;
  return [
    style.bold(escapeTerminal(name)),
    `  ${paint(share)}, ${sourceWords[count.source]}`,
    `  ${percentLeft} % left before compaction at ${formatCount(thresholds.auto)}`,
    "",
  ];
}

function picture({ accounting }: ContextUsage, { columns, style }: Terminal): readonly string[] {
  const isColoured = style.red("x") !== "x";
  return contextPicture(accounting, { columns, style: isColoured ? "colour" : "plain" });
}
