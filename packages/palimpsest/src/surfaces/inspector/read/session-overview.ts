import { askedModelAfter, notesHeadline } from "@palimpsest/core/internal";
import type { Entry } from "@palimpsest/core/spec";
import { promptText } from "../../local/sessions/entry-text.ts";
import type { InspectedEntry } from "../inspected.ts";
import { firstWords } from "./item-register.ts";

type SessionFields = Pick<InspectedEntry, "title" | "model" | "startedAt" | "changedAt">;

/** A session's facts about itself. */
interface SessionOverview {
  take(entry: Entry): void;
  about(): SessionFields;
}

/** The title it was given, else what its notes say, else the user's first words. */
export function createSessionOverview(): SessionOverview {
  let given: string | undefined;
  let noted: string | undefined;
  let firstPrompt: string | undefined;
  let asked: string | undefined;
  let answeredBy: string | undefined;
  let startedAt = "";
  let changedAt = "";

  return {
    take(entry) {
      startedAt ||= entry.at;
      changedAt = entry.at;
      asked = askedModelAfter(entry, asked);
      if (entry.kind === "session") answeredBy = entry.session.model ?? answeredBy;
      else if (entry.kind === "message") {
        firstPrompt ??= promptText(entry.message);
        const { type, model: answered, isSidechain } = entry.message;
        if (type === "assistant" && answered && answered !== "<synthetic>" && !isSidechain)
          answeredBy = answered;
      } else if (entry.kind === "note" && entry.note.topic === "title") given = entry.note.title;
      else if (entry.kind === "note" && entry.note.topic === "notes" && typeof entry.note.text === "string")
        noted = notesHeadline(entry.note.text).title ?? noted;
    },
    about: () => ({
      title: firstWords(noted ?? given ?? firstPrompt ?? ""),
      model: asked ?? answeredBy ?? "unknown",
      startedAt,
      changedAt,
    }),
  };
}

/** Runs what is asked for one after the other; a call that comes while one waits shares its answer. */
export function inTurn<Answer>(work: () => Promise<Answer>): () => Promise<Answer> {
  let running: Promise<unknown> | null = null;
  let next: Promise<Answer> | null = null;

  async function run(before: Promise<unknown> | null): Promise<Answer> {
    await before?.catch(() => undefined);
    next = null;
    const now = work();
    running = now;
    try {
      return await now;
    } finally {
      if (running === now) running = null;
    }
  }

  return () => {
    next ??= run(running);
    return next;
  };
}
