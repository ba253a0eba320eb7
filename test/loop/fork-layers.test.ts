import { describe, expect, it } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import { stopWaitMs } from "../../packages/core/src/session/prepare/layer-runner.ts";
import {
  type Event,
  type ForkKind,
  type ForkResult,
  type Layer,
  ok,
  type QuerySource,
  type Result,
  type Session,
  type Tool,
} from "../../packages/core/src/spec/index.ts";
import {
  callTool,
  createVirtualClock,
  type Emulator,
  fault,
  type RecordedRequest,
  say,
} from "../../packages/testing/src/index.ts";
import { actingOnce } from "../support/acting-layer.ts";
import { collect, endOf, entriesOf, modelAt, openAgent } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { bytesOf, echo, gate, lastOf } from "./fork-support.ts";

/** A layer that forks once, and keeps what came of it. */
function forkingOnce(run: "inline" | "background", kind: ForkKind = "notes") {
  const results: Result<ForkResult>[] = [];
  const layer = actingOnce(
    () => async (io) => {
      results.push(await io.fork("Take notes.", { kind }));
      return ok([]);
    },
    { run },
  ) as Layer;
  return { layer, results };
}

const forkIsAsked = (emulator: Emulator) =>
  new Promise<void>((resolve) => {
    const look = () => (emulator.requests.where(isForks).length > 0 ? resolve() : setImmediate(look));
    look();
  });

const isForks = (request: RecordedRequest) => lastOf(request).includes("Take notes.");
const reasonOf = (result: Result<ForkResult> | undefined) =>
  result?.ok ? result.value.end.reason : result?.error.code;

const forkNotes = async (session: Session) =>
  (await entriesOf(session)).filter((entry) => entry.kind === "note" && entry.note.topic === "fork");

describe.each(["inline", "background"] as const)("a layer that forks %s", (run) => {
  const open = async (layers: readonly Layer[], isStalled: boolean, more: object = {}) => {
    const { emulator } = await emulate({
      script: (request) => (isStalled && isForks(request) ? fault.stall() : say("Understood.")),
    });
    const session = await openAgent({
      model: modelAt(emulator),
      clock: createVirtualClock(),
      tools: [echo],
      layers,
      ...more,
    });
    return { emulator, session };
  };

  it("gets the answer, and the session goes on", async () => {
    const { layer, results } = forkingOnce(run);
    const { session, emulator } = await open([layer], false);
    expect(endOf(await collect(session.run("Hello."))).reason).toBe("done");
    expect(endOf(await collect(session.run("And on."))).reason).toBe("done");
    await emulator.idle();
    await session.idle();
    expect(results.map(reasonOf)).toEqual(["done"]);
    expect(await forkNotes(session)).toHaveLength(1);
    expect(JSON.stringify(bytesOf(emulator.requests.last))).not.toContain("Take notes.");
  });

  it("is ended by the close of its session, which does not wait for ever", async () => {
    const { layer, results } = forkingOnce(run);
    const { session, emulator } = await open([layer], true);
    const running = collect(session.run("Hello."));
    await forkIsAsked(emulator);
    await session.close();
    await running;
    expect(results.map(reasonOf)).toEqual(["aborted"]);
  });

  it("is ended by the close of a session that nobody runs", async () => {
    const { layer, results } = forkingOnce(run);
    const { session, emulator } = await open([layer], true);
    await session.add({ role: "user", content: "Hello." });
    const preparing = session.prepare();
    await forkIsAsked(emulator);
    await session.close();
    await preparing;
    expect(results.map(reasonOf)).toEqual(["aborted"]);
  });

  it("knows in a fork what the fork is for, and cannot fork there", async () => {
    const sources: QuerySource[] = [];
    const failures: string[] = [];
    const always: Layer = {
      ...(forkingOnce(run).layer as Layer),
      decide: (view, _, { source }) => {
        sources.push(source);
        if (source === "main" && sources.length > 1) return { verdict: "skip", reason: "once is enough" };
        return { verdict: "act", command: null, run, reason: "always", frees: 0, basis: view.head };
      },
      apply: async (_, io) => {
        const forked = await io.fork("Take notes.", { kind: "memory" });
        return forked.ok ? ok([]) : forked;
      },
    };
    const onEvent = (event: Event) => {
      if (event.type === "layer-failed") failures.push(`${event.session.split("/").length} ${event.message}`);
    };
    const { session, emulator } = await open([always], false, { onEvent });
    await collect(session.run("Hello."));
    await emulator.idle();
    await session.close();
    expect(new Set(sources)).toEqual(new Set(["main", "memory"]));
    expect(failures).toEqual([
      expect.stringMatching(/^2 one\/fork.* is a fork, and a fork cannot fork again\.$/),
    ]);
  });
});

