import { isFreezeOnly } from "@palimpsest/core/internal";
import {
  type Entry,
  type LayerReport,
  PalimpsestError,
  type Prepared,
  type PrepareOptions,
  type Session,
} from "@palimpsest/core/spec";
import { createConversationWarmth } from "../keep-warm/create-conversation-warmth.ts";
import {
  chainOn,
  commonLength,
  isThoughtThrough,
  responseProbe,
  type Turn,
} from "../match/match-conversation.ts";
import type { ProtocolName, RelayedAnswer } from "../protocol/protocol.ts";
import type { Conversation, ConversationHead, ConversationNode, Managed } from "./conversation.ts";
import { type ConversationLocation, openConversationSession } from "./open-conversation-session.ts";

export interface ConversationInput {
  readonly id: string;
  readonly protocol: ProtocolName;
  readonly head: ConversationHead;
  /** The nodes in its log already; absent for a new one. */
  readonly nodes?: readonly ConversationNode[];
}

/** Opens or begins a conversation. Throws a `PalimpsestError` where its session cannot be opened. */
export async function openConversation(
  location: ConversationLocation,
  input: ConversationInput,
): Promise<Conversation> {
  const { id, protocol } = input;
  let { head } = input;
  const current = () => head;
  /** Decisions recorded since the last look. */
  let decided = 0;
  const watched: ConversationLocation = {
    ...location,
    onEvent(event) {
      if (event.type === "decision-record") decided += 1;
      location.onEvent?.(event);
    },
  };
  const warmth = createConversationWarmth(location.reads);
  const openAgain = (resume: boolean) =>
    openConversationSession(watched, { id, protocol, port: warmth.port }, current, resume);
  let session = await openAgain(input.nodes !== undefined);
  const nodes: ConversationNode[] = [...(input.nodes ?? [])];
  let answered = 0;
  let response: string | undefined;
  let isRewriting = false;
  let countedTokens = 0;
  let respondedAtMs = 0;
  let probe: Buffer | undefined;
  let hasThinking = isThinkingOn(head);
  /** How many messages the request had that was made last. */
  let prepared = 0;
  let levels = session.usage().thresholds;
  if (input.nodes) {
    isRewriting = await returnTo(session, nodes.at(-1)?.entry);
    answered = nodes.length;
  }

  /** Behind this many messages the log and the client's list part ways. */
  async function part(common: number): Promise<void> {
    const last = nodes[common - 1];
    if (!last) throw new PalimpsestError("conflict", "The conversation begins with something else.");
    await session.rewind(last.entry);
    nodes.length = common;
    answered = nodes.findLastIndex(({ role }) => role === "assistant") + 1;
    response = undefined;
    probe = undefined;
    countedTokens = 0;
  }

  const isBinding = () => protocol === "anthropic" && location.isBound(head.model);

  /** Where no request comes of it the client's own is sent: what was decided for it is taken back. */
  async function prepare(options: PrepareOptions = {}): Promise<Managed> {
    decided = 0;
    const made = await session.prepare(options).catch(async (cause: unknown) => {
      const last = nodes.at(-1);
      if (decided > 0 && last) await session.rewind(last.entry);
      throw cause;
    });
    const managed = toManaged(made, isRewriting);
    isRewriting = managed.isRewritten;
    prepared = nodes.length;
    return managed;
  }

  async function add(turn: Turn, digest: string): Promise<void> {
    const { role, content } = turn;
    hasThinking ||= isThoughtThrough(content);
    const entry = await session.add({ role, content });
    nodes.push({ digest, entry: entry.id, role });
    if (role !== "assistant") return;
    answered = nodes.length;
    response = chainOn(undefined, turn).alone;
  }

  return {
    id,
    protocol,
    nodes,
    get head() {
      return head;
    },
    get digests() {
      return nodes.map(({ digest }) => digest);
    },
    get answered() {
      return answered;
    },
    get response() {
      return response;
    },
    get isRewriting() {
      return isRewriting;
    },
    get countedTokens() {
      return countedTokens;
    },
    get respondedAtMs() {
      return respondedAtMs;
    },
    get levels() {
      return levels;
    },
    get probe() {
      return probe;
    },
    get isBound() {
      return hasThinking && isBinding();
    },
    async take(turns, digests) {
      const common = commonLength(
        nodes.map(({ digest }) => digest),
        digests,
      );
      if (common < nodes.length) await part(common);
      for (let at = common; at < turns.length; at += 1) await add(turns[at] as Turn, digests[at] as string);
    },
    prepare,
    async settle(answer) {
      hasThinking ||= isThoughtThrough(answer.content);
      // Thinking that is bound has to be known by what it was made on.
      if (isThoughtThrough(answer.content) && isBinding() && prepared !== nodes.length) await prepare();
      const turn: Turn = { role: "assistant", content: answer.content };
      const { digest, alone } = chainOn(nodes.at(-1)?.digest, turn);
      const entry = await session.add({ ...turn, ...messageFields(answer) });
      nodes.push({ digest, entry: entry.id, role: "assistant" });
      answered = nodes.length;
      response = alone;
      const { input, output, cacheRead, cacheCreation } = answer.usage;
      countedTokens = input + output + cacheRead + cacheCreation;
      respondedAtMs = location.clock.now();
      probe = responseProbe(answer.content);
    },
    plan: () => session.plan().layers,
    async refit(next) {
      const isSame = headKey(next) === headKey(head);
      head = next;
      if (isSame) return;
      await warmth.close();
      await session.close();
      hasThinking ||= isThinkingOn(head);
      session = await openAgain(true);
      levels = session.usage().thresholds;
    },
    get keepWarmDollars() {
      return session.usage().cache?.keepWarmDollars;
    },
    get isKeptWarm() {
      return warmth.isHolding;
    },
    keepWarm: warmth.begin,
    endReads: warmth.end,
    async close() {
      await warmth.close();
      await session.close();
    },
  };
}

