import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { detectFormat, importTranscript } from "@palimpsest/core";
import { readHead } from "@palimpsest/core/internal";
import { type Entry, fail, ok, type Result } from "@palimpsest/core/spec";
import { normalize, type RecordedSession } from "../../../replay/index.ts";
import { escapeTerminal } from "../escape-terminal.ts";
import { findTranscript } from "../sessions/find-transcript.ts";
import { readWhole } from "../sessions/read-whole.ts";
import { openSessionPlaces } from "../sessions/session-locations.ts";
import type { CommandContext } from "../terminal.ts";

/** Reads a session of any known format as a recording, by a file's path or a session's id. */
export async function loadRecording(
  named: string,
  context: CommandContext,
): Promise<Result<RecordedSession>> {
  const { terminal } = context;
  const places = await openSessionPlaces(context);
  const target = await findTranscript(places, named);
  if (!target.ok) return target;
  const entries: Entry[] = [];
  const isForeign = target.value.kind === "file" && (await isForeignFile(target.value.path));
  const read =
    isForeign && target.value.kind === "file"
      ? await importTranscript(
          createReadStream(target.value.path),
          { file: target.value.path, signal: terminal.signal, keepsUnsignedThinking: true },
          (entry) => entries.push(entry),
        )
      : await readWhole(target.value, terminal, async (entry) => {
          entries.push(entry);
          return ok();
        });
  if (!read.ok) return read;
  const session = normalize(entries, escapeTerminal(basename(named)));
  return session.requests.length === 0
    ? fail("invalid-input", "No response of a model is in it.", { path: named })
    : ok(session);
}

async function isForeignFile(path: string): Promise<boolean> {
  const format = detectFormat(await readHead(createReadStream(path)));
  return format !== "palimpsest";
}
