import type { Entry } from "../spec/index.ts";

/**
 * The model that a session asks once it has an entry; `before` is the one until then. It is the session's identity,
 * whatever name its answers come back with. Imported transcripts say what answered, and not what was asked: there it is
 * `undefined`, and each response speaks for itself.
 */
export function askedModelAfter(entry: Entry, before: string | undefined): string | undefined {
  const asked = namedBy(entry);
  return typeof asked === "string" && asked !== "" ? asked : before;
}

/** As the line has it: a log may hold anything. */
function namedBy(entry: Entry): unknown {
  if (entry.kind === "session") return entry.session.imported ? undefined : entry.session.model;
  return entry.kind === "note" && entry.note.topic === "head" ? entry.note.model : undefined;
}
