import { type Entry, isBlock, type Message, type Prices, type SessionStatistics } from "../spec/index.ts";
import { dollarsOf } from "./dollars.ts";

/** A session's statistics, kept up to date entry by entry. */
export interface StatisticsWriter {
  add(entry: Entry): void;
  readonly statistics: SessionStatistics;
}

/** How many responses back an entry may come and still be known to belong to one of them. */
const rememberedResponses = 64;

/** `pricesOf` gives the prices of a model; the session's own where a response does not name its model. */
export function createStatistics(pricesOf: (model: string | undefined) => Prices): StatisticsWriter {
  let statistics: SessionStatistics = {
    turns: 0,
    toolResults: 0,
    responses: 0,
    compactions: 0,
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
    outputTokens: 0,
    dollars: 0,
  };
  /** What each of the newest responses has counted for so far: the last of its usages holds. */
  const counted = new Map<string, Pick<Message, "usage" | "model">>();

  function spend({ usage, model }: Pick<Message, "usage" | "model">, sign: 1 | -1): void {
    if (!usage) return;
    const { inputTokens, cacheReadTokens, cacheCreationTokens, outputTokens, dollars } = statistics;
    statistics = {
      ...statistics,
      inputTokens: inputTokens + sign * usage.input,
      cacheReadTokens: cacheReadTokens + sign * usage.cacheRead,
      cacheCreationTokens: cacheCreationTokens + sign * usage.cacheCreation,
      outputTokens: outputTokens + sign * usage.output,
      dollars: dollars + sign * dollarsOf(usage, pricesOf(model)),
    };
  }

  function respond({ responseId, usage, model }: Message, atMs: number): void {
    const before = responseId === undefined ? undefined : counted.get(responseId);
    if (before && usage) spend(before, -1);
    spend({ usage, model }, 1);
    if (responseId !== undefined && (usage || !before)) {
      counted.delete(responseId);
      counted.set(responseId, { usage: usage ?? before?.usage, model });
      for (const oldest of counted.keys()) {
        if (counted.size <= rememberedResponses) break;
        counted.delete(oldest);
      }
    }
    statistics = {
      ...statistics,
      responses: statistics.responses + (before ? 0 : 1),
      respondedAtMs: atMs,
      ...(model !== undefined && { respondedBy: model }),
    };
  }

  function ask(message: Message): void {
    const results =
      typeof message.content === "string"
        ? 0
        : message.content.filter((block) => isBlock(block, "tool_result")).length;
    const isTurn = results === 0 && message.isMeta !== true && message.isCompactSummary !== true;
    statistics = {
      ...statistics,
      toolResults: statistics.toolResults + results,
      turns: statistics.turns + (isTurn ? 1 : 0),
    };
  }

  return {
    get statistics() {
      return statistics;
    },
    add(entry) {
      const atMs = Date.parse(entry.at);
      if (statistics.beganAtMs === undefined) statistics = { ...statistics, beganAtMs: atMs };
      if (entry.kind === "decision" && entry.decision.type === "compact") {
        statistics = { ...statistics, compactions: statistics.compactions + 1 };
      }
      if (entry.kind !== "message" || entry.message.isSidechain) return;
      if (entry.message.type === "assistant" && entry.message.model !== "<synthetic>")
        respond(entry.message, atMs);
      else if (entry.message.type === "user") ask(entry.message);
    },
  };
}
