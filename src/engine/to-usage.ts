import { isCount } from "../context/projection/sound-message.ts";
import { fail, ok, type Result, type Usage } from "../spec/index.ts";

/** Our names, and the API's own for the same. */
const names = {
  input: "input_tokens",
  output: "output_tokens",
  cacheRead: "cache_read_input_tokens",
  cacheCreation: "cache_creation_input_tokens",
} as const;

/**
 * Usage as it is counted, from our own shape or from a response of the API as it came. Where neither names a part of
 * it, that part is 0; `null` and an absent usage are none.
 */
export function toUsage(given: unknown): Result<Usage | undefined> {
  if (given === undefined || given === null) return ok(undefined);
  if (typeof given !== "object" || Array.isArray(given)) return refused("usage", given);
  const fields = given as Readonly<Record<string, unknown>>;
  const counts: Record<string, number> = {};
  for (const [name, wireName] of Object.entries(names)) {
    const value = fields[name] ?? fields[wireName] ?? 0;
    if (!isCount(value)) return refused(`usage.${name in fields ? name : wireName}`, value);
    counts[name] = value;
  }
  const byLife = (fields.cache_creation ?? {}) as Readonly<Record<string, unknown>>;
  const written5m = fields.cacheCreation5m ?? byLife.ephemeral_5m_input_tokens;
  const written1h = fields.cacheCreation1h ?? byLife.ephemeral_1h_input_tokens;
  return ok({
    ...(counts as { input: number; output: number; cacheRead: number; cacheCreation: number }),
    ...(isCount(written5m) && { cacheCreation5m: written5m }),
    ...(isCount(written1h) && { cacheCreation1h: written1h }),
  });
}

function refused(path: string, value: unknown): Result<never> {
  return fail("invalid-input", `${path}: expected a count of tokens, got ${String(value)}.`, {
    path,
    fix: "Give input, output, cacheRead and cacheCreation, or the response's own usage.",
  });
}
