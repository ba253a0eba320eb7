import { amount, count, text } from "../../settings/declare.ts";
import { onByDefault } from "../../settings/flag.ts";
import { defaultsOf } from "../../settings/read-values.ts";
import type { ValuesOf } from "../../settings/setting.ts";

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

/** A limit that cannot be read would be none. */
const isLimit = { isProtecting: true } as const;

const budgetSettings = {
  maxDepth: count(2, "how deep agents may be: one of the session is at 1", isLimit),
  maxAgents: count(200, "most agents of a session", isLimit),
  maxRunning: count(16, "most agents at work at once", { least: 1, ...isLimit }),
  maxTokens: count(
    100_000_000,
    "most tokens of all agents of a session together, cached ones counted; then all are stopped",
    isLimit,
  ),
  maxDollars: amount(
    25,
    "most dollars that the agents of a session may spend, earlier runs of it counted",
    isLimit,
  ),
  maxMs: count(
    6 * 60 * 60_000,
    "most milliseconds in which at least one agent of a session is at work",
    isLimit,
  ),
  maxDayDollars: amount(100, "most dollars that the agents of all sessions may spend in a day", isLimit),
};

/** Limits for agents, and who reports their progress. */
export const agentSettings = {
  ...budgetSettings,
  summaryModel: text(
    "model that describes a background agent's work every 30 s; default: the cheapest one with a key and a price; `off`: the last tool call is shown",
  ),
};

export const agentFlags = {
  "agent-summaries": onByDefault("Describes in a few words what background agents are doing."),
};

/** The default limits. */
export const agentNumbers: ValuesOf<typeof budgetSettings> = defaultsOf(budgetSettings);
