import { editToolName } from "../../catalog/known-tools.ts";
import {
  type EntryDraft,
  type Facts,
  type ForkOptions,
  type ForkResult,
  fail,
  type LayerIo,
  type NotesAuthor,
  ok,
  type Result,
  type View,
} from "../../spec/index.ts";
import {
  describeExcess,
  mergeNotes,
  type NotesInput,
  notesExcess,
  notesNumbersOf,
  type WriteNotes,
} from "./rules/index.ts";

export const sessionNotesLayerId = "session-notes";

type Io = Pick<LayerIo, "session" | "emit" | "fork" | "notesCopies">;

/** Notes as written, before they are checked. */
interface WrittenNotes {
  readonly by: NotesAuthor;
  readonly text?: string;
  readonly dollars: number;
  readonly cacheShare?: number;
  /** Why there is no text. */
  readonly failure?: { readonly outcome: "failed" | "stopped"; readonly message: string };
}

/** Brings the notes up to date. A failure is an event and nothing more: the notes stay as they were. */
export async function applySessionNotes(
  command: NotesCommand,
  io: Io,
  signal: AbortSignal,
  write: WriteNotes | undefined,
): Promise<Result<readonly EntryDraft[]>> {
  const { input, tokensAt, basis, reason, covers, coversSeq } = command;
  io.emit({ type: "notes-start", by: command.by, tokens: tokensAt, reason });
  const writing =
    command.by === "model" ? await writeByModel(command, io, signal, write) : writeByScribe(input, write);
  const { by, dollars, cacheShare } = writing;
  const head = { type: "notes-end", by, tokens: tokensAt, dollars } as const;
  const told = { ...head, ...(cacheShare !== undefined && { cacheShare }) };
  if (writing.text === undefined) {
    io.emit({ ...told, ...(writing.failure ?? { outcome: "failed" as const }) });
    return ok([]);
  }
  const taken = takeText(writing.text, input);
  if (!taken.ok) {
    io.emit({ ...told, outcome: "rejected", message: taken.error.message });
    return ok([]);
  }
  const text = taken.value;
  const copy = await copyTo(io, text);
  io.emit({ ...told, outcome: text === input.former ? "unchanged" : "written", ...copy });
  return ok([{ kind: "note", note: { topic: "notes", text, covers, coversSeq, tokensAt, basis, by } }]);
}

/** Only what stands under the headings is taken, and only within the limits. */
function takeText(written: string, input: NotesInput): Result<string> {
  const merged = mergeNotes(input.template, input.former, written);
  if (!merged.ok) return merged;
  const excess = notesExcess(merged.value, input.template, input);
  if (excess.length === 0) return merged;
  return fail("too-large", `The update was not taken: ${describeExcess(excess)}.`);
}

async function writeByModel(
  command: NotesCommand,
  io: Io,
  signal: AbortSignal,
  write: WriteNotes | undefined,
): Promise<WrittenNotes> {
  const path = `session-notes/${io.session}.md`;
  const forked = await io.fork(notesDirective(command, path), forkOptions(command, path, signal));
  const error = forked.ok ? forked.value.end.error : forked.error;
  if (error?.code === "no-model" && write) return writeByScribe(command.input, write);
  if (!forked.ok) {
    const outcome = signal.aborted || error?.code === "aborted" ? "stopped" : "failed";
    return { by: "model", dollars: 0, failure: { outcome, message: forked.error.message } };
  }
  const { dollars, cache } = forked.value;
  const spent = { by: "model", dollars, cacheShare: cache.share } as const;
  return { ...spent, ...read(forked.value, command, path) };
}

function forkOptions({ canEdit, input }: NotesCommand, path: string, signal: AbortSignal): ForkOptions {
  if (!canEdit) return { kind: "notes", tools: [], turns: 2, signal };
  const { former: text, template } = input;
  const remark = (edited: string) => {
    const excess = notesExcess(edited, template, input);
    return excess.length === 0 ? undefined : `Too long: ${describeExcess(excess)}. Condense it.`;
  };
  return { kind: "notes", tools: [editToolName], files: { [path]: { text, remark } }, signal };
}

