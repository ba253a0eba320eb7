import { policies } from "../../../replay/index.ts";

/** What each policy of the box does, in a line. */
const abouts: Readonly<Record<string, string>> = {
  identity: "Does nothing: the context only grows.",
  recorded: "Does nothing, at the usage that was recorded.",
  recency: "Over 100,000 tokens of messages, all but the newest 50,000 are cut off.",
  "sliding-mask": "Results older than the newest ten are masked at every step.",
  "token-threshold": "Results over 40,000 tokens are cleared, oldest first, if that saves 20,000.",
  "api-default": "The API's context editing: over 100,000 tokens all but three tool uses.",
  "view-trigger": "The API's context editing, asked of what was cleared before.",
  "cold-only": "Clears when the cache is gone anyway.",
  economic: "Clears where it is expected to pay.",
  dedupe: "Of equal results of equal calls, only the newest stays.",
  scribe: "Compaction without a model at the threshold of the window.",
  engine: "All layers, with the scribe as writer.",
  random: "Clears at random: any policy must be better.",
  "drop-all": "Keeps nothing.",
  oracle: "Knows what later calls need, which nobody can: a ceiling.",
};

export interface PolicyAbout {
  readonly name: string;
  readonly about: string;
}

/** The policies that a session can be looked at under. */
export function policyAbouts(): readonly PolicyAbout[] {
  return policies.map(({ name }) => ({ name, about: abouts[name] ?? "" }));
}
