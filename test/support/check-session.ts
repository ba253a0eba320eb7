import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type {
  CompactDecision,
  DecisionEntry,
  Entry,
  KeptSegment,
  Layer,
  ModelRequest,
  RequestPatch,
  Session,
  Settings,
  Usage,
  View,
} from "../../packages/core/src/spec/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { createVirtualStore } from "./virtual-store.ts";

/** One thing a caller may do with a session. */
export type SessionStep =
  | { readonly step: "user"; readonly text: string }
  | {
      readonly step: "assistant";
      readonly text: string;
      readonly calls: number;
      readonly thinks: boolean;
    }
  | { readonly step: "results"; readonly kept: number; readonly size: number }
  | CompactStep
  | { readonly step: "clear" | "undo" | "rewind"; readonly pick: number }
  | { readonly step: "prepare" | "reopen" };

/** A compaction. What it covers and keeps is chosen among the entries in the view. */
interface CompactStep {
  readonly step: "compact";
  /** How many entries of the view came after what it was decided on. */
  readonly later: number;
  readonly anchor: KeptSegment["anchor"] | null;
  readonly keptFrom: number;
  readonly keptTo: number;
  readonly summaryChars: number;
  readonly attachmentChars: number;
}

export const sessionStep: fc.Arbitrary<SessionStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant("user" as const),
      text: fc.string({ minLength: 1 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant("assistant" as const),
      text: fc.string(),
      calls: fc.nat({ max: 3 }),
      thinks: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant("results" as const),
      kept: fc.nat({ max: 7 }),
      size: fc.constantFrom(3, 500, 70_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constantFrom("clear" as const, "undo" as const, "rewind" as const),
      pick: fc.nat({ max: 99 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant("compact" as const),
      later: fc.constantFrom(0, 0, 1, 2, 5),
      anchor: fc.constantFrom(null, "summary" as const, "boundary" as const),
      keptFrom: fc.nat({ max: 99 }),
      keptTo: fc.nat({ max: 99 }),
      summaryChars: fc.constantFrom(10, 10, 70_000),
      attachmentChars: fc.constantFrom(0, 0, 10, 70_000),
    }),
  },
  { weight: 6, arbitrary: fc.record({ step: fc.constant("prepare" as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("reopen" as const) }) },
);

const blocksOf = (request: ModelRequest) =>
  request.messages.flatMap(({ role, content }) =>
    content.map((block) => {
      const { cache_control: _marker, ...bare } = block as Record<string, unknown>;
      return `${role} ${JSON.stringify(bare)}`;
    }),
  );

/** Decides what the test tells it to, once. */
function createTestLayer() {
  let next: ((view: View) => DecisionEntry["decision"]) | null = null;
  const layer: Layer = {
    id: "test",
    moments: ["before-request"],
    decide(view) {
      if (!next) return { verdict: "skip", reason: "the test says nothing" };
      const command = next(view);
      const { reason, frees, basis } = command;
      return { verdict: "act", command, run: "inline", reason, frees, basis };
    },
    apply: async (command) => {
      next = null;
      return { ok: true, value: [{ kind: "decision", decision: command as DecisionEntry["decision"] }] };
    },
  };
  return {
    layer,
    plan: (make: (view: View) => DecisionEntry["decision"]) => {
      next = make;
    },
  };
}

const decisionHead = { layer: "test", reason: "the test says so", frees: 0 };

/** A text of that many characters that says what it is. */
const filled = (what: string, chars: number) => what.padEnd(chars, ` ${what}`);

function compaction(step: CompactStep, view: View): CompactDecision {
  const entries = [...new Map(view.items.map(({ entry, seq }) => [entry, { entry, seq }])).values()];
  const covered = entries.at(-1 - Math.min(step.later, Math.max(0, entries.length - 1)));
  const basis = step.later === 0 ? view.head : (covered?.seq ?? view.head);
  const kept = keptSegment(step, entries);
  return {
    ...decisionHead,
    type: "compact",
    basis,
    trigger: "auto",
    strategy: "test",
    tokensBefore: 2,
    tokensAfter: 1,
    summary: { type: "user", content: filled(`summary ${view.head}`, step.summaryChars) },
    covers: covered?.entry ?? "",
    ...(kept && { kept }),
    attachments:
      step.attachmentChars === 0
        ? []
        : [{ type: "attachment", subtype: "file", content: filled("attached", step.attachmentChars) }],
    discoveredTools: [],
  };
}

function keptSegment(
  { anchor, keptFrom, keptTo }: CompactStep,
  entries: readonly { readonly entry: string; readonly seq: number }[],
): KeptSegment | null {
  const ends = [keptFrom, keptTo].flatMap((pick) => entries[pick % Math.max(1, entries.length)] ?? []);
  const [head, tail] = ends.sort((one, other) => one.seq - other.seq);
  if (!anchor || !head || !tail) return null;
  return { head: head.entry, headSeq: head.seq, tail: tail.entry, tailSeq: tail.seq, anchor };
}

/** What is known of the request made last. */
interface Former {
  readonly blocks: readonly string[];
  readonly json: string;
  readonly lastSeq: number;
}

export interface SessionSetting {
  readonly model?: string;
  readonly settings?: Settings;
  /** Fields of every request. */
  readonly request?: RequestPatch;
  /** What every response says it was measured at; nothing unless given. */
  readonly usage?: Usage;
  /** Layers that stand before the one that decides. */
  readonly layers?: readonly Layer[];
}

/**
 * Runs the steps, and after every request checks that it is stable, announced, lossless and resumable, and that no
 * thinking stands on another prefix than its own where that matters. Gives the requests as they would be sent.
 */
export async function checkSession(
  steps: readonly SessionStep[],
  { model = "claude-opus-4-5", settings, request: fields, usage, layers = [] }: SessionSetting = {},
): Promise<readonly string[]> {
  const disk: VirtualDisk = createVirtualDisk();
  const clock = createVirtualClock();
  const test = createTestLayer();
  const open = (resume: boolean) =>
    openSession({
      store: createVirtualStore({ disk, clock }),
      clock,
      id: "one",
      system: "Be brief.",
      resume,
      model,
      settings,
      request: fields,
      layers: [...layers, test.layer],
    });
  let session: Session = await open(false);
  let former: Former | null = null;
  let responses = 0;
  let openCalls: string[] = [];
  const results = new Map<string, string>();
  const requests: string[] = [];

  async function entries(): Promise<readonly Entry[]> {
    const all: Entry[] = [];
    for await (const entry of session.entries()) all.push(entry);
    return all;
  }

  /** `null` where there is nothing to send. */
  async function tryToPrepare(): Promise<ModelRequest | null> {
    try {
      return (await session.prepare()).request;
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid-input", fix: "Add a message first." });
      return null;
    }
  }

  async function prepare(): Promise<void> {
    const request = await tryToPrepare();
    if (!request) {
      former = null;
      return;
    }
    requests.push(JSON.stringify(request));
    const blocks = blocksOf(request);
    if (isBoundModel(model) && !JSON.stringify(request.thinking ?? {}).includes("drop_block"))
      expect(blocks.filter((block, at) => !isBoundHere(block, blocks.slice(0, at)))).toEqual([]);
    const all = await entries();
    if (former) {
      const { blocks: before, lastSeq } = former;
      const changed = before.findIndex((block, index) => block !== blocks[index]);
      const decisions = all.filter(
        ({ seq, kind }) => seq > lastSeq && kind === "decision",
      ) as readonly DecisionEntry[];
      if (changed !== -1)
        expect(isAnnounced(before[changed] ?? "", decisions), `block ${changed} changed`).toBe(true);
    }
    former = { blocks, json: JSON.stringify(request), lastSeq: all.at(-1)?.seq ?? 0 };
    for (const [id, text] of results) {
      const { text: recalled } = await session.recall(id, { limit: 1e9 });
      expect(recalled.endsWith(text)).toBe(true);
    }
  }

  for (const one of steps) {
    if (one.step === "user") await session.add({ role: "user", content: `?${one.text}` });
    else if (one.step === "assistant") {
      responses += 1;
      openCalls = Array.from({ length: one.calls }, (_, index) => `t${responses}_${index}`);
      const uses = openCalls.map((id) => ({ type: "tool_use", id, name: "Read", input: { file_path: id } }));
      await session.add({
        role: "assistant",
        id: `msg_${responses}`,
        ...(usage && { usage }),
        content: [
          ...(one.thinks
            ? [{ type: "thinking", thinking: "", signature: sign((former as Former | null)?.blocks ?? []) }]
            : []),
          { type: "text", text: `!${one.text}` },
          ...uses,
        ],
      });
    } else if (one.step === "results") {
      const answered = openCalls.filter((_, index) => one.kept & (1 << index)).reverse();
      openCalls = [];
      for (const id of answered) {
        const content = `${id} `.repeat(one.size).slice(0, one.size);
        results.set(id, content);
        await session.add({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] });
      }
    } else if (one.step === "clear") {
      const id = [...results.keys()][one.pick % Math.max(1, results.size)];
      if (id)
        test.plan((view) => ({
          ...decisionHead,
          type: "clear",
          basis: view.head,
          parts: [{ toolUseId: id, part: "result", label: "[cleared]" }],
        }));
    } else if (one.step === "compact") {
      test.plan((view) => compaction(one, view));
    } else if (one.step === "undo") await session.undo().catch(() => undefined);
    else if (one.step === "rewind") {
      const messages = (await entries()).filter(({ kind }) => kind === "message");
      const target = messages[one.pick % Math.max(1, messages.length)];
      if (target) await session.rewind(target.id);
    } else if (one.step === "prepare") await prepare();
    else {
      await prepare();
      // Layers see repairs only at the request behind them.
      await prepare();
      const { count } = session.usage();
      await session.close();
      session = await open(true);
      expect(session.usage().count).toEqual(count);
      const request = await tryToPrepare();
      expect(request && blocksOf(request)).toEqual((former as Former | null)?.blocks ?? null);
    }
  }
  await session.close();
  return requests;
}

const isBoundModel = (model: string) => model.includes("5.5");

/** What the API would sign thinking with: everything that was sent, but for cache edits. */
const sign = (blocks: readonly string[]) =>
  createHash("sha256")
    .update(blocks.filter((block) => !block.includes('"type":"cache_edits"')).join("\n"))
    .digest("hex");

function isBoundHere(block: string, before: readonly string[]): boolean {
  const { type, signature } = JSON.parse(block.slice(block.indexOf("{"))) as Record<string, unknown>;
  return type !== "thinking" || signature === sign(before);
}

/** A decision names what it changes by its tool call, or moves the head, a span or a boundary. */
function isAnnounced(block: string, decisions: readonly DecisionEntry[]): boolean {
  return decisions.some(({ decision }) => {
    if (decision.type === "clear")
      return decision.parts.some(({ toolUseId }) => block.includes(`"${toolUseId}"`));
    return decision.type !== "offload" && decision.type !== "cache-edit";
  });
}
