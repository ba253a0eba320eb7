import { fail, ok, type Result, type Usage } from "../../spec/index.ts";
import { isCount } from "../../view/projection/sound-message.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Our names, and the API's own for the same. */
const names = {
  input: "input_tokens",
  output: "output_tokens",
  cacheRead: "cache_read_input_tokens",
  cacheCreation: "cache_creation_input_tokens",
} as const;

/** OpenAI's two protocols: what is cached is a part of the prompt there, and is told in details of its own. */
const totals = [
  { prompt: "prompt_tokens", answer: "completion_tokens", details: "prompt_tokens_details" },
  { prompt: "input_tokens", answer: "output_tokens", details: "input_tokens_details" },
] as const;

/**
 * Usage as it is counted, from our own shape or from a response as it came: of the Messages API, of chat completions or
 * of the Responses API. Where it does not name a part, that part is 0; `null` and an absent usage are none.
 */
export function toUsage(given: unknown): Result<Usage | undefined> {
  if (given === undefined || given === null) return ok(undefined);
  if (!isFields(given)) return refused("usage", given);
  const shape = totals.find(({ prompt, details }) => isFields(given[details]) || isOnlyIn(given, prompt));
  if (shape) return fromTotals(given, shape);
  const counts: Record<string, number> = {};
  for (const [name, wireName] of Object.entries(names)) {
    const value = given[name] ?? given[wireName] ?? 0;
    if (!isCount(value)) return refused(`usage.${name in given ? name : wireName}`, value);
    counts[name] = value;
  }
  const byLife = (given.cache_creation ?? {}) as Fields;
  const written5m = given.cacheCreation5m ?? byLife.ephemeral_5m_input_tokens;
  const written1h = given.cacheCreation1h ?? byLife.ephemeral_1h_input_tokens;
  return ok({
    ...(counts as { input: number; output: number; cacheRead: number; cacheCreation: number }),
    ...(isCount(written5m) && { cacheCreation5m: written5m }),
    ...(isCount(written1h) && { cacheCreation1h: written1h }),
  });
}

function fromTotals(given: Fields, { prompt, answer, details }: (typeof totals)[number]): Result<Usage> {
  const parts = isFields(given[details]) ? given[details] : {};
  const counts = {
    [prompt]: given[prompt] ?? 0,
    [answer]: given[answer] ?? 0,
    [`${details}.cached_tokens`]: parts.cached_tokens ?? given.prompt_cache_hit_tokens ?? 0,
    [`${details}.cache_write_tokens`]: parts.cache_write_tokens ?? 0,
  };
  const wrong = Object.entries(counts).find(([, value]) => !isCount(value));
  if (wrong) return refused(`usage.${wrong[0]}`, wrong[1]);
  const [all, output, read, written] = Object.values(counts) as [number, number, number, number];
  const cacheRead = Math.min(all, read);
  const cacheCreation = Math.min(all - cacheRead, written);
  return ok({ input: all - cacheRead - cacheCreation, output, cacheRead, cacheCreation });
}

/** A name that no other shape has. */
function isOnlyIn(given: Fields, name: string): boolean {
  return name in given && name !== names.input;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(path: string, value: unknown): Result<never> {
  return fail("invalid-input", `${path}: expected a count of tokens, got ${String(value)}.`, {
    path,
    fix: "Give input, output, cacheRead and cacheCreation, or the response's own usage.",
  });
}
