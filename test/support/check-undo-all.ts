import fc from "fast-check";
import { expect } from "vitest";
import {
  type Decision,
  type DecisionEntry,
  type Entry,
  isBlock,
  type Layer,
  type MessageInput,
  PalimpsestError,
  type Session,
  type ViewItem,
} from "../../packages/core/src/spec/index.ts";
import { project } from "../../packages/core/src/view/projection/project.ts";
import { toRounds } from "../../packages/core/src/view/request/request-ids.ts";
import { decisionHead } from "./acting-layer.ts";
import { assistant, call, result, user, withoutControl } from "./session-messages.ts";
import { beginSession, entriesOf, resumeSession } from "./virtual-session.ts";
import { createVirtualStore } from "./virtual-store.ts";

/** One thing that happens to a session; `pick` numbers choose among what is in view. */
export type UndoStep =
  | { readonly step: "round"; readonly calls: number; readonly text: string }
  | { readonly step: "clear" | "snip" | "fold" | "undo"; readonly pick: number; readonly length: number }
  | { readonly step: "compact"; readonly kept: number; readonly anchor: "summary" | "boundary" }
  | { readonly step: "resume" };

const pick = fc.nat({ max: 1000 });

export const undoStep: fc.Arbitrary<UndoStep> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      step: fc.constant("round" as const),
      calls: fc.nat({ max: 3 }),
      text: fc.constantFrom("alpha", "beta", "ε😀"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      step: fc.constantFrom("clear" as const, "snip" as const, "fold" as const, "undo" as const),
      pick,
      length: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant("compact" as const),
      kept: fc.nat({ max: 3 }),
      anchor: fc.constantFrom("summary" as const, "boundary" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("resume" as const) }) },
);

/** What came of a history, to tell that the property was not met by doing nothing. */
export interface UndoneHistory {
  readonly decisions: number;
  readonly refusals: number;
}

/**
 * Takes the steps in a session, then undoes every decision, newest first: each undo changes what the model sees to
 * what it would be without that decision, and the last one gives the request of a session that never decided anything.
 */
export async function checkUndoAll(steps: readonly UndoStep[]): Promise<UndoneHistory> {
  const store = createVirtualStore();
  let next: Decision | null = null;
  const layer: Layer<Decision> = {
    id: "acting",
    moments: ["idle"],
    decide: ({ head }) =>
      next
        ? { verdict: "act", command: next, run: "inline", reason: "due", frees: 0, basis: head }
        : { verdict: "skip", reason: "not due" },
    apply: async (decision) => ({ ok: true, value: [{ kind: "decision", decision }] }),
  };
  const options = { store, layers: [layer as Layer] };
  let session = await beginSession(options);
  const messages: MessageInput[] = [];
  let refusals = 0;

  async function say(message: MessageInput): Promise<void> {
    messages.push(message);
    await session.add(message);
  }

  async function decide(make: (items: readonly ViewItem[]) => Decision | null): Promise<void> {
    next = make(project(await entriesOf(session)).items);
    await session.idle();
    next = null;
  }

  async function undoSome(number: number): Promise<void> {
    const decisions = (await entriesOf(session)).filter(isDecision);
    const target = decisions[number % Math.max(1, decisions.length)];
    if (target && !(await undo(session, target.id, number % 2 === 0))) refusals += 1;
  }

  await say(user("Begin."));
  for (const [number, step] of steps.entries()) {
    if (step.step === "round") {
      const ids = Array.from({ length: step.calls }, (_, index) => `t${number}_${index}`);
      await say(assistant([{ type: "text", text: step.text }, ...ids.map((id) => call(id))]));
      await say(user(ids.length === 0 ? `${step.text} ${number}` : ids.map((id) => result(id))));
    } else if (step.step === "resume") {
      await session.close();
      session = await resumeSession(options);
    } else if (step.step === "undo") await undoSome(step.pick);
    else await decide((items) => decisionOf(step, number, items));
  }
  const written = await entriesOf(session);
  const decisions = written.filter(isDecision);
  let before = seen(project(written).items);
  for (const { id, seq } of decisions.toReversed()) {
    await session.undo(id);
    const after = seen(project(await entriesOf(session)).items);
    expect(after, `undoing ${id} shows`).not.toBe(before);
    const withoutIt = written.filter((entry) => entry.kind !== "decision" || entry.seq < seq);
    expect(after, `undoing ${id} brings back what it changed`).toBe(seen(project(withoutIt).items));
    before = after;
  }
  const undone = withoutControl((await session.prepare()).request);
  await session.close();
  const plain = await beginSession();
  for (const message of messages) await plain.add(message);
  expect(undone).toEqual(withoutControl((await plain.prepare()).request));
  await plain.close();
  return { decisions: decisions.length, refusals };
}