/** Reads the notes that a fork has written. One that has used up its requests may have done its work all the same. */
function read(
  { end, text, files }: ForkResult,
  { canEdit, input }: NotesCommand,
  path: string,
): Pick<WrittenNotes, "text" | "failure"> {
  const { reason, message = `it ended with “${reason}”` } = end;
  if (reason === "aborted") return { failure: { outcome: "stopped", message } };
  const written = canEdit ? files?.[path] : text;
  const isIdle = canEdit && reason === "max-turns" && written === input.former;
  if ((reason !== "done" && reason !== "max-turns") || written === undefined || isIdle)
    return { failure: { outcome: "failed", message } };
  return { text: written };
}

function writeByScribe(input: NotesInput, write: WriteNotes | undefined): WrittenNotes {
  const none = "nothing can write notes: no model and no scribe";
  if (!write) return { by: "scribe", dollars: 0, failure: { outcome: "failed", message: none } };
  return { by: "scribe", dollars: 0, text: write(input) };
}

/** A copy that cannot be written takes nothing away: the log has the notes. */
async function copyTo(io: Io, text: string): Promise<{ readonly path?: string }> {
  const copied = await io.notesCopies?.write(io.session, text);
  if (copied?.ok) return { path: copied.value };
  if (copied) {
    const message = `The copy of the notes was not written: ${copied.error.message}`;
    io.emit({ type: "layer-failed", layer: sessionNotesLayerId, message });
  }
  return {};
}

/** From this part of a limit on, the model is told to condense. */
const nearPart = 0.8;

/** The fork's instructions. It carries the notes, so that nothing has to be read. */
function notesDirective(command: NotesCommand, path: string): string {
  return [
    "The program that runs this conversation asks you for one thing, aside from the user's work: bring the notes about this session up to date. The user does not see this exchange, and the work above goes on without it. Do not go on with it here.",
    command.canEdit ? editInstructions(path) : howToAnswer,
    rules(command),
    `The notes as they are:\n\n${command.input.former}`,
  ].join("\n\n");
}

function editInstructions(path: string): string {
  return `The notes are the file ${path}. Its content stands below and counts as read. Change it with ${editToolName} alone, all changes in one answer, one call for each section that needs it; no other tool works here, and no other file. Then end with the word “done”. Where nothing has to change, say “done” at once.`;
}

const howToAnswer =
  "Answer with the notes and nothing else, without calling a tool: each section that changes, beginning with its heading line (“## …”) exactly as below, and under it everything that shall stand there from now on. Sections that you leave out stay as they are.";

function rules({ input }: NotesCommand): string {
  const { former, template, sectionTokens, fileTokens } = input;
  const full = notesExcess(former, template, input, nearPart);
  const condense =
    full.length === 0
      ? ""
      : ` It is nearly full: ${describeExcess(full)}. Condense what is there before you add to it: merge what belongs together, drop what no longer matters, keep what is open, what failed, and the user's own words.`;
  return `Write for somebody who knows nothing of this session and must go on with it: names, paths, commands, numbers and error texts exactly, no pleasantries. Always bring “${template.sections[1]?.heading ?? template.sections[0]?.heading}” up to date. Heading lines (“## …”) and the lines under them (“> …”) stay as they are; write under them. Leave a section empty where there is nothing to say. Say nothing of these notes or of this request. A section may have ${sectionTokens} tokens and the whole file ${fileTokens}; what is longer is thrown away.${condense}`;
}

/** One update of the notes, with all that it was decided on. */
export interface NotesCommand {
  /** Who writes; where no model is to be had after all, the scribe does. */
  readonly by: NotesAuthor;
  readonly input: NotesInput;
  /** The session has an Edit: the model edits a file instead of answering with the sections. */
  readonly canEdit: boolean;
  /** The last message that will be in them. */
  readonly covers: string;
  readonly coversSeq: number;
  readonly tokensAt: number;
  /** The sequence number it was decided on. */
  readonly basis: number;
  readonly reason: string;
}

/** A request that is about to need a compaction waits for an update of the notes, since they can stand in for the past. */
export function waitForNotes({ count }: View, facts: Facts): number {
  const { switches } = facts.settings;
  if (switches?.notesCompaction === false || count.tokens < facts.thresholds.auto) return 0;
  return notesNumbersOf(facts).waitMs;
}
