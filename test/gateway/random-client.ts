import { ChatCompletionStream } from "openai/lib/ChatCompletionStream";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import { type ContentBlock, isBlock } from "../../packages/core/src/spec/index.ts";
import {
  createGateway,
  type Gateway,
  type GatewayEvent,
  type GatewayOptions,
} from "../../packages/palimpsest/src/surfaces/gateway/index.ts";
import {
  canonicalMessage,
  type Turn,
} from "../../packages/palimpsest/src/surfaces/gateway/match/match-conversation.ts";
import { readChatRequest } from "../../packages/palimpsest/src/surfaces/gateway/openai/openai-protocol.ts";
import { gatewayLayers } from "../../packages/palimpsest/src/surfaces/gateway/session/gateway-layers.ts";
import {
  callTool,
  createEmulator,
  createSeededRandom,
  type Emulator,
  fault,
  type RecordedRequest,
  type Reply,
  say,
} from "../../packages/testing/src/index.ts";
import { readTool } from "../support/emulator.ts";
import { clientsOf, model } from "./gateway-stage.ts";

type Conversation = Turn[];

export const behaviours = [
  "say",
  "say",
  "call",
  "call",
  "call",
  "retry",
  "fork",
  "edit",
  "slide",
  "parallel",
  "leave",
  "fault",
  "count",
  "restart",
] as const;

export interface RandomRun {
  readonly home: string;
  readonly seed: number;
  readonly count: number;
  readonly protocol: "anthropic" | "openai";
  readonly windowTokens: number;
  readonly compactBy?: GatewayOptions["compactBy"];
}

export interface RandomReport {
  readonly done: Readonly<Record<string, number>>;
  readonly invalidRequests: readonly string[];
  /** Answers that were not meant for the request they came for. */
  readonly incoherent: readonly string[];
  /** Sessions whose log does not give what was sent. */
  readonly different: readonly string[];
  readonly compared: number;
  readonly rewritten: number;
  readonly failures: readonly GatewayEvent[];
}

