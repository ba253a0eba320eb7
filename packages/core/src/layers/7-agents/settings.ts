import type { TreeBudget } from "../../spec/index.ts";

/** Bounds of messages between agents. */
export const mailNumbers = {
  /** Mails that wait for one receiver; more are refused. */
  maxWaiting: 10_000,
  /** How long a mail is kept for a receiver that does not come: seven days. */
  maxAgeMs: 7 * 24 * 60 * 60 * 1000,
  /** Bytes of one mail as it is stored. */
  maxMailBytes: 256 * 1024,
  /** Characters of one message. */
  maxMessageChars: 60_000,
  /** Mails that are handed to the model at once; the others wait for the next round. */
  takenAtOnce: 20,
} as const;

/** The default limits. */
export const agentNumbers: TreeBudget = {
  maxDepth: 2,
  maxAgents: 200,
  maxRunning: 16,
  maxTokens: 100_000_000,
  maxDollars: 25,
  maxMs: 6 * 60 * 60_000,
  maxDayDollars: 100,
};
