import { version } from "@palimpsest/core";
import type { Session } from "@palimpsest/core/spec";
import { toJsonLine } from "../harmless.ts";
import type { Terminal } from "../terminal.ts";

/** The first line of `--output stream-json`: which session it is, and what it has. */
export async function writeSessionLine(
  session: Session,
  { cwd, tools }: { readonly cwd: string; readonly tools: readonly string[] },
  terminal: Terminal,
): Promise<void> {
  const model = await modelOf(session);
  await terminal.write(toJsonLine({ type: "session", id: session.id, model, cwd, version, tools }));
}

/** The model that the next request goes to, by the log. */
async function modelOf(session: Session): Promise<string | null> {
  let model: string | undefined;
  for await (const entry of session.entries()) {
    if (entry.kind === "session") model = entry.session.model ?? model;
    if (entry.kind === "note" && entry.note.topic === "head") model = entry.note.model ?? model;
  }
  return model ?? null;
}