const tagsIn = (value: unknown) =>
  [...JSON.stringify(value).matchAll(/#(\d+)#/g)].map(([, tag]) => Number(tag));

/** The summary's prompt stands last. */
const isSummaryAsked = (words: string) => /<summary>/.test(words.slice(-4_000));

/** Answers with the newest tag of the last message, by a call where that is asked for. */
function answer(request: RecordedRequest): Reply {
  const messages = request.whole?.messages as readonly Turn[];
  const last = messages.at(-1);
  const tag = Math.max(-1, ...tagsIn(last));
  const words = JSON.stringify(last);
  if (isSummaryAsked(words)) return say("<summary>Nothing of note has happened so far.</summary>");
  if (words.includes(`fail #${tag}#`)) return fault.overloaded();
  if (words.includes(`call #${tag}#`)) return callTool("Read", { file_path: `/tag/#${tag}#` });
  return say(`For #${tag}#: ${"words of the assistant ".repeat(tag % 40)}`);
}

/** A client that does at random what clients do, for real, through a real gateway to the emulator. */
export async function runRandomClient(run: RandomRun): Promise<RandomReport> {
  const random = createSeededRandom(run.seed);
  const emulator = await createEmulator({
    script: answer,
    keepBodies: 10_000,
    keepRequests: 20_000,
    catalog: { capabilities: { "*": { contextWindow: run.windowTokens } } },
  });
  const world = await createWorld(run, emulator);
  try {
    for (let step = 0; step < run.count; step += 1) {
      const behaviour = behaviours[random.below(behaviours.length)] ?? "say";
      await world.act(behaviour, random);
    }
    return await world.report();
  } finally {
    await world.close();
    await emulator.close();
  }
}

async function createWorld({ home, protocol, windowTokens, compactBy }: RandomRun, emulator: Emulator) {
  const events: GatewayEvent[] = [];
  const start = () =>
    createGateway({
      ...{ upstream: emulator.url, home, cwd: home },
      ...(compactBy && { compactBy }),
      onEvent: (event) => events.push(event),
    });
  let gateway: Gateway = await start();
  const conversations: Conversation[] = [];
  const done: Record<string, number> = {};
  const incoherent: string[] = [];
  /** By session: the request that was answered last, or nothing where a later one was not. */
  const answered = new Map<string, string | null>();
  let tags = 0;

  async function ask(list: Conversation, options: { readonly leaves?: boolean } = {}): Promise<Turn | null> {
    const tag = Math.max(...tagsIn(list.at(-1)));
    const signal = new AbortController();
    try {
      const { turn, session, request } = await (protocol === "anthropic" ? askMessages : askChat)(
        gateway.url,
        list,
        signal,
        options.leaves ?? false,
      );
      if (turn && !tagsIn(turn).includes(tag))
        incoherent.push(`#${tag}# got ${JSON.stringify(turn).slice(0, 200)}`);
      if (session !== null) answered.set(session, turn ? request : null);
      return turn;
    } catch (cause) {
      if ((cause as { readonly status?: number }).status === undefined) throw cause;
      const session = (cause as { readonly headers?: Headers }).headers?.get("x-palimpsest-session");
      if (session) answered.set(session, null);
      return null;
    }
  }

  /** Says something, and goes on until the assistant has said something. */
  async function talk(list: Conversation, words: string, size = 0): Promise<boolean> {
    list.push({ role: "user", content: `${words} #${tags++}# ${"more words ".repeat(size)}` });
    for (;;) {
      const turn = await ask(list);
      if (!turn) {
        list.pop();
        return false;
      }
      list.push(turn);
      const calls = (turn.content as readonly ContentBlock[]).filter((block) => isBlock(block, "tool_use"));
      if (calls.length === 0) return true;
      const content = calls.map(({ id }) => ({
        type: "tool_result" as const,
        tool_use_id: id,
        content: `result #${tags++}# ${"line of a result\n".repeat(size * 7)}`,
      }));
      list.push({ role: "user", content });
    }
  }

  const pick = (random: { below(bound: number): number }) => {
    if (conversations.length === 0 || random.below(9) === 0) conversations.push([]);
    return conversations[random.below(conversations.length)] as Conversation;
  };
  const ended = (list: Conversation) =>
    list.flatMap(({ role }, at) => (role === "assistant" && !isCall(list[at] as Turn) ? at + 1 : []));

  return {
    async act(behaviour: (typeof behaviours)[number], random: { below(bound: number): number }) {
      done[behaviour] = (done[behaviour] ?? 0) + 1;
      const list = pick(random);
      const ends = ended(list);
      const end = ends[random.below(Math.max(1, ends.length))] ?? 0;
      if (behaviour === "say") await talk(list, "say", random.below(200));
      if (behaviour === "call") await talk(list, "call", random.below(250));
      if (behaviour === "fault") await talk(list, "fail");
      if (behaviour === "retry" && (await talk(list, "say"))) {
        list.pop();
        const again = await ask(list);
        if (again) list.push(again);
      }
      if (behaviour === "fork") {
        const fork = structuredClone(list.slice(0, end));
        if (await talk(fork, "say", 20)) conversations.push(fork);
      }
      if (behaviour === "edit" && list.length > 2) {
        const at = list.findIndex(({ role, content }) => role === "user" && typeof content === "string");
        const { role, content } = list[at] as Turn;
        list[at] = { role, content: `${content as string} (edited)` };
        await talk(list, "say");
      }
      if (behaviour === "slide" && end > 0 && end < list.length) {
        list.splice(0, end);
        await talk(list, "say");
      }
      if (behaviour === "parallel") {
        const copies = Array.from({ length: 2 + random.below(2) }, () => structuredClone(list));
        const outcomes = await Promise.all(copies.map((copy) => talk(copy, "say", 5)));
        conversations.push(...copies.filter((_, at) => outcomes[at]));
      }
      if (behaviour === "leave") {
        list.push({ role: "user", content: `say #${tags++}#` });
        await ask(list, { leaves: true });
        list.pop();
      }
      if (behaviour === "count" && protocol === "anthropic" && list.length > 0) {
        const messages = [...list, { role: "user", content: `say #${tags++}#` }];
        const counted = await clientsOf(gateway.url).anthropic.messages.countTokens({
          model,
          tools: [readTool],
          messages: messages as never,
        });
        if (counted.input_tokens > windowTokens) incoherent.push(`${counted.input_tokens} tokens counted`);
        // The count has put its words behind what was answered.
        answered.clear();
      }
      if (behaviour === "restart") {
        await gateway.close();
        gateway = await start();
      }
    },
    async report(): Promise<RandomReport> {
      await gateway.close();
      const different: string[] = [];
      let compared = 0;
      for (const [session, request] of answered) {
        if (request === null) continue;
        const sent = sentFor(emulator, request, protocol);
        const projected = await projectedTurns(home, session);
        compared += 1;
        const [made, given] = [flat(projected.slice(0, -1)), flat(sent)];
        if (made !== given) different.push(`${session} ${firstDifference(made, given)}`);
      }
      const refused = emulator.requests.where(({ outcome }) => outcome === "refused");
      return {
        done,
        invalidRequests: refused.map(({ error, number }) => `${number}: ${error?.message}`),
        incoherent,
        different,
        compared,
        rewritten: events.filter((event) => event.type === "request-end" && event.sent === "rewritten")
          .length,
        failures: events.filter(({ type }) => type === "gateway-failure"),
      };
    },
    close: () => gateway.close(),
  };
}

const isCall = ({ content }: Turn) =>
  typeof content !== "string" && content.some((block) => isBlock(block, "tool_use"));

async function askMessages(url: string, list: Conversation, leaving: AbortController, leaves: boolean) {
  const body = { model, max_tokens: 500, tools: [readTool], messages: list as never };
  const stream = clientsOf(url).anthropic.messages.stream(body, { signal: leaving.signal });
  const { response } = await stream.withResponse();
  const session = response.headers.get("x-palimpsest-session");
  const request = response.headers.get("request-id") ?? response.headers.get("x-request-id");
  if (leaves) {
    leaving.abort();
    await stream.done().catch(() => undefined);
    return { turn: null, session, request };
  }
  const { content } = await stream.finalMessage();
  return {
    turn: { role: "assistant" as const, content: content as readonly ContentBlock[] },
    session,
    request,
  };
}

async function askChat(url: string, list: Conversation, leaving: AbortController, leaves: boolean) {
  const { messages, tools } = toChat(list);
  const body = { model: "gpt-4.1", messages, tools, stream: true } as const;
  const { data, response } = await clientsOf(url)
    .openai.chat.completions.create(body as never, { signal: leaving.signal })
    .withResponse();
  const session = response.headers.get("x-palimpsest-session");
  const request = response.headers.get("request-id") ?? response.headers.get("x-request-id");
  if (leaves) {
    leaving.abort();
    return { turn: null, session, request };
  }
  const stream = ChatCompletionStream.fromReadableStream((data as never as Stream).toReadableStream());
  const completion = await stream.finalChatCompletion();
  const [turn] = readTurns([completion.choices[0]?.message as object]);
  return { turn: turn ?? null, session, request };
}

interface Stream {
  toReadableStream(): ReadableStream;
}

function toChat(list: Conversation) {
  const messages = list.flatMap(({ role, content }): readonly object[] => {
    if (typeof content === "string") return [{ role, content }];
    const results = content.filter((block) => isBlock(block, "tool_result"));
    if (results.length > 0)
      return results.map(({ tool_use_id: id, content: text }) => ({
        role: "tool",
        tool_call_id: id,
        content: text,
      }));
    const text = content.flatMap((block) => (isBlock(block, "text") ? block.text : [])).join("");
    const calls = content.filter((block) => isBlock(block, "tool_use"));
    const toolCalls = calls.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    }));
    return [{ role, content: text || null, ...(calls.length > 0 && { tool_calls: toolCalls }) }];
  });
  const { name, input_schema: parameters } = readTool;
  return { messages, tools: [{ type: "function", function: { name, parameters } }] };
}

