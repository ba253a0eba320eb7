import {
  type Entry,
  isBlock,
  type Message,
  type Note,
  type Prices,
  type SessionStatistics,
} from "../spec/index.ts";
import { dollarsOf } from "./dollars.ts";

/** A session's statistics, kept up to date entry by entry. */
export interface StatisticsWriter {
  add(entry: Entry): void;
  readonly statistics: SessionStatistics;
  /** A second one that goes on from here by itself. */
  copy(): StatisticsWriter;
}

type ForkNote = Extract<Note, { readonly topic: "fork" }>;

/** What a response has counted for so far. */
type Counted = Pick<Message, "usage" | "model">;

type PricesOf = (model: string | undefined) => Prices;

const nothingYet: SessionStatistics = {
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

/** How many responses back an entry may come and still be known to belong to one of them. */
const rememberedResponses = 64;

/** `pricesOf` gives the prices of a model; the session's own where a response does not name its model. */
export function createStatistics(pricesOf: PricesOf): StatisticsWriter {
  return goOn(pricesOf, nothingYet, new Map());
}

/** `before`: the newest responses; the last of a response's usages holds. */
function goOn(
  pricesOf: PricesOf,
  start: SessionStatistics,
  before: ReadonlyMap<string, Counted>,
): StatisticsWriter {
  let statistics = start;
  const counted = new Map(before);

  function spend({ usage, model }: Counted, sign: 1 | -1): void {
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

  function spendOnFork({ forkKind, usage, dollars }: ForkNote): void {
    const spent = dollars ?? (usage ? dollarsOf(usage, pricesOf(undefined)) : 0);
    const before = statistics.forkDollars ?? {};
    const forkDollars = { ...before, [forkKind]: (before[forkKind] ?? 0) + spent };
    statistics = { ...statistics, forkDollars };
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
    copy: () => goOn(pricesOf, statistics, counted),
    add(entry) {
      const atMs = Date.parse(entry.at);
      if (statistics.beganAtMs === undefined) statistics = { ...statistics, beganAtMs: atMs };
      if (entry.kind === "decision" && entry.decision.type === "compact") {
        statistics = { ...statistics, compactions: statistics.compactions + 1 };
      }
      if (entry.kind === "note" && entry.note.topic === "usage") spend({ usage: entry.note.usage }, 1);
      if (entry.kind === "note" && entry.note.topic === "fork") spendOnFork(entry.note);
      if (entry.kind !== "message" || entry.message.isSidechain) return;
      if (entry.message.type === "assistant" && entry.message.model !== "<synthetic>")
        respond(entry.message, atMs);
      else if (entry.message.type === "user") ask(entry.message);
    },
  };
}
