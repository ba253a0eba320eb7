import {
  createSessionNotesLayer,
  type SessionNotesOptions,
} from "../../packages/core/src/layers/3-session-notes/index.ts";
import type { ContentBlock, Event, NoteEntry, Session } from "../../packages/core/src/spec/index.ts";
import { createFileTools } from "../../packages/palimpsest/src/tools/files/index.ts";
import {
  callTool,
  type Emulator,
  type RecordedRequest,
  type Reply,
  type ScriptFunction,
  say,
} from "../../packages/testing/src/index.ts";
import { collect, endOf, entriesOf, modelAt, openAgent } from "./agent.ts";
import { emulate } from "./emulator.ts";
import { createVirtualStore } from "./virtual-store.ts";

type Options = Parameters<typeof openAgent>[0];
type NotesEnd = Extract<Event, { readonly type: "notes-end" }>;

export interface NotesAgent {
  readonly session: Session;
  readonly emulator: Emulator;
  readonly events: readonly Event[];
  /** Runs a prompt to its end; gives the answer. */
  ask(prompt: string): Promise<string>;
  /** The n-th update, counted from 1, has ended and what it brought is in the log. */
  updated(count: number): Promise<NotesEnd>;
}

interface SentMessage {
  readonly role: string;
  readonly content: readonly ContentBlock[];
}

export const sentMessages = (request: RecordedRequest | undefined) =>
  (request?.whole?.messages ?? []) as readonly SentMessage[];

/** Whether a request is an update's: nobody else is told to write notes. */
export function isUpdate(request: RecordedRequest): boolean {
  return JSON.stringify(sentMessages(request)).includes("bring the notes about this session up to date");
}

/** Puts a text under the title. */
export const editTitle = (title: string, former = ""): Reply =>
  callTool("Edit", {
    file_path: "session-notes/one.md",
    old_string: `> What this session is about, in 5 to 10 words.\n${former && `\n${former}\n`}`,
    new_string: `> What this session is about, in 5 to 10 words.\n\n${title}\n`,
  });

/** About so many tokens of words. */
export const words = (tokens: number) => "word ".repeat(Math.ceil((tokens * 4) / 5));

/** An agent with notes and file tools; `update` answers the requests of updates, everybody else hears “Fine.”. */
export async function openNotesAgent(
  update: ScriptFunction,
  options: Partial<Options> & { readonly notes?: SessionNotesOptions; readonly main?: ScriptFunction } = {},
): Promise<NotesAgent> {
  const { notes, main = () => say("Fine."), onEvent, ...rest } = options;
  const { emulator } = await emulate({
    script: (request, state) => (isUpdate(request) ? update(request, state) : main(request, state)),
  });
  const events: Event[] = [];
  const waiting: { readonly count: number; readonly done: () => void }[] = [];
  const isEnd = (event: Event) => event.type === "task-end" && event.layer === "session-notes";
  const session = await openAgent({
    store: createVirtualStore(),
    model: modelAt(emulator),
    tools: createFileTools(),
    layers: [createSessionNotesLayer(notes)],
    onEvent(event) {
      events.push(event);
      onEvent?.(event);
      for (const one of waiting) if (events.filter(isEnd).length >= one.count) one.done();
    },
    ...rest,
  });
  return {
    session,
    emulator,
    events,
    ask: async (prompt) => endOf(await collect(session.run(prompt))).text,
    async updated(count) {
      if (events.filter(isEnd).length < count)
        await new Promise<void>((done) => waiting.push({ count, done }));
      return events.filter((event): event is NotesEnd => event.type === "notes-end")[count - 1] as NotesEnd;
    },
  };
}

/** The notes in a session's log, in order. */
export async function notesIn(session: Session) {
  const entries = await entriesOf(session);
  return entries.flatMap((entry) =>
    entry.kind === "note" && entry.note.topic === "notes"
      ? [{ ...entry.note, id: (entry as NoteEntry).id }]
      : [],
  );
}