const readTurns = (messages: readonly object[]): readonly Turn[] => {
  const read = readChatRequest({ model: "gpt-4.1", messages: [...messages] });
  return read.ok ? read.value.turns : [];
};

function sentFor(emulator: Emulator, id: string, protocol: RandomRun["protocol"]): readonly Turn[] {
  const [request] = emulator.requests.where(({ requestId }) => requestId === id);
  const messages = (request?.body?.messages ?? []) as readonly object[];
  return protocol === "anthropic" ? (messages as readonly Turn[]) : readTurns(messages);
}

/** What a session would send now, by its log alone. */
async function projectedTurns(home: string, id: string): Promise<readonly Turn[]> {
  const layers = gatewayLayers();
  const session = await openSession({ home, cwd: home, id, readOnly: true, keepsSettings: false, layers });
  try {
    const { request } = await session.prepare();
    return request.messages as readonly Turn[];
  } finally {
    await session.close();
  }
}

/** Neighbours of one role are one message, results first: what the API makes of a list. */
function flat(turns: readonly Turn[]): string {
  const merged: { role: Turn["role"]; content: ContentBlock[] }[] = [];
  for (const { role, content } of turns) {
    const blocks: readonly ContentBlock[] =
      typeof content === "string" ? [{ type: "text", text: content }] : content;
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else merged.push({ role, content: [...blocks] });
  }
  return merged
    .map(({ role, content }) => {
      const results = content.filter((block) => isBlock(block, "tool_result"));
      const rest = content.filter((block) => !isBlock(block, "tool_result"));
      return canonicalMessage({ role, content: [...results, ...rest] }).replaceAll(/[\s]+|\\n/g, " ");
    })
    .join("\n");
}

function firstDifference(one: string, other: string): string {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  const from = Math.max(0, at - 80);
  return `${one.length}/${other.length} at ${at}: “${one.slice(from, at + 80)}” and “${other.slice(from, at + 80)}”`;
}