function isThinkingOn({ fields }: ConversationHead): boolean {
  const thinking = fields.thinking as { readonly type?: unknown } | undefined;
  return thinking !== undefined && thinking.type !== "disabled";
}

function messageFields({ id, model, stopReason, usage, contextManagement }: RelayedAnswer) {
  return {
    ...(id !== "" && { id }),
    ...(model !== "" && { model }),
    stopReason,
    usage,
    ...(contextManagement && { contextManagement }),
  };
}

/** What makes a session begin anew: texts of the system prompt change with every request of some clients. */
function headKey({ model, tools, fields, window, cacheTtl }: ConversationHead): string {
  return JSON.stringify([model, tools.map(({ name }) => name), fields, window, cacheTtl]);
}

/** Puts a log that is opened again where its newest response is. Says whether decisions hold in it. */
async function returnTo(session: Session, entryId: string | undefined): Promise<boolean> {
  let isBehind = false;
  let hasMore = false;
  let isRewriting = false;
  for await (const entry of session.entries()) {
    if (isBehind && entry.kind === "message") hasMore = true;
    if (entry.id === entryId) isBehind = true;
    if (changesView(entry)) isRewriting = true;
  }
  if (!isBehind || entryId === undefined) {
    throw new PalimpsestError("not-found", `The log of ${session.id} does not have the relayed messages.`);
  }
  if (hasMore) await session.rewind(entryId);
  return isRewriting;
}

/** Whether an entry makes what is sent something else than what the client says. */
function changesView(entry: Entry): boolean {
  if (entry.kind !== "decision") return false;
  const { decision } = entry;
  if (isFreezeOnly(decision)) return false;
  return decision.type !== "rewind" && decision.type !== "restore";
}

function toManaged({ request, report }: Prepared, wasRewriting: boolean): Managed {
  const acted = report.layers.filter(({ outcome }) => outcome === "act");
  const isChanged = (one: LayerReport) => one.layer !== "tool-results" || one.frees !== 0;
  const isRewritten =
    wasRewriting || acted.some(isChanged) || report.repairs.length > 0 || report.thinking !== undefined;
  const { repairs } = report;
  return { request, isRewritten, tokens: report.count.tokens, acted, repairs: repairs.length };
}
