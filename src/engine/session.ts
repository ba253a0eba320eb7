import type { Calibration } from "../context/tokens/index.ts";
import {
  type Clock,
  type Entry,
  type EntryDraft,
  type EventBody,
  fail,
  type Ids,
  isBlock,
  type Layer,
  type Message,
  type Moment,
  ok,
  type Result,
  type Session,
  type Store,
} from "../spec/index.ts";
import { createPreparation } from "./preparation.ts";
import { recall } from "./recall.ts";
import type { RequestHead } from "./request-head.ts";
import type { SessionConfig } from "./session-config.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionState } from "./session-state.ts";
import { toMessage } from "./to-message.ts";
import { findEntry, undoTarget } from "./undo.ts";

export interface SessionParts {
  readonly id: string;
  readonly head: RequestHead;
  readonly state: SessionState;
  readonly log: SessionLog;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly layers: readonly Layer[];
  readonly config: SessionConfig;
  readonly calibration: Calibration;
  readonly emit: (event: EventBody) => void;
}

const engineHead = { layer: "engine", frees: 0 } as const;

/** A session over its log and state. One call runs at a time, in the order they were made. */
export function createSession(parts: SessionParts): Session {
  const { id, state, log, store, emit } = parts;
  const preparation = createPreparation(parts, append);
  let turn: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function inTurn<T>(work: () => Promise<Result<T>>): Promise<T> {
    const mine = turn.then(async () => {
      const done = isClosed
        ? fail("closed", `Session ${id} is closed.`, { path: id, fix: "Open it again." })
        : await work();
      if (!done.ok) throw done.error;
      return done.value;
    });
    turn = mine.catch(() => undefined);
    return mine;
  }

  /** The engine alone appends: the log first, then everything derived from it. */
  async function append(drafts: readonly EntryDraft[]): Promise<Result<readonly Entry[]>> {
    const appended = await log.append(drafts);
    if (!appended.ok) return appended;
    let needs: number | null = null;
    for (const entry of appended.value) needs = state.add(entry);
    if (needs === null) return appended;
    const entries: Entry[] = [];
    for await (const entry of log.readAfter(needs)) {
      if (!entry.ok) return entry;
      entries.push(entry.value);
    }
    state.rebuild(entries);
    return appended;
  }

  async function add(message: Parameters<Session["add"]>[0]): Promise<Result<Entry>> {
    const checked = toMessage(message);
    if (!checked.ok) return checked;
    const at = message.at === undefined ? undefined : new Date(message.at);
    if (at && Number.isNaN(at.getTime())) {
      return fail("invalid-input", `at: “${message.at}” is not a time.`, {
        path: "at",
        fix: "Give milliseconds or an ISO time.",
      });
    }
    const prefixDigest = checked.value.type === "assistant" ? { prefixDigest: preparation.sentDigest() } : {};
    const appended = await append([
      {
        kind: "message",
        message: { ...checked.value, ...prefixDigest },
        ...(at && { at: at.toISOString() }),
      },
    ]);
    if (!appended.ok) return appended;
    const moment = momentOf(checked.value);
    const reached = moment ? await preparation.reach(moment) : ok();
    return reached.ok ? ok(appended.value[0] as Entry) : reached;
  }

  async function undo(decisionId: string | undefined) {
    const target = await undoTarget(state, log, decisionId);
    if (!target.ok) return target;
    const tokensBefore = preparation.count().tokens;
    const { id: decision, seq } = target.value;
    const restored = await append([
      {
        kind: "decision",
        decision: {
          ...engineHead,
          type: "restore",
          reason: "undone on request",
          basis: state.head,
          decision,
          decisionSeq: seq,
        },
      },
    ]);
    if (!restored.ok) return restored;
    return ok({ decision, tokensBefore, tokensAfter: preparation.count().tokens });
  }

  async function rewind(to: string): Promise<Result<void>> {
    const target = await findEntry(log, to);
    if (!target.ok) return target;
    const { seq: toSeq } = target.value;
    const moved = await append([
      {
        kind: "decision",
        decision: {
          ...engineHead,
          type: "rewind",
          reason: "rewound on request",
          basis: state.head,
          to,
          toSeq,
        },
      },
    ]);
    return moved.ok ? ok() : moved;
  }

  return {
    id,
    isReadOnly: log.isReadOnly,
    add: (message) => inTurn(() => add(message)),
    prepare: () => inTurn(preparation.prepare),
    plan: preparation.plan,
    usage: preparation.usage,
    undo: (decisionId) => inTurn(() => undo(decisionId)),
    rewind: (to) => inTurn(() => rewind(to)),
    recall: (what, options) => inTurn(() => recall(log, store.blobs, id, what, options)),
    async *entries() {
      for await (const entry of log.readAfter(0)) {
        if (!entry.ok) throw entry.error;
        yield entry.value;
      }
    },
    async close() {
      if (isClosed) return;
      await inTurn(async () => {
        const closed = await log.close();
        isClosed = true;
        emit({ type: "session-close" });
        return closed;
      });
    },
  };
}

/** What an added message means to the layers. */
function momentOf({ type, content, usage, stopReason = null }: Message): Moment | null {
  if (type === "assistant") {
    return usage ? { kind: "after-response", usage, appliedEdits: [], stopReason } : null;
  }
  if (typeof content === "string") return { kind: "turn-start", prompt: content };
  const results = content.flatMap((block) => (isBlock(block, "tool_result") ? block.tool_use_id : []));
  if (results.length > 0) return { kind: "tool-round", results };
  const prompt = content.flatMap((block) => (isBlock(block, "text") ? block.text : [])).join("\n");
  return { kind: "turn-start", prompt };
}
