import type { CompactionPorts } from "../../packages/core/src/layers/4-compaction/ports.ts";
import { createCompactionRecorder } from "../../packages/core/src/layers/4-compaction/rules/compaction-records.ts";
import {
  type CompactDecision,
  type ContentBlock,
  type Entry,
  type EntryDraft,
  type EventBody,
  type Facts,
  type ForkOptions,
  type ForkResult,
  fail,
  type LayerHooks,
  type LayerIo,
  type Message,
  ok,
  type Result,
  type View,
} from "../../packages/core/src/spec/index.ts";
import { createLedgers } from "../../packages/core/src/view/ledgers/index.ts";
import { project } from "../../packages/core/src/view/projection/project.ts";
import { computeThresholds } from "../../packages/core/src/view/window/window-thresholds.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";

export const defaultFlags = { "compact-prefix": true, "compact-ahead": false };
export const defaultSwitches = {
  compact: true,
  autoCompact: true,
  notesCompaction: true,
  folding: false,
};

/** Facts of a session; the window is 200,000 tokens unless given. */
export function factsOf(
  more: Partial<Facts> & {
    readonly window?: number;
    readonly flags?: Readonly<Record<string, unknown>>;
    readonly switches?: Readonly<Record<string, unknown>>;
  } = {},
): Facts {
  const { window = 200_000, flags, switches, ...facts } = more;
  return {
    nowMs: 0,
    model: "m",
    source: "main",
    capabilities: {
      prefixBoundThinking: false,
      dropsUnboundThinking: false,
      maxOutput: 32_000,
    } as Facts["capabilities"],
    prices: { input: 5, cacheWrite5m: 6.25, cacheWrite1h: 10, cacheRead: 0.5, output: 25 },
    cache: { state: "warm", ttlMs: 300_000, idleMs: 1 },
    runningTasks: [],
    statistics: {} as Facts["statistics"],
    tools: [],
    thresholds: computeThresholds({ window, maxOutput: 32_000, autoEnabled: true }),
    request: {},
    expectedRequests: 20,
    headTokens: 1_000,
    ...facts,
    settings: {
      ...facts.settings,
      flags: { ...defaultFlags, ...flags },
      switches: { ...defaultSwitches, ...switches },
    },
  };
}

/** A log in memory that can be looked at as a session does. */
export interface TestLog {
  readonly entries: readonly Entry[];
  add(draft: EntryDraft): Entry;
  say(message: Message): Entry;
  /** The view as it is; `tokens` is what it counts. */
  view(tokens?: number): View;
  records(): NonNullable<Facts["compaction"]>;
}

export function createTestLog(): TestLog {
  const entries: Entry[] = [];
  const recorder = createCompactionRecorder();
  const undone = () =>
    new Set(
      entries.flatMap((entry) =>
        entry.kind === "decision" && entry.decision.type === "restore" ? entry.decision.decision : [],
      ),
    );
  function add(draft: EntryDraft): Entry {
    const seq = entries.length + 1;
    const entry = {
      ...draft,
      v: 1,
      seq,
      epoch: 1,
      id: draft.id ?? `e${seq}`,
      at: "2026-01-01T00:00:00.000Z",
    } as Entry;
    entries.push(entry);
    recorder.see(entry);
    return entry;
  }
  return {
    entries,
    add,
    say: (message) => add({ kind: "message", message }),
    view(tokens = 0) {
      const { items, head } = project(entries);
      const ledgers = createLedgers();
      for (const entry of entries) if (entry.kind === "message") ledgers.add(entry);
      return {
        items,
        head,
        count: { tokens, source: "usage" },
        ledgers: ledgers.ledgers(),
        settledResults: new Set(),
        sparedResults: new Set(),
        sentItems: 0,
      };
    },
    records: () => recorder.read({ isLive: () => true, isUndone: (id) => undone().has(id) }),
  };
}

export const said = (content: string): Message => ({ type: "user", content });

export const answered = (content: string | readonly ContentBlock[], responseId?: string): Message => ({
  type: "assistant",
  content,
  ...(responseId !== undefined && { responseId }),
});

/** A call of a tool and its result, of so many characters. */
export function addRound(log: TestLog, id: string, chars = 400, path = `/${id}`): void {
  log.say(
    answered([
      { type: "text", text: `calls ${id}` },
      { type: "tool_use", id, name: "Read", input: { file_path: path } },
    ]),
  );
  log.say({ type: "user", content: [{ type: "tool_result", tool_use_id: id, content: "x".repeat(chars) }] });
}

/** A log with a request, some rounds of tools and an answer. */
export function workedLog(rounds = 6, chars = 4_000): TestLog {
  const log = createTestLog();
  log.say(said("Build the thing."));
  for (let index = 0; index < rounds; index += 1) addRound(log, `t${index}`, chars);
  return log;
}

export const noUsage = { input: 10, output: 5, cacheRead: 90, cacheCreation: 0 };

/** What a fork gives that answered with a text. */
export function forkAnswer(text: string, more: Partial<ForkResult> = {}): Result<ForkResult> {
  return ok({
    id: "fork",
    end: { reason: "done", text, requests: 1, usage: noUsage, dollars: 0, durationMs: 0 },
    content: [{ type: "text", text }],
    text,
    usage: noUsage,
    dollars: 0,
    requests: 1,
    cache: { promptTokens: 100, readTokens: 90, share: 0.9 },
    ...more,
  });
}

export interface TestIo {
  readonly io: LayerIo;
  readonly events: EventBody[];
  readonly forks: { readonly directive: string; readonly options: ForkOptions }[];
}

/** What a layer may use, with forks that answer as told. */
export function testIo(
  answer: (directive: string, options: ForkOptions) => Result<ForkResult> = () => fail("no-model", "none"),
  hooks?: LayerHooks,
): TestIo {
  const events: EventBody[] = [];
  const forks: TestIo["forks"] = [];
  const io = {
    session: "s",
    emit: (event: EventBody) => events.push(event),
    tokensOf: () => 0,
    fork: async (directive: string, options: ForkOptions) => {
      forks.push({ directive, options });
      return answer(directive, options);
    },
    clock: createVirtualClock(),
    ...(hooks && { surroundings: async () => ({ hooks }) }),
  } as unknown as LayerIo;
  return { io, events, forks };
}

/** Ports that do next to nothing. */
export function testPorts(more: Partial<CompactionPorts> = {}): CompactionPorts {
  return {
    writeSummary: () => "written by the scribe",
    missingFromSummary: () => "",
    ...more,
  };
}

export function compactionIn(drafts: readonly EntryDraft[]): CompactDecision | undefined {
  const found = drafts.find((draft) => draft.kind === "decision" && draft.decision.type === "compact");
  return found?.kind === "decision" ? (found.decision as CompactDecision) : undefined;
}
