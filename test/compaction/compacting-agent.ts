import { expect } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import type {
  CompactDecision,
  Event,
  LoopEvent,
  RunOptions,
  Session,
  Tool,
} from "../../packages/core/src/spec/index.ts";
import type { openSession } from "../../packages/palimpsest/src/loop/open-session.ts";
import {
  callTool,
  createVirtualDisk,
  type Emulator,
  type EmulatorOptions,
  type RecordedRequest,
  type Reply,
  type ScriptFunction,
  say,
  type VirtualDisk,
} from "../../packages/testing/src/index.ts";
import { collect, createHastyClock, endOf, entriesOf, modelAt, openAgent } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

type Options = NonNullable<Parameters<typeof openSession>[0]>;

/** Whether a request asks for a summary, or answers a call that was made instead of one. */
export function asksForSummary({ whole }: RecordedRequest): boolean {
  const messages = (whole?.messages ?? []) as readonly unknown[];
  return JSON.stringify(messages.slice(-3)).includes("The context is about to be compacted.");
}

export function lastMessage({ whole }: RecordedRequest): string {
  return JSON.stringify((whole?.messages as readonly unknown[] | undefined)?.at(-1) ?? "");
}

export const summarised = (text: string) =>
  say(`<analysis>What happened, in order.</analysis>\n<summary>\n${text}\n</summary>`);

/** Gives back so many characters of words, no two calls alike. */
export const grow: Tool = {
  name: "Grow",
  description: "Gives back so many characters.",
  input_schema: {
    type: "object",
    properties: { chars: { type: "number" }, mark: { type: "string" } },
    required: ["chars"],
  },
  isReadOnly: true,
  maxResultChars: Number.POSITIVE_INFINITY,
  run: async (input) => {
    const { chars, mark = "" } = input as { readonly chars: number; readonly mark?: string };
    return {
      content: `${mark} ${"grown words that fill the window ".repeat(Math.ceil(chars / 34))}`.slice(0, chars),
    };
  },
};

export interface CompactingOptions extends Partial<Omit<Options, "model">> {
  /** Answers requests for summaries. */
  readonly summary?: ScriptFunction;
  /** Answers all other requests. */
  readonly main?: ScriptFunction;
  readonly emulation?: EmulatorOptions;
  readonly model?: string;
  readonly disk?: VirtualDisk;
}

export interface CompactingAgent {
  readonly emulator: Emulator;
  readonly disk: VirtualDisk;
  readonly events: Event[];
  session: Session;
  run(prompt?: string, options?: RunOptions): Promise<readonly LoopEvent[]>;
  resume(): Promise<void>;
  /** Requests for summaries, oldest first. */
  summaries(): readonly RecordedRequest[];
  /** Boundaries in the log, oldest first. */
  boundaries(): Promise<readonly CompactDecision[]>;
}

/** An agent with the usual layers whose conversation is compacted; notes are off unless settings say otherwise. */
export async function openCompacting(options: CompactingOptions = {}): Promise<CompactingAgent> {
  const {
    summary = () => summarised("1. Everything so far."),
    main = () => say("Done."),
    emulation,
    model,
    disk = createVirtualDisk(),
    settings,
    ...rest
  } = options;
  const { emulator } = await emulate({
    script: (request, state) => (asksForSummary(request) ? summary(request, state) : main(request, state)),
    ...emulation,
  });
  const events: Event[] = [];
  const open = (resume: boolean) =>
    openAgent({
      model: modelAt(emulator, "anthropic", model),
      tools: [grow],
      layers: defaultLayers(),
      clock: createHastyClock(),
      onEvent: (event) => events.push(event),
      store: createVirtualStore({ disk }),
      settings: {
        sessionNotesEnabled: false,
        microcompactEnabled: false,
        autoCompactWindow: 60_000,
        ...settings,
        flags: { "compact-ahead": false, ...settings?.flags },
      },
      ...rest,
      resume,
    });
  const agent: CompactingAgent = {
    emulator,
    disk,
    events,
    session: await open(false),
    run: (prompt = "Begin.", runOptions = {}) => collect(agent.session.run(prompt, runOptions)),
    async resume() {
      await agent.session.close();
      agent.session = await open(true);
    },
    summaries: () => [...emulator.requests].filter(asksForSummary),
    boundaries: async () =>
      (await entriesOf(agent.session)).flatMap((entry) =>
        entry.kind === "decision" && entry.decision.type === "compact" ? entry.decision : [],
      ),
  };
  return agent;
}

/** Calls `Grow` so many times, each with so many characters, and then says that it is done. */
export function growing(times: number, chars: number): ScriptFunction {
  let calls = 0;
  return () => {
    calls += 1;
    return calls <= times ? callTool("Grow", { chars, mark: `call-${calls}` }) : say("Done.");
  };
}

export const eventsOf = <Type extends Event["type"]>(events: readonly Event[], type: Type) =>
  events.filter((event): event is Extract<Event, { readonly type: Type }> => event.type === type);

/** No request was refused by the server itself. */
export function expectValid({ emulator }: Pick<CompactingAgent, "emulator">): void {
  const refused = [...emulator.requests].filter(({ outcome }) => outcome === "refused");
  expect(refused.flatMap(({ violations, error }) => [...violations, error])).toEqual([]);
}

export const shareOf = ({ usage }: RecordedRequest) => {
  const {
    input_tokens = 0,
    cache_read_input_tokens = 0,
    cache_creation_input_tokens = 0,
  } = (usage ?? {}) as Record<string, number>;
  return cache_read_input_tokens / (input_tokens + cache_read_input_tokens + cache_creation_input_tokens);
};

export type { Reply };
export { endOf };
