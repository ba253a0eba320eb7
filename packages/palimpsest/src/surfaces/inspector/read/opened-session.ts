import type { Result } from "@palimpsest/core/spec";
import type { InspectedSession, ItemText } from "../inspected.ts";

/** A session that somebody looks at. Nothing of it is ever written, and no lease is taken. */
export interface OpenedSession {
  /** Takes in what was added since; cheap where nothing was. Calls one after the other, also when made at once. */
  refresh(): Promise<Result<void>>;
  /** From the beginning where the generation is another one. */
  since(from: InspectedSession["from"], generation?: number): InspectedSession;
  texts(items: readonly number[]): Promise<Result<readonly ItemText[]>>;
  /** The file it stands in, to be replayed; the id of a session that stands in none. */
  readonly path: string;
  readonly watched: Watched;
  /** Requests of a fork's parent that a replay has before its own. */
  readonly inheritedRequests: number;
  readonly requests: number;
  /** Changes with everything that was taken in. */
  readonly revision: string;
}

/** What is looked at to see whether a session has changed. */
export interface Watched {
  /** Where the system tells of changes; absent where nothing is a file. */
  readonly file?: string;
  /** While it stays the same, so has the session. Never rejects. */
  stamp(): Promise<string>;
}

export const fromBeginning: InspectedSession["from"] = { request: 0, item: 0, mark: 0 };
