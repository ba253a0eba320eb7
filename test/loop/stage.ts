import { expect } from "vitest";
import type {
  Entry,
  LoopEvent,
  Message,
  Model,
  RunOptions,
  Session,
  Tool,
} from "../../packages/core/src/spec/index.ts";
import type { openSession } from "../../packages/palimpsest/src/loop/open-session.ts";
import {
  createVirtualDisk,
  type Emulator,
  type EmulatorOptions,
  type RecordedRequest,
  say,
  type VirtualDisk,
} from "../../packages/testing/src/index.ts";
import {
  collect,
  createHastyClock,
  endOf,
  entriesOf,
  modelAt,
  openAgent,
  type Provider,
} from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

export const providers: readonly Provider[] = ["anthropic", "openai"];

type Options = NonNullable<Parameters<typeof openSession>[0]>;

export interface StageOptions extends Omit<Options, "model" | "fallbackModel" | "store" | "id"> {
  readonly provider?: Provider;
  readonly script?: EmulatorOptions["script"];
  readonly emulation?: EmulatorOptions;
  readonly model?: string | ((emulator: Emulator) => Model);
  readonly fallback?: string;
  readonly disk?: VirtualDisk;
}

/** A session that can run, the server it asks, and what both have left behind. */
export interface Stage {
  readonly emulator: Emulator;
  readonly clock: ReturnType<typeof createHastyClock>;
  readonly disk: VirtualDisk;
  session: Session;
  run(prompt?: string, options?: RunOptions): Promise<readonly LoopEvent[]>;
  /** Closes the session and opens it again from its log, with another model where one is named. */
  resume(model?: string): Promise<void>;
}

export async function setStage(given: StageOptions): Promise<Stage> {
  const { provider = "anthropic", script, emulation, model, fallback, disk: givenDisk, ...rest } = given;
  const { emulator } = await emulate({ ...(script && { script }), ...emulation });
  const clock = createHastyClock();
  const disk = givenDisk ?? createVirtualDisk();
  const options: Options = {
    model: typeof model === "function" ? model(emulator) : modelAt(emulator, provider, model),
    ...(fallback !== undefined && { fallbackModel: modelAt(emulator, provider, fallback) }),
    clock,
    ...rest,
  };
  const open = (resume: boolean, other?: string) =>
    openAgent({
      ...options,
      ...(other !== undefined && { model: modelAt(emulator, provider, other) }),
      store: createVirtualStore({ disk }),
      id: "one",
      resume,
    });
  const stage: Stage = {
    emulator,
    clock,
    disk,
    session: await open(false),
    run: (prompt = "Begin.", runOptions = {}) => collect(stage.session.run(prompt, runOptions)),
    async resume(other) {
      await stage.session.close();
      stage.session = await open(true, other);
    },
  };
  return stage;
}

/** What a person sees, a line for each event; pieces of an answer are one line. */
export function storyOf(events: readonly LoopEvent[]): readonly string[] {
  const lines = events.map(lineOf);
  return lines.filter((line, at) => line !== "…" || lines[at - 1] !== "…");
}

function lineOf(event: LoopEvent): string {
  switch (event.type) {
    case "block-start":
    case "block-delta":
    case "block-end":
      return "…";
    case "model-start":
      return `model-start ${event.model} ${event.attempt}`;
    case "response-end":
      return `response-end ${event.stopReason}`;
    case "response-cut":
    case "retry-wait":
      return `${event.type} ${event.code}: ${withoutAddress(event.message)}`;
    case "model-fallback":
      return `model-fallback ${event.from} ${event.to}`;
    case "notice-add":
      return `notice-add ${event.subtype}: ${event.text}`;
    case "tool-start":
      return `tool-start ${event.tool}`;
    case "tool-end":
      return `tool-end ${event.tool}${event.isError ? " failed" : ""}: ${textOf(event.content)}`;
    case "tool-progress":
      return `tool-progress ${event.text}`;
    case "permission-ask":
      return `permission-ask ${event.question.tool}`;
    case "message-show":
      return `${event.level}: ${event.text}`;
    case "run-end":
      return `run-end ${event.reason}${event.message === undefined ? "" : `: ${withoutAddress(event.message)}`}`;
    default:
      return event.type;
  }
}

/** The emulator listens somewhere else each time. */
const withoutAddress = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+/g, "Server");

const textOf = (content: unknown) => (typeof content === "string" ? content : JSON.stringify(content));

/** Requests for answers, oldest first. */
export function asked({ emulator }: Pick<Stage, "emulator">): readonly RecordedRequest[] {
  return [...emulator.requests].filter(
    ({ endpoint }) => endpoint === "messages" || endpoint === "chat_completions",
  );
}

export const bodiesOf = (stage: Pick<Stage, "emulator">) =>
  asked(stage).map(({ body }) => JSON.stringify(body));

/** No request was refused by the server itself. */
export function expectValid(stage: Pick<Stage, "emulator">): void {
  expect(
    asked(stage).flatMap(({ violations, outcome }) => (outcome === "refused" ? violations : [])),
  ).toEqual([]);
}

export async function messagesOf(session: Session): Promise<readonly Message[]> {
  return (await entriesOf(session)).flatMap((entry: Entry) =>
    entry.kind === "message" ? entry.message : [],
  );
}

/** Answers in the log: what of each was said, and whether it may be sent. */
export async function answersOf(session: Session): Promise<readonly string[]> {
  const messages = await messagesOf(session);
  return messages
    .filter(({ type }) => type === "assistant")
    .map(({ content, isAborted }) => `${isAborted ? "cut" : "whole"}: ${saidIn(content)}`);
}

function saidIn(content: Message["content"]): string {
  if (typeof content === "string") return content;
  return content
    .map((block) =>
      "text" in block ? block.text : "name" in block ? `${block.type} ${block.name}` : block.type,
    )
    .join(" + ");
}

/** Every call in a request has exactly one result, right behind it. */
export function expectAnswered(messages: readonly { role: string; content: unknown }[]): void {
  for (const [at, message] of messages.entries()) {
    const calls = idsIn(message.content, "tool_use", "id");
    const next = messages[at + 1];
    const results = next ? idsIn(next.content, "tool_result", "tool_use_id") : [];
    expect([...results].sort()).toEqual([...calls].sort());
  }
}

function idsIn(content: unknown, type: string, field: string): readonly string[] {
  if (!Array.isArray(content)) return [];
  return content.filter((block) => block.type === type).map((block) => String(block[field]));
}

/**
 * The session is opened again from its log, makes the very same request as before, and goes on: whatever happened,
 * nothing is lost and nothing is in the way.
 */
export async function expectGoesOn(stage: Stage, model?: string): Promise<void> {
  const before = await stage.session.prepare();
  await stage.resume(model);
  const after = await stage.session.prepare();
  expect(unmarked(after.request)).toBe(unmarked(before.request));
  expectAnswered(after.request.messages);
  stage.emulator.setScript([say("I go on.")]);
  const events = await stage.run("Go on.");
  expect(endOf(events)).toMatchObject({ reason: "done", text: "I go on.", requests: 1 });
  expectValid(stage);
}

/** As the model sees it: markers for the cache depend on what was sent, and are no part of it. */
export const unmarked = (request: unknown) =>
  JSON.stringify(request, (key, value: unknown) => (key === "cache_control" ? undefined : value));

export const echo: Tool = {
  name: "Echo",
  description: "Gives back what it is given.",
  input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  isReadOnly: true,
  run: async (input) => ({ content: (input as { text: string }).text }),
};
