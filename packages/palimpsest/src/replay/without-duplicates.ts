import type { RecordedSession } from "./recorded-session.ts";

export interface DuplicateSession {
  readonly name: string;
  readonly sameAs: string;
}

/** Keeps the first of the sessions with one content, in the order given, and names the others. */
export function withoutDuplicates(sessions: readonly RecordedSession[]): {
  readonly sessions: readonly RecordedSession[];
  readonly duplicates: readonly DuplicateSession[];
} {
  const first = new Map<string, RecordedSession>();
  const duplicates: DuplicateSession[] = [];
  for (const session of sessions) {
    const twin = first.get(session.contentDigest);
    if (twin) duplicates.push({ name: session.name, sameAs: twin.name });
    else first.set(session.contentDigest, session);
  }
  return { sessions: [...first.values()], duplicates };
}
