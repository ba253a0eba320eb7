import { describe, expect, it } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import { openSession as openContext } from "../../packages/core/src/session/open-session.ts";
import {
  type ContentBlock,
  type Event,
  isBlock,
  type Session,
  type Tool,
} from "../../packages/core/src/spec/index.ts";
import {
  type AnswerBlock,
  answer,
  callTool,
  createSeededRandom,
  createVirtualDisk,
  fault,
  type RecordedRequest,
  type Reply,
  type SeededRandom,
  say,
  think,
} from "../../packages/testing/src/index.ts";
import { unmarked } from "../loop/stage.ts";
import { createHastyClock, modelAt, openAgent } from "../support/agent.ts";
import { amount } from "../support/amount.ts";
import { emulate } from "../support/emulator.ts";
import { onePixel } from "../support/images.ts";
import { createVirtualStore } from "../support/virtual-store.ts";
import { asksForSummary, grow, summarised } from "./compacting-agent.ts";

const rules = `[rules {"path":"/project/AGENTS.md","sha256":"${"a".repeat(64)}"}]\nIt holds everywhere.\n\nNEVER paint the door green. Tabs, not spaces.`;

/** What must be before the model's eyes after every compaction, as the log has it. */
interface World {
  latest: string;
  todos: readonly string[];
  plan: string;
  readonly written: Set<string>;
  /** By call, the newest failure last. */
  readonly errors: Map<string, string>;
}

async function worldOf(session: Session): Promise<World> {
  const world: World = { latest: "", todos: [], plan: "", written: new Set(), errors: new Map() };
  const calls = new Map<string, { readonly name: string; readonly input: Record<string, unknown> }>();
  for await (const entry of session.entries()) {
    if (entry.kind !== "message") continue;
    const { type, content, isAborted } = entry.message;
    if (type === "user" && typeof content === "string") world.latest = content;
    if (typeof content === "string" || isAborted) continue;
    for (const block of content) {
      if (isBlock(block, "tool_use")) calls.set(block.id, block as never);
      if (!isBlock(block, "tool_result")) continue;
      const call = calls.get(block.tool_use_id);
      if (call) settle(world, call, block.is_error === true, block.content);
    }
  }
  return world;
}

function settle(
  world: World,
  { name, input }: { readonly name: string; readonly input: Record<string, unknown> },
  failed: boolean,
  content: unknown,
): void {
  const isList = name === "TodoWrite" || name === "ExitPlanMode";
  const key = `${name} ${isList ? "" : (input.command ?? input.file_path ?? JSON.stringify(input))}`;
  world.errors.delete(key);
  if (failed) {
    world.errors.set(key, typeof content === "string" ? content : JSON.stringify(content).slice(1, -1));
    return;
  }
  if (name === "Write") world.written.add(String(input.file_path));
  if (name === "ExitPlanMode") world.plan = String(input.plan);
  if (name !== "TodoWrite") return;
  const todos = input.todos as readonly { readonly content: string; readonly status: string }[];
  world.todos = todos.filter(({ status }) => status !== "completed").map((todo) => todo.content);
}

const anything = { type: "object", properties: {}, additionalProperties: true } as const;

function tool(name: string, run: (input: Record<string, unknown>) => string | readonly ContentBlock[]): Tool {
  return {
    name,
    description: `Does ${name}.`,
    input_schema: anything,
    isReadOnly: true,
    run: async (input) => ({ content: run(input as Record<string, unknown>) }),
  };
}

const tools: readonly Tool[] = [
  grow,
  tool("Look", () => [{ type: "text", text: "See:" }, onePixel]),
  ...["Write", "TodoWrite", "ExitPlanMode"].map((name) => tool(name, () => "Fine.")),
  {
    ...tool("Bash", () => ""),
    run: async (input) => {
      const { command, fails } = input as { readonly command: string; readonly fails: boolean };
      return fails ? { content: `exit 1: ${command} found nothing`, isError: true } : { content: "fine" };
    },
  },
];

/** Something an agent may do next. */
function nextStep(random: SeededRandom, step: number): readonly AnswerBlock[] {
  const thought = random.below(3) === 0 ? [think(`I think of step ${step}.`)] : [];
  const size = () => 2_000 + random.below(24_000);
  switch (random.below(12)) {
    case 0:
      return [...thought, callTool("Look")];
    case 1:
      return [
        ...thought,
        callTool("Write", { file_path: `/project/file-${step}.ts`, content: `step ${step}` }),
      ];
    case 2:
      return [
        callTool("TodoWrite", {
          todos: [
            { content: `Open the door of step ${step}`, status: "in_progress" },
            { content: `Close the door of step ${step}`, status: "pending" },
            { content: `Find the door of step ${step}`, status: "completed" },
          ],
        }),
      ];
    case 3:
      return [callTool("ExitPlanMode", { plan: `Plan of step ${step}:\n1. Sand it.\n2. Paint it.` })];
    case 4:
      return [callTool("Bash", { command: `find step-${random.below(6)}`, fails: random.below(2) === 0 })];
    case 5:
      return [
        callTool("Grow", { chars: size(), mark: `a${step}` }),
        callTool("Grow", { chars: size(), mark: `b${step}` }),
      ];
    case 6:
      return [say(`I have done step ${step}.`)];
    default:
      return [...thought, say(`Now step ${step}.`), callTool("Grow", { chars: size(), mark: `c${step}` })];
  }
}

/** Most summaries are good; some are none. */
function nextSummary(random: SeededRandom, count: number): Reply {
  switch (random.below(7)) {
    case 0:
      return answer([say("<summary>1. Half of")], { stopReason: "max_tokens" });
    case 1:
      return fault.tooLong();
    case 2:
      return callTool("Grow", { chars: 5 });
    default:
      return summarised(`1. Summary ${count}. The user wants many steps done.`);
  }
}

