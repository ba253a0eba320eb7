import { count, none, percent, scaledTokens, text, word } from "../../settings/declare.ts";
import { offByDefault, onByDefault } from "../../settings/flag.ts";
import { defaultsOf, readValues, scaleOf } from "../../settings/read-values.ts";
import type { ValuesOf } from "../../settings/setting.ts";
import { onceAConfiguration } from "../../settings/setting-values.ts";
import type { Facts } from "../../spec/index.ts";

const compactionNumberSettings = {
  budgetPercent: percent(
    60,
    "size after a compaction (summary, appendix, restored files and kept messages) in percent of the threshold minus system and tools",
  ),
  maxTokens: count(
    none,
    "most tokens that a conversation has after a compaction, whatever `budgetPercent` gives",
    { least: 1 },
  ),
  minShrinkPercent: percent(
    10,
    "a compaction that frees less than this percentage of the messages is rejected",
  ),
  newTokensPercent: percent(
    10,
    "a model is asked again only after this many new tokens, in percent of the window, or a quarter of what system prompt and tools leave of it; after an undo automatic compaction waits for as many",
  ),
  maxFailures: count(3, "after this many failures in a row a model is only asked again by hand"),
  aheadPercent: percent(
    80,
    "percent of the threshold from which a summary is prepared in the background, with the flag `compact-ahead`",
  ),
  earlyMinTokens: scaledTokens(
    70_000,
    "with `economy` `thrifty`: fewest tokens of a conversation, without system prompt and tools, that is compacted before the threshold",
    "down",
  ),
  earlyNewTokens: scaledTokens(
    18_000,
    "fewest new tokens since the last automatic compaction before an early one, while the cache is warm",
    "down",
  ),
  earlySummaryTokens: scaledTokens(
    6_000,
    "size of the summary after an early compaction, in tokens, beside your messages, to-dos and plan",
    "down",
  ),
  earlyTailTokens: scaledTokens(
    3_000,
    "tokens of the newest rounds that an early compaction keeps word for word; the very newest stays whatever its size",
    "down",
  ),
  earlyFilesTokens: scaledTokens(
    12_000,
    "tokens for files that an early compaction restores, those in work first",
    "down",
  ),
  earlyWarmFetches: count(
    3,
    "number of recalls that an early compaction is expected to cause, while the cache is warm",
  ),
  earlyColdFetches: count(2, "the same when the cache is cold, since you were away"),
  maxSummaryTokens: scaledTokens(20_000, "longest summary in tokens", "down", { least: 1 }),
  userMessagesPercent: percent(10, "percent of the window for your own messages after a summary"),
  keptTailPercent: percent(
    25,
    "percent of the size after a compaction for the newest rounds when they are kept word for word",
  ),
  restoredFiles: count(5, "number of files, the last ones read or edited, that are restored"),
  restoredFileTokens: scaledTokens(5_000, "longest restored file in tokens", "down"),
  restoredFilesTokens: scaledTokens(50_000, "all restored files together, in tokens", "down"),
  restoredSkillTokens: scaledTokens(5_000, "longest restored skill in tokens", "down"),
  restoredSkillsTokens: scaledTokens(25_000, "all restored skills together, in tokens", "down"),
  tooLongRetries: count(
    3,
    "number of retries without the oldest rounds when a conversation is too long to summarise",
  ),
  dropPercent: percent(
    20,
    "percent of the rounds dropped each time if the server does not say how much is too much",
  ),
};

/** How a full conversation is cut down to a summary. */
export const compactionSettings = {
  model: text("model that writes summaries instead of the session's own; it gets a plain transcript"),
  prompt: text("prompt for a summary instead of the default; instructions are added after it"),
  native: word(
    ["off", "server", "on-demand"],
    "off",
    "`server`: the API compacts while it answers, from the threshold on; `on-demand`: the API is asked to compact before a model is asked for a summary; `off` where the model supports neither",
  ),
  ...compactionNumberSettings,
};

export const compactionFlags = {
  compact: onByDefault("Compacts: automatically, reactively, by notes, by folding and by hand."),
  "compact-prefix": onByDefault(
    "Asks for the summary after the conversation's own prefix, so that it is read from cache.",
  ),
  "compact-ahead": onByDefault("Prepares a summary in the background before the threshold is reached."),
  "reactive-only": offByDefault("Compacts only after the provider has refused a prompt as too long."),
  snip: {
    ...onByDefault("Removes rounds that nothing refers to, by command or by the model's tool."),
    shapesPrefix: true,
  },
};

/** Every number compaction rests on. Tokens hold for windows from 100,000 on. */
export type CompactionNumbers = ValuesOf<typeof compactionNumberSettings>;

export const compactionNumbers: CompactionNumbers = defaultsOf(compactionNumberSettings);

/** Reads what was set, and shrinks counts of tokens in a small window. Total: a value that does not fit is passed over. */
export const compactionNumbersOf: (facts: Pick<Facts, "settings" | "thresholds">) => CompactionNumbers =
  onceAConfiguration((facts) =>
    readValues(compactionNumberSettings, facts.settings.compaction, scaleOf(facts)),
  );
