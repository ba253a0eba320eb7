import { toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { type EntryLine, toEntryLine } from "./entry-text.ts";
import { findTranscript } from "./find-transcript.ts";
import { readTranscript } from "./read-transcript.ts";
import { openSessionPlaces } from "./session-places.ts";
import { createSummaryWriter, type EntrySummary } from "./session-summary.ts";
import { entryLines, overviewLines } from "./show-lines.ts";
import type { ShownTranscript } from "./shown-transcript.ts";
import { transcriptChunks, transcriptName } from "./transcript-chunks.ts";
import { summarise } from "./transcript-summary.ts";

export interface ShowOptions {
  readonly entries?: boolean;
  readonly project?: string;
  readonly json?: boolean;
}

export async function runShow(context: CommandContext, named: string, options: ShowOptions): Promise<void> {
  const { terminal } = context;
  const places = await openSessionPlaces(context);
  const target = orThrow(await findTranscript(places, named, options.project));
  const writer = createSummaryWriter();
  const list: EntryLine[] = [];
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of transcriptChunks(target, terminal)) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  const name = transcriptName(target);
  const isOwnPlace = target.kind === "session";
  const report = await readTranscript(counted(), { name, isOwnPlace, signal: terminal.signal }, (entry) => {
    writer.visit(entry);
    if (options.entries) list.push(toEntryLine(entry));
  });
  const found = writer.summary();
  const shown: ShownTranscript = {
    file: target.kind === "input" ? "-" : transcriptName(target),
    bytes,
    session: isOwnPlace ? target.session : found.session,
    isOwnPlace,
    found,
    summary: summarise(orThrow(report), found),
  };
  if (options.json) return terminal.write(toJson({ ...toRecord(shown), ...(options.entries && { list }) }));
  const lines = [
    ...overviewLines(shown, context),
    ...(options.entries ? ["", ...entryLines(list, terminal)] : []),
  ];
  await terminal.write(`${lines.join("\n")}\n`);
}

/** The counts first, then what the transcript is; always every field, in this order. */
function toRecord({ summary, found, file, bytes, session }: ShownTranscript) {
  return {
    ...summary,
    file,
    bytes,
    session: session ?? null,
    project: found.project ?? null,
    title: found.title ?? null,
    state: found.state ?? null,
    firstPrompt: found.firstPrompt ?? null,
    model: found.model ?? null,
    cwd: found.cwd ?? null,
    parent: parentOf(found),
    startedAt: found.startedAt ?? null,
    endedAt: found.endedAt ?? null,
  };
}

function parentOf({ parent }: EntrySummary) {
  return parent === undefined ? null : { session: parent.session, seq: parent.seq };
}
