import { fittingKeepWarm } from "@palimpsest/core/internal";
import type { Settings } from "@palimpsest/core/spec";
import type { ProtocolName } from "../protocol/protocol.ts";
import type { ConversationHead } from "./conversation.ts";

/**
 * The provider's settings. Chat completions have no markers; at the Messages API the client's own are heeded. `warmBy`: the
 * gateway's settings, where reads that keep the cache warm are on.
 */
export function conversationSettings(
  protocol: ProtocolName,
  { model, window, cacheTtl }: ConversationHead,
  warmBy: Settings | undefined,
): Settings {
  const capabilities = {
    ...(window !== undefined && { contextWindow: window }),
    ...(protocol === "openai" && { cacheMarkers: false }),
  };
  return {
    ...(cacheTtl && { cacheTtl }),
    keepWarm: warmBy && cacheTtl ? fittingKeepWarm(warmBy, cacheTtl) : noReads,
    ...(Object.keys(capabilities).length > 0 && { catalog: { capabilities: { [model]: capabilities } } }),
  };
}

/** An interval for reads that are not made, however long, is nothing that a client's lifetime refuses. */
const noReads = { enabled: false, intervalMinutes: 1 };
