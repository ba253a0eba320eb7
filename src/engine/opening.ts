import { omitLargeValues } from "../log/large-values.ts";
import { type BlobPlace, type Entry, isBlock, ok, type Result, type SessionHeader } from "../spec/index.ts";
import type { SessionLog } from "./session-log.ts";
import { createSessionState, type SessionState, type StateOptions } from "./session-state.ts";

/** Builds a session's state while its log is read, which cannot wait for large values or read anything twice. */
export interface Opening {
  visit(entry: Entry): void;
  /** What the log says every request begins with, a fork's own word last; absent where its first line is damaged. */
  readonly header: SessionHeader | undefined;
  /** Reads again what has to be: the large values in the view, and those that ledgers speak of. */
  finish(log: SessionLog): Promise<Result<SessionState>>;
}

export function createOpening(given: StateOptions): Opening {
  let header: SessionHeader | undefined;
  const options: StateOptions = {
    pricesOf: (model) => given.pricesOf(model ?? header?.model),
    observe: (model, features, tokens) => given.observe?.(model ?? header?.model, features, tokens),
    ...(given.places && { places: given.places }),
  };
  /** What is read a second time is not learned from again. */
  let isSecondReading = false;
  const observe: StateOptions["observe"] = (model, features, tokens) => {
    if (!isSecondReading) options.observe?.(model, features, tokens);
  };
  let state = createSessionState({ ...options, observe });
  let needs: number | null = null;
  let needsLedgers = false;

  async function readForLedgers(log: SessionLog): Promise<Result<void>> {
    isSecondReading = true;
    state = createSessionState({ ...options, observe });
    for await (const entry of log.readAfter(0, isForLedgers)) {
      if (!entry.ok) return entry;
      needs = state.add(omitLargeValues(entry.value));
    }
    isSecondReading = false;
    return ok();
  }

  return {
    get header() {
      return header;
    },
    visit(entry) {
      if (entry.kind === "session") header = { ...header, ...entry.session };
      else if (header && entry.kind === "note" && entry.note.topic === "head") {
        const { topic: _topic, ...head } = entry.note;
        header = { ...header, ...head };
      }
      needsLedgers ||= isForLedgers(entry);
      needs = state.add(omitLargeValues(entry));
    },
    async finish(log) {
      if (needsLedgers) {
        const read = await readForLedgers(log);
        if (!read.ok) return read;
      }
      if (needs === null && state.isWhole) return ok(state);
      return rebuild(state, log, needs ?? state.segmentStart);
    },
  };
}

/** Whether ledgers need large values of an entry: a user's words, inputs of calls, texts of errors, a plan. */
function isForLedgers(entry: Entry): boolean {
  if (entry.kind !== "message" || !entry.blobs) return false;
  const { type, content } = entry.message;
  if (type === "attachment") return true;
  return entry.blobs.some(({ path }) => {
    if (path.length === 2) return type === "user" || type === "assistant";
    const block = typeof content === "string" ? undefined : content[indexOf(path)];
    if (!block) return false;
    return isBlock(block, "tool_result") ? block.is_error === true : block.type !== "image";
  });
}

function indexOf(path: BlobPlace["path"]): number {
  return Number(path[2]);
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
