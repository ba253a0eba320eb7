import type { Facts, LayerId, ToolDefinition } from "../../spec/index.ts";
import { longTtlMs } from "../../view/economics/request-gaps.ts";
import { withHeadRoom } from "../../view/window/head-room.ts";
import type { WindowThresholds } from "../../view/window/window-thresholds.ts";
import { cacheFacts, cacheLife } from "../cache/cache-facts.ts";
import { headTokensOf } from "../head/head-tokens.ts";
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
