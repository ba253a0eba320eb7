import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Entry,
  type Facts,
  isBlock,
  type LayerId,
  type Message,
  type MessageEntry,
  type Moment,
  type ToolDefinition,
  type ViewItem,
} from "../../spec/index.ts";
import { longTtlMs } from "../../view/economics/request-gaps.ts";
import { windowFullStop } from "../../view/newest-answer.ts";
import { roleOf } from "../../view/projection/message-items.ts";
import { itemFeatures } from "../../view/projection/repaired-items.ts";
import {
  type CountedItem,
  createTokenCounter,
  featuresOf,
  type TokenCounter,
} from "../../view/tokens/index.ts";
import { withHeadRoom } from "../../view/window/window.ts";
import type { WindowThresholds } from "../../view/window/window-thresholds.ts";
import { cacheFacts, cacheLife } from "../cache/cache-watch.ts";
import { headTokensOf } from "../head/request-head.ts";
import type { SessionConfig } from "../session-config.ts";
import type { SessionParts } from "../session-parts.ts";

/** Everything a layer may know besides the view, as it is now. Frozen, since several layers are given the same. */
export function currentFacts(
  parts: Omit<SessionParts, "surroundings">,
  runningTasks: readonly LayerId[],
): Facts {
  const { clock, head, config, state } = parts;
  const nowMs = clock.now();
  const headCount = headTokensOf(parts);
  const { capabilities, settings, thresholds: usual } = configFacts(config);
  const thresholds = headRoomOf(config.thresholds, headCount.tokens, usual);
  return Object.freeze({
    nowMs,
    model: head.model,
    source: parts.source,
    capabilities,
    settings,
    thresholds,
    prices: config.catalog.prices(head.model).value,
    cache: cacheFacts(parts, nowMs),
    runningTasks,
    statistics: state.statistics,
    tools: head.traits,
    request: head.fields,
    expectedRequests: parts.gaps.requestsLeft(cacheLife(parts).believedMs >= longTtlMs ? "1h" : "5m"),
    headTokens: headCount.tokens,
    isHeadCounted: headCount.source === "usage",
    compaction: state.compactions,
    canFork: parts.loop !== undefined,
    ...readBackAddress(parts),
  });
}

/** Where the log is, for a model that has no tool to recall with. */
export function readBackAddress(
  parts: Pick<SessionParts, "store" | "id" | "parent" | "head">,
): Pick<Facts, "logAddress"> {
  return hasRecall(parts.head.tools) ? {} : { logAddress: logAddressOf(parts) };
}

/**
 * Whether a tool gives the model back what was taken out, by its own name or as an MCP server's. One of that name that
 * says what it takes, and takes no id, is somebody else's.
 */
function hasRecall(tools: readonly ToolDefinition[]): boolean {
  return tools.some(({ name, input_schema }) => {
    const properties = input_schema?.properties;
    const takesIds = typeof properties !== "object" || properties === null || Object.hasOwn(properties, "id");
    return recallName.test(name) && takesIds;
  });
}

/** A fork says what its parent says: what it is forked from stands there, and both send the same bytes. */
function logAddressOf({ store, id, parent }: Pick<SessionParts, "store" | "id" | "parent">): string {
  const session = parent?.session ?? id;
  return store.logs.address?.(session) ?? `the log of session ${session}`;
}

const recallName = /(?:^|_)recall$/i;

type ConfigFacts = Pick<Facts, "capabilities" | "settings" | "thresholds">;

const knownConfigs = new WeakMap<SessionConfig, ConfigFacts>();

/** The part that was settled when the session was opened, put together once. */
function configFacts(config: SessionConfig): ConfigFacts {
  const known = knownConfigs.get(config) ?? readConfig(config);
  knownConfigs.set(config, known);
  return known;
}

function readConfig({ settings, flags, switches, capabilities, thresholds }: SessionConfig): ConfigFacts {
  const { window, effective, auto, warning, error, blocking } = thresholds;
  return {
    capabilities,
    settings: Object.freeze({ ...settings, flags: flags.values, switches }),
    thresholds: Object.freeze({ window, effective, auto, warning, error, blocking }),
  };
}

