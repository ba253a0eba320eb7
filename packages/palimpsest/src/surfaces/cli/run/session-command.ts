import type { CompactionReport, Session, SnipReport } from "@palimpsest/core/spec";
import { formatCount, formatNumber } from "../format-amount.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/** What a prompt that begins with a slash asks of the session itself. */
export type SessionCommand =
  | { readonly name: "compact"; readonly instructions: string }
  | { readonly name: "snip"; readonly ids: readonly string[] };

/** `null` for a prompt that is meant for the model, such as one that begins with a path. */
export function readSessionCommand(prompt: string): SessionCommand | null {
  const [, name, rest = ""] = /^\/(compact|snip)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? [];
  if (name === "compact") return { name, instructions: rest.trim() };
  if (name === "snip") return { name, ids: rest.split(/\s+/).filter((id) => id !== "") };
  return null;
}

export function withoutSession({ name }: SessionCommand): UsageError {
  return new UsageError(`/${name} needs a session; use: palimpsest run --resume ID -p "/${name}"`);
}

/** Does it, and says what came of it: as JSON where that was asked for. No model hears of it as a prompt. */
export async function runSessionCommand(
  session: Session,
  command: SessionCommand,
  { terminal, isJson }: { readonly terminal: Terminal; readonly isJson: boolean },
): Promise<void> {
  if (command.name === "compact") {
    const { instructions } = command;
    const report = await session.compact(instructions === "" ? {} : { instructions });
    await terminal.write(isJson ? toLine({ session: session.id, ...report }) : `${compactedLine(report)}\n`);
    return;
  }
  const report = await session.snip(command.ids.length === 0 ? undefined : command.ids);
  await terminal.write(isJson ? toLine({ session: session.id, ...report }) : snippedLines(report));
}

const toLine = (value: unknown) => `${JSON.stringify(value)}\n`;

function compactedLine({ strategy, tokensBefore, tokensAfter, decision }: CompactionReport): string {
  const sizes = `${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens`;
  return `Compacted: ${sizes}, by ${writers[strategy] ?? strategy}. It can be undone: ${decision}.`;
}

const writers: Readonly<Record<string, string>> = {
  prefix: "the model",
  plain: "a model, from a transcript",
  chunked: "a model, part by part",
  prepared: "the model, ahead of time",
  notes: "the session's notes",
  native: "the API itself",
  scribe: "the scribe, without a model",
};

function snippedLines({ rounds, freedTokens, refused, decision }: SnipReport): string {
  const done =
    rounds === 0
      ? "Nothing was removed: every round is new or referred to by a later one."
      : `Removed ${formatNumber(rounds, "round")}, about ${formatNumber(freedTokens, "token")}. It can be undone: ${decision}.`;
  return [done, ...refused.map(({ id, reason }) => `  kept ${id}: ${reason}`), ""].join("\n");
}
