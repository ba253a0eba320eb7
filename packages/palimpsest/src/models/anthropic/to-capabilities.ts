import { isObject } from "@palimpsest/core/internal";
import type { Capabilities } from "@palimpsest/core/spec";

/** What the Models API says of a model, as far as we have words for it. */
export function toCapabilities(model: unknown): Partial<Capabilities> {
  const { max_input_tokens, max_tokens, capabilities } = isObject(model) ? model : {};
  const { context_management, compaction } = isObject(capabilities) ? capabilities : {};
  const management = isObject(context_management) ? context_management : {};
  const contextManagement = isSupported(context_management);
  const nativeCompaction = isSupported(compaction);
  const serverCompaction = isSupported(management.compact_20260112);
  const cacheEdits = isSupported(management.cache_edits);
  return {
    ...(isLimit(max_input_tokens) && { contextWindow: max_input_tokens }),
    ...(isLimit(max_tokens) && { maxOutput: max_tokens }),
    ...(contextManagement !== undefined && { contextManagement }),
    ...(nativeCompaction !== undefined && { nativeCompaction }),
    ...(serverCompaction !== undefined && { serverCompaction }),
    ...(cacheEdits !== undefined && { cacheEdits }),
  };
}

function isSupported(capability: unknown): boolean | undefined {
  return isObject(capability) && typeof capability.supported === "boolean" ? capability.supported : undefined;
}

function isLimit(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
