import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import { openSession } from "../../src/engine/open-session.ts";
import type {
  DecisionEntry,
  Entry,
  Layer,
  ModelRequest,
  RequestPatch,
  Session,
  Settings,
} from "../../src/spec/index.ts";
import { createVirtualClock } from "../../src/testing/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../src/testing/virtual-disk.ts";
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
  | { readonly step: "clear" | "compact" | "undo" | "rewind"; readonly pick: number }
  | { readonly step: "prepare" | "reopen" };

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
      step: fc.constantFrom("clear" as const, "compact" as const, "undo" as const, "rewind" as const),
      pick: fc.nat({ max: 99 }),
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
  let next: ((basis: number) => DecisionEntry["decision"]) | null = null;
  const layer: Layer = {
    id: "test",
    moments: ["before-request"],
    decide: (view) =>
      next
        ? {
            verdict: "act",
            command: next(view.head),
            run: "inline",
            reason: "the test says so",
            frees: 0,
            basis: view.head,
          }
        : { verdict: "skip", reason: "the test says nothing" },
    apply: async (command) => {
      next = null;
      return { ok: true, value: [{ kind: "decision", decision: command as DecisionEntry["decision"] }] };
    },
  };
  return {
    layer,
    plan: (make: (basis: number) => DecisionEntry["decision"]) => {
      next = make;
    },
  };
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
  /** Layers that stand before the one that decides. */
  readonly layers?: readonly Layer[];
}

/**
 * Runs the steps, and after every request checks that it is stable, announced, lossless and resumable, and that no
 * thinking stands on another prefix than its own where that matters. Gives the requests as they would be sent.
 */
export async function checkSession(
  steps: readonly SessionStep[],
  { model = "claude-opus-4-5", settings, request: fields, layers = [] }: SessionSetting = {},
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
  const head = { layer: "test", reason: "the test says so", frees: 0 };

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
        test.plan((basis) => ({
          ...head,
          type: "clear",
          basis,
          parts: [{ toolUseId: id, part: "result", label: "[cleared]" }],
        }));
    } else if (one.step === "compact") {
      const all = await entries();
      test.plan((basis) => ({
        ...head,
        type: "compact",
        basis,
        trigger: "auto",
        strategy: "test",
        tokensBefore: 2,
        tokensAfter: 1,
        summary: { type: "user", content: `summary ${basis}` },
        covers: all.at(-1)?.id ?? "",
        attachments: [],
        discoveredTools: [],
      }));
    } else if (one.step === "undo") await session.undo().catch(() => undefined);
    else if (one.step === "rewind") {
      const messages = (await entries()).filter(({ kind }) => kind === "message");
      const target = messages[one.pick % Math.max(1, messages.length)];
      if (target) await session.rewind(target.id);
    } else if (one.step === "prepare") await prepare();
    else {
      await prepare();
      await session.close();
      session = await open(true);
      const request = await tryToPrepare();
      expect(request && blocksOf(request)).toEqual((former as Former | null)?.blocks ?? null);
    }
  }
  await session.close();
  return requests;
}

const isBoundModel = (model: string) => model.includes("5.5");

/** What the API would sign thinking with: everything that was sent. */
const sign = (blocks: readonly string[]) => createHash("sha256").update(blocks.join("\n")).digest("hex");

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
