import { omitLargeValues } from "../log/large-values.ts";
import { type Entry, ok, type Result } from "../spec/index.ts";
import type { SessionLog } from "./session-log.ts";
import { createSessionState, type SessionState, type StateOptions } from "./session-state.ts";

/** Builds a session's state while its log is read, which cannot wait for large values or read anything twice. */
export interface Opening {
  visit(entry: Entry): void;
  /** Reads again what has to be: the view where it holds large values, all of it where a user's words are among them. */
  finish(log: SessionLog): Promise<Result<SessionState>>;
}

export function createOpening(options: StateOptions): Opening {
  const state = createSessionState(options);
  let needs: number | null = null;
  let hasLargeValues = false;
  let hasLargeWords = false;
  return {
    visit(entry) {
      hasLargeValues ||= entry.blobs !== undefined;
      hasLargeWords ||= isLargeWord(entry);
      needs = state.add(omitLargeValues(entry));
    },
    async finish(log) {
      if (hasLargeWords) return readWhole(createSessionState(options), log);
      if (needs === null && !hasLargeValues) return ok(state);
      return rebuild(state, log, needs ?? state.segmentStart);
    },
  };
}

/** A user's own text that is stored as a blob: the ledgers need it whole. */
function isLargeWord(entry: Entry): boolean {
  if (entry.kind !== "message" || entry.message.type !== "user") return false;
  return (entry.blobs ?? []).some(({ path }) => path.length === 2 || path.at(-1) === "text");
}

async function readWhole(state: SessionState, log: SessionLog): Promise<Result<SessionState>> {
  let needs: number | null = null;
  for await (const entry of log.readAfter(0)) {
    if (!entry.ok) return entry;
    needs = state.add(entry.value);
  }
  return needs === null ? ok(state) : rebuild(state, log, needs);
}

async function rebuild(state: SessionState, log: SessionLog, after: number): Promise<Result<SessionState>> {
  const entries: Entry[] = [];
  for await (const entry of log.readAfter(after)) {
    if (!entry.ok) return entry;
    entries.push(entry.value);
  }
  state.rebuild(entries);
  return ok(state);
}
