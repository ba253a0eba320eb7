import { isCount } from "../../json/json-values.ts";
import type { Facts } from "../../spec/index.ts";
import { onceAConfiguration } from "../../view/setting-values.ts";

/** Every number compaction rests on; each can be set under `compaction`. Tokens hold for windows from 100,000 on. */
export interface CompactionNumbers {
  /** Tokens after a compaction, as a part of the threshold less system and tools. */
  readonly budgetPercent: number;
  /** And no more than this; absent: whatever that part is. */
  readonly maxTokens?: number;
  /** It must free at least this part of the messages. */
  readonly minShrinkPercent: number;
  /** A model is asked once per so many new tokens, as a part of the window; fewer where system and tools leave little. */
  readonly newTokensPercent: number;
  /** Failures in a row after which no model is asked again. */
  readonly maxFailures: number;
  /** From this part of the threshold on a summary is prepared. */
  readonly aheadPercent: number;
  readonly maxSummaryTokens: number;
  /** The part of the window that the user's messages may have in the appendix. */
  readonly userMessagesPercent: number;
  /** The part of the budget that newest rounds kept word for word may have. */
  readonly keptTailPercent: number;
  readonly restoredFiles: number;
  readonly restoredFileTokens: number;
  readonly restoredFilesTokens: number;
  readonly restoredSkillTokens: number;
  readonly restoredSkillsTokens: number;
  /** How often oldest rounds are dropped where a conversation is too long to be summarised, and how many at a time. */
  readonly tooLongRetries: number;
  readonly dropPercent: number;
}

export const compactionNumbers: CompactionNumbers = {
  budgetPercent: 60,
  minShrinkPercent: 10,
  newTokensPercent: 10,
  maxFailures: 3,
  aheadPercent: 80,
  maxSummaryTokens: 20_000,
  userMessagesPercent: 10,
  keptTailPercent: 25,
  restoredFiles: 5,
  restoredFileTokens: 5_000,
  restoredFilesTokens: 50_000,
  restoredSkillTokens: 5_000,
  restoredSkillsTokens: 25_000,
  tooLongRetries: 3,
  dropPercent: 20,
};

const scaleBelowTokens = 100_000;

const scaled = [
  "maxSummaryTokens",
  "restoredFileTokens",
  "restoredFilesTokens",
  "restoredSkillTokens",
  "restoredSkillsTokens",
] as const;

/** Reads what was set, and shrinks counts of tokens in a small window. Total: a value that is no count is passed over. */
export const compactionNumbersOf = onceAConfiguration(readNumbers);

function readNumbers({ settings, thresholds }: Pick<Facts, "settings" | "thresholds">): CompactionNumbers {
  const given = Object.entries(settings.compaction ?? {});
  const sound = given.filter(([, value]) => isCount(value));
  const numbers: CompactionNumbers = { ...compactionNumbers, ...Object.fromEntries(sound) };
  const scale = Math.min(1, thresholds.window / scaleBelowTokens);
  const small = scaled.map((name) => [name, Math.floor(numbers[name] * scale)] as const);
  return { ...numbers, ...Object.fromEntries(small) };
}
