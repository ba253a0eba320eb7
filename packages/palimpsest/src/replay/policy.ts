import type { Layer, RestorePort, Settings } from "@palimpsest/core/spec";
import type { Future } from "./grounding/find-needs.ts";
import type { RecordedSession } from "./recorded-session.ts";

/** The facts of a replay that a policy may use, beside what its layers are told. */
export interface PolicyContext {
  /** The lifetime that its sessions begin to mark. */
  readonly ttlMs: number;
  /** The same for the same session in every run. */
  readonly seed: number;
  /** Files as the recording has shown them so far, and its rules: what a compaction may bring back. */
  readonly restore: RestorePort;
  /** For ceilings only: a policy that looks at it knows what nobody can know. */
  readonly future: Future;
}

/** Layers under a name, made anew for every session. They run in this order, behind the recorded boundaries. */
export interface Policy {
  readonly name: string;
  /** It is the policy of that name: where both are asked for, one run stands under both names. */
  readonly sameAs?: string;
  /** Its layers look at prices: it is run once for each price row. */
  readonly isPriceSensitive?: boolean;
  /** The settings its sessions are opened with, as a program would set them. */
  readonly settings?: Settings;
  /** Its sessions have the window of the recorded model. Absent: no window is too small. */
  readonly hasWindow?: boolean;
  /** Its requests are charged as the recording says that they were, and not by the simulated cache. */
  readonly chargesRecordedUsage?: boolean;
  /** Its sessions are compacted where the recorded harness compacted. Absent: they are not, and grow as it decides. */
  readonly keepsBoundaries?: boolean;
  /**
   * Its requests mark the lifetime that a session would choose, by its settings and by what those before it have learned.
   * Absent: five minutes.
   */
  readonly choosesTtl?: boolean;
  readonly createLayers: (context: PolicyContext) => readonly Layer[];
}

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