/** The levels, where system prompt and tools leave them as they are; those that leave a conversation room where not. */
function headRoomOf(
  thresholds: WindowThresholds,
  headTokens: number,
  usual: Facts["thresholds"],
): Facts["thresholds"] {
  const fitted = withHeadRoom(thresholds, headTokens);
  if (fitted === thresholds) return usual;
  const { window, effective, auto, warning, error, blocking } = fitted;
  return { window, effective, auto, warning, error, blocking };
}

/** Stop reasons after which the model is asked again without a word of the user. */
const unfinished = new Set(["tool_use", "pause_turn", "compaction", windowFullStop]);

/** What an added message means to the layers, in order. What is attached is nobody's word: it begins nothing. */
export function momentsOf(message: Message): readonly Moment[] {
  if (roleOf(message) === null || message.type === "attachment") return [];
  return message.type === "assistant" ? responseMoments(message) : userMoments(message);
}

function responseMoments(message: Message): readonly Moment[] {
  const { usage, stopReason = null, contextManagement } = message;
  const appliedEdits = contextManagement?.applied_edits ?? [];
  const after: Moment[] = usage ? [{ kind: "after-response", usage, appliedEdits, stopReason }] : [];
  return isTurnEnd(message) ? [...after, { kind: "turn-end" }] : after;
}

/** Where no stop reason is given, a response without calls ends the turn, unless more of it may come. */
function isTurnEnd({ content, stopReason, responseId, usage }: Message): boolean {
  if (stopReason !== undefined && stopReason !== null) return !unfinished.has(stopReason);
  if (responseId !== undefined && !usage) return false;
  return typeof content === "string" || !content.some((block) => isBlock(block, "tool_use"));
}

function userMoments({ content }: Message): readonly Moment[] {
  if (typeof content === "string") return [{ kind: "turn-start", prompt: content }];
  const results = content.flatMap((block) => (isBlock(block, "tool_result") ? block.tool_use_id : []));
  if (results.length > 0) return [{ kind: "tool-round", results }];
  const prompt = content.flatMap((block) => (isBlock(block, "text") ? block.text : [])).join("\n");
  return [{ kind: "turn-start", prompt }];
}

/** Whether this is done on behalf of a layer that the session waits for: waiting for the session there never ends. */
export const layerContext = new AsyncLocalStorage<boolean>();

/** A message as far as counting goes. `model` is the one that was asked when it came. */
export function toCounted({ message }: MessageEntry, model = "the session's"): CountedItem {
  const { responseId, usage, isAborted } = message;
  return { features: featuresOf(message.content), responseId, usage, model, isAborted };
}

/** Right behind a boundary everything is estimated: what was measured before is of another view. */
export function countFromView(items: readonly ViewItem[]): TokenCounter {
  const blocks = items.map((item) => ({ features: itemFeatures(item), isKept: true }));
  return createTokenCounter(blocks);
}

/** Counts anew after an undo or a rewind, live entry by live entry. */
interface FactsRebuild {
  /** `items`: the view once the entry was taken in. */
  add(entry: Entry, items: readonly ViewItem[]): void;
  readonly counter: TokenCounter;
}

/**
 * Begins with the view at a boundary. What was measured between a compaction and its undo is of a view that is gone:
 * the content counts, the measures do not. What an undone decision had freed comes back where it was undone.
 */
export function createRecount(
  start: readonly ViewItem[],
  isDead: (decision: string) => boolean,
): FactsRebuild {
  let counter = countFromView(start);
  const freed = new Map<string, number>();
  const undone = new Set<string>();

  function decide(entry: Entry & { readonly kind: "decision" }, items: readonly ViewItem[]): void {
    const { decision, id } = entry;
    if (decision.type === "restore") {
      const back = -(freed.get(decision.decision) ?? 0);
      freed.set(id, back);
      counter.free(back);
      undone.delete(decision.decision);
    } else if (decision.type !== "compact") {
      freed.set(id, decision.frees);
      counter.free(decision.frees);
    } else if (isDead(id)) undone.add(id);
    else counter = countFromView(items);
  }

  return {
    get counter() {
      return counter;
    },
    add(entry, items) {
      if (entry.kind === "decision") decide(entry, items);
      if (entry.kind === "message" && roleOf(entry.message) !== null)
        counter.add({ ...toCounted(entry), isKept: undone.size > 0 });
    },
  };
}