describe("a fork in the background", () => {
  it("is ended by a switch of models, which does not wait for ever", async () => {
    const { layer, results } = forkingOnce("background");
    const asked = gate();
    const { emulator } = await emulate({
      script: async (request) => {
        if (!request.model?.startsWith("claude-opus")) return say("I can.");
        if (isForks(request)) {
          asked.open();
          return fault.stall();
        }
        await asked.opened;
        return fault.overloaded({ retryAfterMs: 1 });
      },
    });
    const session = await openAgent({
      model: modelAt(emulator),
      fallbackModel: modelAt(emulator, "anthropic", "claude-sonnet-4-5"),
      clock: hurried(),
      layers: [layer],
    });
    const events = await collect(session.run("Hello."));
    expect(endOf(events)).toMatchObject({ reason: "done", text: "I can." });
    expect(results.map(reasonOf)).toEqual(["aborted"]);
  });
});

/** Passes waits to try again in an instant; whoever would wait for a layer waits for ever. */
function hurried() {
  const clock = createVirtualClock();
  return {
    ...clock,
    sleep: (ms: number, signal?: AbortSignal) =>
      ms === stopWaitMs ? clock.sleep(ms, signal) : Promise.resolve(),
  };
}

describe("micro-compaction in a fork", () => {
  const able = { capabilities: { "*": { cacheEdits: true } } };

  const bulky: Tool = {
    ...echo,
    name: "Read",
    maxResultChars: Number.POSITIVE_INFINITY,
    run: async (input) => ({ content: JSON.stringify(input).repeat(2_000) }),
  };

  /** What the layer decides in the conversation that reads eight files, a fork or the parent itself. */
  async function decidedIn(source: QuerySource, flags: object): Promise<readonly string[]> {
    const decided: string[] = [];
    let files = source === "main" ? 8 : 0;
    const { emulator } = await emulate({
      script: () => {
        files -= 1;
        return files >= 0 ? callTool("Read", { text: `${files}` }) : say("Done.");
      },
      catalog: able,
    });
    const session = await openAgent({
      model: modelAt(emulator, "anthropic", "claude-opus-4-6"),
      clock: createVirtualClock(),
      tools: [bulky],
      layers: defaultLayers(),
      settings: {
        flags: { "clear-cold": false, ...flags },
        microcompact: {
          thresholdTokens: 100,
          thresholdMinSavedTokens: 1,
          cacheEditTrigger: 3,
          cacheEditKeep: 1,
        },
        catalog: able,
      },
      onEvent: (event) => {
        if (event.type === "decision-record" && event.layer === "microcompact") decided.push(event.decision);
      },
    });
    await collect(session.run("Read them."));
    files = 8;
    if (source !== "main") await session.fork("Read them here.", { kind: source, turns: 20 });
    expect(emulator.requests.where(({ status }) => status !== 200)).toEqual([]);
    return [...new Set(decided)];
  }

  it.each<[string, object, Readonly<Partial<Record<QuerySource, readonly string[]>>>]>([
    ["the threshold", { "clear-threshold": true }, { main: ["clear"], agent: ["clear"] }],
    [
      "cache edits",
      { "clear-cache-edits": true, "clear-threshold": true },
      { main: ["cache-edit"], agent: ["clear"] },
    ],
  ])("stays quiet where the fork is short, and edits no cache in any: %s", async (_, flags, expected) => {
    for (const source of ["main", "agent", "notes", "compaction", "memory", "collapse"] as const)
      expect([source, await decidedIn(source, flags)]).toEqual([source, expected[source] ?? []]);
  });
});
