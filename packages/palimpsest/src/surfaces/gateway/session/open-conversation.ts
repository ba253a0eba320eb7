import { openSession as openContext } from "@palimpsest/core";
import { isFreezeOnly, layerSettings } from "@palimpsest/core/internal";
import {
  type Entry,
  type Event,
  fail,
  type LayerReport,
  type Model,
  PalimpsestError,
  type Prepared,
  type PrepareOptions,
  type ProjectStore,
  type Session,
  type Settings,
} from "@palimpsest/core/spec";
import {
  chainOn,
  commonLength,
  isThoughtThrough,
  responseProbe,
  type Turn,
} from "../match/match-conversation.ts";
import type { ProtocolName, RelayedAnswer } from "../protocol/protocol.ts";
import type { Conversation, ConversationHead, ConversationNode, Managed } from "./conversation.ts";
import { gatewayLayers } from "./gateway-layers.ts";

/** Where conversations live, and what is the same for all of them. */
export interface ConversationLocation {
  readonly store: ProjectStore;
  readonly home: string;
  readonly cwd: string;
  /** The program's settings: stronger than those of files, weaker than what the provider is known to do. */
  readonly settings: Settings;
  readonly now: () => number;
  readonly onEvent?: (event: Event) => void;
  readonly isBound: (model: string) => boolean;
}

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
  let session = await openWith(watched, input, current, input.nodes !== undefined);
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
      respondedAtMs = location.now();
      probe = responseProbe(answer.content);
    },
    plan: () => session.plan().layers,
    async refit(next) {
      const isSame = headKey(next) === headKey(head);
      head = next;
      if (isSame) return;
      await session.close();
      hasThinking ||= isThinkingOn(head);
      session = await openWith(watched, input, current, true);
      levels = session.usage().thresholds;
    },
    close: () => session.close(),
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

async function openWith(
  location: ConversationLocation,
  { id, protocol }: Pick<ConversationInput, "id" | "protocol">,
  current: () => ConversationHead,
  resume: boolean,
): Promise<Session> {
  const { store, home, cwd, onEvent } = location;
  const { model, system, tools, fields, asked } = current();
  const settings = layerSettings(location.settings, settingsOf(protocol, current()));
  const options = {
    id,
    system,
    tools: tools.filter(({ name }, at) => tools.findIndex((tool) => tool.name === name) === at),
    request: fields,
    // The client has the last word on what it sends back.
    keepsUnknownBlocks: true,
    store,
    home,
    cwd,
    settings,
    keepsSettings: false,
    // Its results are the client's, which sends the same again.
    secrets: false as const,
    ...(resume && { resume }),
    ...(onEvent && { onEvent }),
    layers: gatewayLayers(),
  };
  if (!asked) return openContext({ ...options, model });
  const { openSession } = await import("../../../loop/open-session.ts");
  return openSession({ ...options, isAgent: true, model: askedModel(model, current) });
}

/** The gateway keeps nothing warm: an interval for reads, however long, is nothing that a client's lifetime refuses. */
const noReads: Settings = { keepWarm: { enabled: false, intervalMinutes: 1 } };

/** The provider's settings. Chat completions have no markers; at the Messages API the client's own are heeded. */
function settingsOf(protocol: ProtocolName, { model, window, cacheTtl }: ConversationHead): Settings {
  const capabilities = {
    ...(window !== undefined && { contextWindow: window }),
    ...(protocol === "openai" && { cacheMarkers: false }),
  };
  return {
    ...(cacheTtl && { cacheTtl }),
    ...noReads,
    ...(Object.keys(capabilities).length > 0 && { catalog: { capabilities: { [model]: capabilities } } }),
  };
}

/** The model of a conversation, as its newest request reaches it. */
function askedModel(name: string, current: () => ConversationHead): Model {
  return {
    name,
    async *stream(request, signal) {
      const model = await current().asked?.();
      if (model) yield* model.stream(request, signal);
      else yield fail("no-model", "Nobody can be asked: no request is under way.");
    },
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
