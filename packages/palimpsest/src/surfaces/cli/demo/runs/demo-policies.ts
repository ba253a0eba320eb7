import { policies } from "../../../../replay/index.ts";

/** What the demo compares, in the order in which it is run: the first two are what the view shows. */
export const playedPolicies = [
  "identity",
  "engine",
  "oracle",
  "recency",
  "token-threshold",
  "api-default",
  "sliding-mask",
] as const;

/** The same in the order of the table. */
export const comparedPolicies: readonly string[] = [
  "identity",
  "recency",
  "sliding-mask",
  "api-default",
  "token-threshold",
  "engine",
  "oracle",
];

export function findPolicy(name: string) {
  const found = policies.find((policy) => policy.name === name);
  if (!found) throw new Error(`There is no policy ${name}.`);
  return found;
}
