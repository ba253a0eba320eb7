import type { Usage } from "../../spec/index.ts";
import { countOf, isObject, type JsonObject } from "./json-value.ts";

/** Usage in the words of the Messages API, or of the chat completions API. */
export function readUsage(recorded: unknown): Usage | undefined {
  if (!isObject(recorded)) return undefined;
  return "prompt_tokens" in recorded ? chatUsage(recorded) : messagesUsage(recorded);
}

function messagesUsage(recorded: JsonObject): Usage {
  const split = recorded.cache_creation;
  return {
    input: countOf(recorded, "input_tokens"),
    output: countOf(recorded, "output_tokens"),
    cacheRead: countOf(recorded, "cache_read_input_tokens"),
    cacheCreation: countOf(recorded, "cache_creation_input_tokens"),
    ...(isObject(split) && {
      cacheCreation5m: countOf(split, "ephemeral_5m_input_tokens"),
      cacheCreation1h: countOf(split, "ephemeral_1h_input_tokens"),
    }),
  };
}

/** `prompt_tokens` includes what came from the cache; our `input` does not. */
function chatUsage(recorded: JsonObject): Usage {
  const details = recorded.prompt_tokens_details;
  const cacheRead = isObject(details) ? countOf(details, "cached_tokens") : 0;
  return {
    input: Math.max(0, countOf(recorded, "prompt_tokens") - cacheRead),
    output: countOf(recorded, "completion_tokens"),
    cacheRead,
    cacheCreation: 0,
  };
}

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

export function addUsage(sum: Usage, usage: Usage): Usage {
  const isSplit = [sum, usage].some((one) => one.cacheCreation5m !== undefined);
  return {
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    cacheRead: sum.cacheRead + usage.cacheRead,
    cacheCreation: sum.cacheCreation + usage.cacheCreation,
    ...(isSplit && {
      cacheCreation5m: (sum.cacheCreation5m ?? 0) + (usage.cacheCreation5m ?? 0),
      cacheCreation1h: (sum.cacheCreation1h ?? 0) + (usage.cacheCreation1h ?? 0),
    }),
  };
}
