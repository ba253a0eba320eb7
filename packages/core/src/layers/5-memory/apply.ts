import { composeMemory } from "../../memory/compose-memory.ts";
import { parseMemory } from "../../memory/parse-memory.ts";
import {
  type EntryDraft,
  type LayerIo,
  type NotesAuthor,
  ok,
  type PalimpsestError,
  type Result,
} from "../../spec/index.ts";
import type { ExtractionCommand } from "./decide.ts";
import {
  type ExtractCommand,
  extractByModel,
  extractByScribe,
  type Found,
  type MemoryFile,
  readMemories,
} from "./extract-by-model.ts";
import type { MemoryCodec, MemoryPorts } from "./ports.ts";
import { extractionPromptVersion } from "./rules/index.ts";
import { type WriteReport, writeMemories } from "./write-memories.ts";

type Io = Pick<LayerIo, "session" | "emit" | "fork" | "tree" | "clock">;

/** Memories found, and who found them. */
interface ExtractionResult extends Found {
  readonly by: NotesAuthor;
  readonly dollars: number;
  readonly cacheShare?: number;
}

/** Extracts memories and writes them. A failure is an event and nothing more: it is tried again later. */
export async function applyExtraction(
  command: ExtractionCommand,
  io: Io,
  signal: AbortSignal,
  ports: MemoryPorts,
): Promise<Result<readonly EntryDraft[]>> {
  if (command.kind === "pass") {
    const skipped = [{ what: "everything", why: command.reason }];
    return ok([noteOf(command.coversSeq, { written: [], skipped })]);
  }
  const files = await readMemories(io.tree, ports.codec);
  if (!files.ok) return recordFailure(io, command.by, files.error);
  const found = await extract(command, files.value, io, signal, ports);
  if (signal.aborted) return ok([]);
  if (!found.ok) return found.error.code === "aborted" ? ok([]) : recordFailure(io, command.by, found.error);
  const { by, writes, skipped: known, dollars, cacheShare, because = [] } = found.value;
  const evidence = { messages: command.messages, because };
  const { written, skipped } = await writeMemories(io.tree, writes, evidence, ports);
  for (const { what: path, why: message } of skipped) io.emit({ type: "memory-failed", by, message, path });
  const all = { written, skipped: [...known, ...skipped] };
  io.emit({
    type: "memory-extracted",
    by,
    written,
    skipped: all.skipped.length,
    dollars,
    ...(cacheShare !== undefined && { cacheShare }),
    ...(by === "model" && { promptVersion: extractionPromptVersion }),
  });
  return ok([noteOf(command.coversSeq, all)]);
}

/** There is no model, or none that answers to who asks. */
const unaskable: ReadonlySet<string> = new Set(["no-model", "unauthenticated"]);

async function extract(
  command: ExtractCommand,
  files: ReadonlyMap<string, MemoryFile>,
  io: Io,
  signal: AbortSignal,
  ports: MemoryPorts,
): Promise<Result<ExtractionResult>> {
  const scribe = (): Result<ExtractionResult> => {
    const found = extractByScribe(command.messages, files, { session: io.session, nowMs: io.clock.now() });
    return ok({ by: "scribe", dollars: 0, ...found });
  };
  if (command.by === "scribe") return scribe();
  const found = await extractByModel(command, files, io, ports, signal);
  if (found.ok) return ok({ by: "model", ...found.value });
  return unaskable.has(found.error.code) && ports.hasScribe !== false ? scribe() : found;
}

function recordFailure(io: Io, by: NotesAuthor, { message }: PalimpsestError): Result<readonly EntryDraft[]> {
  io.emit({ type: "memory-failed", by, message });
  return ok([]);
}

function noteOf(coversSeq: number, { written, skipped }: WriteReport): EntryDraft {
  return { kind: "note", note: { topic: "extraction", coversSeq, written, skipped } };
}

/** Memories as their files have them: front matter and body. */
export const memoryCodec: MemoryCodec = {
  read(path, text) {
    const parsed = parseMemory(text, { path, version: 0, at: "", author: "agent" });
    if (!parsed.ok) return undefined;
    const { version: _version, at: _at, path: _path, ...content } = parsed.value;
    return content;
  },
  write({ name, description, type, body, ...provenance }) {
    const composed = composeMemory("memory.md", `\n${body}`, provenance, { name, description, type });
    if (!composed.ok) throw composed.error;
    return composed.value;
  },
};
