import fc from "fast-check";
import type { LoopPort, SessionHandle } from "../../packages/core/src/session/loop-port.ts";
import { openSession, type SessionOptions } from "../../packages/core/src/session/open-session.ts";
import {
  type Decision,
  type DecisionEntry,
  type ForkKind,
  type ForkResult,
  type Layer,
  ok,
  PalimpsestError,
  type Session,
  type View,
} from "../../packages/core/src/spec/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { compaction } from "../support/acting-layer.ts";
import {
  assistant,
  call,
  result,
  think,
  usageOf,
  user,
  withoutControl,
} from "../support/session-messages.ts";

/** A session whose forks are handed to the test, which does with them what a loop would. */
export interface Forkable {
  readonly session: Session;
  /** The session as the loop sees it. */
  handle(): Promise<SessionHandle>;
  fork(kind?: ForkKind): Promise<SessionHandle>;
}

export async function openForkable(options: SessionOptions): Promise<Forkable> {
  let seen: SessionHandle | undefined;
  const loop: LoopPort = {
    run: () => {
      throw new Error("nothing runs in this test");
    },
    queue: () => undefined,
    count: async () => ok(0),
    fork: async (handle) => {
      seen = handle;
      return ok({} as ForkResult);
    },
    surroundings: async () => ({}),
    close: async () => undefined,
  };
  const session = await openSession({ clock: createVirtualClock(), id: "one", layers: [], loop, ...options });
  const handle = async () => {
    await session.fork("Show yourself.", { kind: "notes" });
    return seen as SessionHandle;
  };
  return {
    session,
    handle,
    async fork(kind = "notes") {
      const forked = await (await handle()).fork(kind);
      if (!forked.ok) throw forked.error;
      return forked.value;
    },
  };
}

/** Everything that is derived from a session's log, as plain text. */
export function stateOf(handle: SessionHandle): string {
  const { items, count, ledgers, settledResults, sparedResults } = handle.view();
  return JSON.stringify([
    items,
    count,
    ledgers,
    [...settledResults],
    [...sparedResults],
    handle.statistics(),
  ]);
}

/** What a session would send now, what it counts and what it knows. */
export async function sentBy(session: Session): Promise<string> {
  const { request, report } = await session.prepare();
  const { messages: _messages, ...fields } = JSON.parse(
    JSON.stringify(request, (key, value) => (key === "cache_control" ? undefined : value)),
  );
  return JSON.stringify([fields, withoutControl(request), report.count, report.prefixDigest]);
}

export type ForkStep =
  | { readonly step: "user" | "prepare" | "compact" | "clear"; readonly pick: number }
  | { readonly step: "undo" | "rewind"; readonly pick: number }
  | { readonly step: "round"; readonly pick: number; readonly isOpen: boolean; readonly chars: number };

export const forkSteps = (maxLength: number) =>
  fc.array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          step: fc.constant("round" as const),
          pick: fc.nat({ max: 99 }),
          isOpen: fc.boolean(),
          chars: fc.constantFrom(5, 300, 70_000),
        }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          step: fc.constantFrom(
            "user" as const,
            "prepare" as const,
            "compact" as const,
            "clear" as const,
            "undo" as const,
            "rewind" as const,
          ),
          pick: fc.nat({ max: 99 }),
        }),
      },
    ),
    { maxLength, size: "max" },
  );

/** A layer that decides what the test tells it to, once, in whichever session asks next. */
export function createTold() {
  let next: ((view: View) => Decision | null) | null = null;
  const layer: Layer<Decision> = {
    id: "told",
    moments: ["before-request"],
    decide(view) {
      const command = next?.(view) ?? null;
      next = null;
      if (!command) return { verdict: "skip", reason: "nothing was told" };
      return { verdict: "act", command, run: "inline", reason: "told", frees: 0, basis: command.basis };
    },
    apply: async (command) => ({ ok: true, value: [{ kind: "decision", decision: command }] }),
  };
  return {
    layer: layer as Layer,
    tell: (make: (view: View) => Decision | null) => {
      next = make;
    },
  };
}

let made = 0;

/** Does one thing with a session. What the session refuses is left undone. */
export async function takeStep(session: Session, told: ReturnType<typeof createTold>, step: ForkStep) {
  made += 1;
  const id = `t${made}`;
  try {
    if (step.step === "user") await session.add(user(`Word ${made}.`));
    else if (step.step === "round") {
      await session.prepare();
      const answer = [think(`signed ${id}`), call(id, { file_path: `/f${step.pick % 3}` })];
      await session.add(assistant(answer, { id: `m${made}`, usage: usageOf(1_000 + made) }));
      if (!step.isOpen) await session.add(user([result(id, `${id} `.padEnd(step.chars, "x"))]));
    } else if (step.step === "prepare") await session.prepare();
    else if (step.step === "compact") {
      told.tell((view) => (view.items.length > 0 ? compaction(view) : null));
      await session.prepare();
    } else if (step.step === "clear") {
      told.tell((view) => clearing(view, step.pick));
      await session.prepare();
    } else await goBack(session, step.step, step.pick);
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause)) throw cause;
  }
}

function clearing(view: View, pick: number): Decision | null {
  const results = view.items.flatMap(({ block }) =>
    block.type === "tool_result" ? (block as { tool_use_id: string }).tool_use_id : [],
  );
  const toolUseId = results[pick % Math.max(1, results.length)];
  if (toolUseId === undefined) return null;
  return {
    type: "clear",
    layer: "told",
    reason: "told",
    frees: 1,
    basis: view.head,
    parts: [{ toolUseId, part: "result", label: `[cleared ${toolUseId}]` }],
  } as unknown as Decision;
}

async function goBack(session: Session, how: "undo" | "rewind", pick: number): Promise<void> {
  const entries: { readonly id: string; readonly kind: string }[] = [];
  for await (const entry of session.entries())
    if (how === "undo" ? isUndoable(entry as DecisionEntry) : entry.kind === "message") entries.push(entry);
  const target = entries[pick % Math.max(1, entries.length)];
  if (target) await session[how](target.id);
}

const isUndoable = ({ kind, decision }: DecisionEntry) =>
  kind === "decision" && ["compact", "clear", "rewind"].includes(decision.type);