interface Seen {
  readonly events: Event[];
  readonly missing: string[];
  compactions: number;
}

const isFork = (request: RecordedRequest) => JSON.stringify(request.whole?.messages).includes("FORKED AWAY");

async function live(seed: number, compactions: number, settings: Record<string, unknown> = {}) {
  const random = createSeededRandom(seed);
  const seen: Seen = { events: [], missing: [], compactions: 0 };
  let isFresh = false;
  let step = 0;
  const disk = createVirtualDisk();
  const { emulator } = await emulate({
    keepRequests: 5_000,
    keepBodies: 4,
    async script(request) {
      if (asksForSummary(request)) return nextSummary(random, seen.compactions);
      if (JSON.stringify(request.whole?.messages).includes("bring the notes about this session up to date"))
        return say("done");
      if (isFork(request)) return say("Forked.");
      if (isFresh) look(request, await worldOf(session), seen);
      isFresh = false;
      step += 1;
      return nextStep(random, step);
    },
  });
  const session = await openAgent({
    model: modelAt(emulator, "anthropic", "claude-opus-4-6"),
    tools,
    layers: defaultLayers(),
    clock: createHastyClock(),
    store: createVirtualStore({ disk }),
    request: { thinking: { type: "enabled", budget_tokens: 2_000 } },
    settings: { autoCompactWindow: 60_000, ...settings },
    hooks: {
      PreCompact: [() => (random.below(4) === 0 ? { context: "Keep the colours." } : undefined)],
      SessionStart: [
        ({ source }) => (source === "compact" ? { context: `It rained ${step} times.` } : undefined),
      ],
    },
    onEvent(event) {
      seen.events.push(event);
      if (event.session !== "one") return;
      if (event.type === "compaction-end") {
        seen.compactions += 1;
        isFresh = true;
      }
      if (event.type === "request-start" && isFresh && event.tokens >= session.usage().thresholds.auto)
        seen.missing.push(`compaction ${seen.compactions} left ${event.tokens} tokens`);
    },
  });
  await session.attach({ subtype: "rules", text: rules });
  for (let turn = 1; seen.compactions < compactions; turn += 1) await takeTurn(session, random, turn);
  return { emulator, session, seen, disk };
}

async function takeTurn(session: Session, random: SeededRandom, turn: number): Promise<void> {
  const prompt = `Request ${turn}: take the next steps, as many as you need.`;
  const controller = new AbortController();
  let left = random.below(4) === 0 ? random.below(60) : Number.POSITIVE_INFINITY;
  for await (const _event of session.run(prompt, {
    signal: controller.signal,
    maxTurns: 25,
    onPermission: async () => ({ behavior: "allow" }),
  })) {
    left -= 1;
    if (left <= 0) controller.abort();
  }
  if (random.below(5) === 0)
    await session.fork(`FORKED AWAY ${turn}: say something.`, { kind: "agent", turns: 1 });
}

/** What the first request after a compaction lacks. */
function look(request: RecordedRequest, world: World, seen: Seen): void {
  const texts = ((request.whole?.messages ?? []) as readonly { readonly content: unknown }[]).flatMap(
    ({ content }) =>
      typeof content === "string"
        ? content
        : (content as readonly ContentBlock[]).map((block) => JSON.stringify(block)),
  );
  const all = texts.join("\n");
  const wanted = [
    world.latest,
    "NEVER paint the door green. Tabs, not spaces.",
    ...world.todos,
    ...world.plan.split("\n"),
    ...world.written,
    ...[...world.errors.values()].slice(-1),
  ];
  for (const one of wanted)
    if (!all.includes(JSON.stringify(one).slice(1, -1)))
      seen.missing.push(`compaction ${seen.compactions}: ${one}`);
}

/** The results that were hidden first, by their calls: a beginning of what each said. */
async function oldestResults(
  session: Session,
  most: number,
): Promise<readonly (readonly [string, string])[]> {
  const found: (readonly [string, string])[] = [];
  for await (const entry of session.entries()) {
    if (entry.kind !== "message" || typeof entry.message.content === "string") continue;
    for (const block of entry.message.content)
      if (isBlock(block, "tool_result") && typeof block.content === "string")
        found.push([block.tool_use_id, block.content.slice(0, 200)]);
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

describe("compaction after compaction in one session", () => {
  it.each([
    [1, {}],
    [2, { sessionNotesEnabled: false, flags: { "compact-ahead": false } }],
  ])("lose nothing that must not be lost, and no request is invalid (seed %d)", async (seed, settings) => {
    const { emulator, session, seen, disk } = await live(seed, amount({ quick: 15, slow: 50 }), settings);
    expect(seen.missing).toEqual([]);
    const refused = [...emulator.requests].filter(
      ({ outcome, violations }) => outcome === "refused" || violations.length > 0,
    );
    expect(refused.map(({ violations, error }) => [violations, error])).toEqual([]);
    const unexpected = seen.events.filter((event) => event.type === "cache-break" && !event.expected);
    expect(unexpected).toEqual([]);
    const strategies = new Set(
      seen.events.flatMap((event) => (event.type === "compaction-end" ? event.strategy : [])),
    );
    expect(strategies.size).toBeGreaterThan(1);
    for (const [id, text] of await oldestResults(session, 10))
      expect((await session.recall(id)).text).toContain(text);
    const before = unmarked((await session.prepare()).request.messages);
    await session.close();
    const again = await openContext({
      store: createVirtualStore({ disk }),
      id: "one",
      resume: true,
      layers: [],
      keepsHead: true,
    });
    expect(unmarked((await again.prepare()).request.messages)).toBe(before);
    await again.close();
  });
});
