import type { Entry } from "../../../packages/core/src/spec/index.ts";
import { createModelFacts } from "../../../packages/palimpsest/src/surfaces/inspector/read/opened-session.ts";
import {
  createSessionReader,
  type ReadSession,
  type SessionReader,
} from "../../../packages/palimpsest/src/surfaces/inspector/read/session-reader.ts";

/** A reader that has taken all of a log. */
export function readAll(entries: readonly Entry[]): SessionReader {
  const reader = createSessionReader(createModelFacts());
  for (const [at, entry] of entries.entries()) {
    const needs = reader.take(entry);
    if (needs !== null) reader.rebuild(entries.slice(0, at + 1).filter(({ seq }) => seq > needs));
  }
  return reader;
}

/** The numbers of the items in the view of every request. */
export function viewsOf({ requests }: Pick<ReadSession, "requests">): readonly (readonly number[])[] {
  let view: readonly number[] = [];
  return requests.views.map(({ keep, add }) => {
    view = [...view.slice(0, keep), ...add];
    return view;
  });
}