/**
 * Whether it was undone at once. A refusal changes nothing. Where it names what comes first, that can be undone at once, and
 * whoever goes on so comes to the one that was asked for.
 */
async function undo(session: Session, id: string, doesFollow: boolean): Promise<boolean> {
  const before = await entriesOf(session);
  const first = await firstOf(session, id);
  if (first === "undone") {
    const after = await entriesOf(session);
    expect(seen(project(after).items), `undoing ${id} shows`).not.toBe(seen(project(before).items));
    return true;
  }
  expect((await entriesOf(session)).length).toBe(before.length);
  if (first === undefined || !doesFollow) return false;
  for (let left = before.filter(isDecision).length, next: string | undefined = first; left >= 0; left -= 1) {
    expect(await firstOf(session, next), `what is named, ${next}, can be undone`).toBe("undone");
    const then = await firstOf(session, id);
    if (then === "undone") return false;
    expect(then, `something is named until ${id} is undone`).toBeDefined();
    next = then as string;
  }
  throw new Error(`Whoever undoes what is named never comes to ${id}.`);
}

/** What is to be undone first, where anything is named; or that it is undone now. */
async function firstOf(session: Session, id: string): Promise<string | undefined> {
  try {
    await session.undo(id);
    return "undone";
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause)) throw cause;
    expect(cause.code).toBe("conflict");
    const first = cause.facts?.first;
    if (typeof first === "string") return first;
    expect(cause.message, "only what is not in force is refused without a name").toContain(
      "no effect any more",
    );
    return undefined;
  }
}

function isDecision(entry: Entry): entry is DecisionEntry {
  return entry.kind === "decision";
}

function seen(items: readonly ViewItem[]): string {
  return items.map(({ role, json }) => `${role} ${json}`).join("\n");
}

/** A decision about what is in view; `null` where there is nothing to decide about. */
function decisionOf(
  step: Exclude<UndoStep, { readonly step: "round" | "undo" | "resume" }>,
  number: number,
  items: readonly ViewItem[],
): Decision | null {
  const head = { ...decisionHead, basis: items.at(-1)?.seq ?? 0 };
  if (step.step === "compact") {
    const rounds = toRounds(items);
    const cut = rounds.length - step.kept;
    const kept = (step.anchor === "summary" ? rounds.slice(Math.max(1, cut)) : rounds.slice(0, step.kept))
      .flatMap((round) => [...round.assistant, ...round.user])
      .filter(({ decision }) => decision === undefined);
    const first = kept.toSorted((one, other) => one.seq - other.seq)[0];
    const last = kept.toSorted((one, other) => one.seq - other.seq).at(-1);
    const segment = first &&
      last && {
        head: first.entry,
        headSeq: first.seq,
        tail: last.entry,
        tailSeq: last.seq,
        anchor: step.anchor,
      };
    return {
      ...head,
      type: "compact",
      trigger: "manual",
      strategy: "test",
      tokensBefore: 2,
      tokensAfter: 1,
      summary: { type: "user", content: `summary ${number}`, isCompactSummary: true },
      covers: items.at(-1)?.entry ?? "",
      ...(segment && { kept: segment }),
      attachments: [],
      discoveredTools: [],
    };
  }
  if (step.step === "clear") {
    const ids = items.flatMap(({ block, decision }) =>
      isBlock(block, "tool_result") && decision === undefined ? block.tool_use_id : [],
    );
    const parts = Array.from({ length: Math.min(ids.length, 1 + step.length) }, (_, index) => ({
      toolUseId: ids[(step.pick + index) % ids.length] as string,
      part: "result" as const,
      label: `[cleared ${number}]`,
    }));
    return parts.length === 0 ? null : { ...head, type: "clear", parts };
  }
  const rounds = toRounds(items).filter(({ assistant: own }) => own.length > 0);
  const at = step.pick % Math.max(1, rounds.length);
  const span = rounds.slice(at, at + 1 + step.length).flatMap((round) => [...round.assistant, ...round.user]);
  const [first] = span;
  const last = span.at(-1);
  if (!first || !last) return null;
  if (step.step === "fold")
    return { ...head, type: "fold", from: first.entry, to: last.entry, summary: `[folded ${number}]` };
  const gone = [...new Set(span.map(({ entry }) => entry))];
  return { ...head, type: "snip", entries: gone, marker: `[snipped ${number}]` };
}
