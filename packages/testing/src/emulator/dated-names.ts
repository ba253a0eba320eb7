/**
 * The names that the real APIs answer with where an alias was asked, as their documentation had them in November 2026.
 * Names that are not here answer for themselves.
 */
const datedNames: ReadonlyMap<string, string> = new Map([
  ["claude-opus-4-5", "claude-opus-4-5-20251101"],
  ["claude-haiku-4-5", "claude-haiku-4-5-20251001"],
  ["claude-sonnet-4-5", "claude-sonnet-4-5-20250929"],
  ["claude-opus-4-1", "claude-opus-4-1-20250805"],
  ["claude-opus-4-0", "claude-opus-4-20250514"],
  ["claude-sonnet-4-0", "claude-sonnet-4-20250514"],
  ["claude-3-7-sonnet-latest", "claude-3-7-sonnet-20250219"],
  ["claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"],
  ["claude-3-5-haiku-latest", "claude-3-5-haiku-20241022"],
  ["gpt-5", "gpt-5-2025-08-07"],
  ["gpt-5-mini", "gpt-5-mini-2025-08-07"],
  ["gpt-5-nano", "gpt-5-nano-2025-08-07"],
  ["gpt-4.1", "gpt-4.1-2025-04-14"],
  ["gpt-4.1-mini", "gpt-4.1-mini-2025-04-14"],
  ["gpt-4.1-nano", "gpt-4.1-nano-2025-04-14"],
  ["gpt-4o", "gpt-4o-2024-08-06"],
  ["gpt-4o-mini", "gpt-4o-mini-2024-07-18"],
  ["gpt-4-turbo", "gpt-4-turbo-2024-04-09"],
  ["gpt-4", "gpt-4-0613"],
  ["gpt-3.5-turbo", "gpt-3.5-turbo-0125"],
  ["o4-mini", "o4-mini-2025-04-16"],
  ["o3", "o3-2025-04-16"],
  ["o3-mini", "o3-mini-2025-01-31"],
  ["o1", "o1-2024-12-17"],
]);

/** The dated name of an alias, and of every other name the name itself. */
export function datedName(name: string): string {
  return datedNames.get(name) ?? name;
}
