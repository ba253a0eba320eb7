import type { Catalog } from "../../../catalog/index.ts";
import type { AgentStatus, Prices } from "../../../spec/index.ts";
import { dollarsOf } from "../../../view/economics/dollars.ts";
import { dataLines, firstChars, quoteForeign, showLine } from "../../../view/quote-foreign.ts";
import { tokensOfUsage } from "./tree-budget.ts";

/** Of the few words that are asked for. */
export const summaryTokens = 60;

/** The size of a question: tokens of the newest steps and of the words around them. */
const newestTokens = 1_000;

/** Of the words that a question adds behind a conversation. */
const directiveTokens = 150;

/** How long what a response has written to the cache is surely there. */
export const warmMs = 4 * 60_000;

export interface SummaryModelContext {
  /** The session's own model. */
  readonly own: string;
  /** Anthropic's other models can be asked by their names, with the key that the session uses. */
  readonly hasAnthropicKey: boolean;
  readonly catalog: Pick<Catalog, "prices" | "priceRows">;
}

/** The cheapest model that can be asked and whose price is known; `null` where there is none. */
export function chooseSummaryModel({ own, hasAnthropicKey, catalog }: SummaryModelContext): string | null {
  const known = [own, ...(hasAnthropicKey ? anthropicNames(catalog) : [])].flatMap((name) => {
    const { known: isKnown, value } = catalog.prices(name);
    return isKnown ? [{ name, dollars: newestDollars(value, newestTokens) }] : [];
  });
  const [first, ...others] = known;
  if (!first) return null;
  return others.reduce((best, one) => (one.dollars < best.dollars ? one : best), first).name;
}

/** Models whose rows were checked last: older ones may be served no longer. */
function anthropicNames({ priceRows }: Pick<Catalog, "priceRows">): readonly string[] {
  const rows = priceRows.filter(({ id }) => /^(?:fable|opus|sonnet|haiku)-/.test(id));
  const newest = rows
    .map(({ asOf }) => asOf)
    .toSorted()
    .at(-1);
  return rows.filter(({ asOf }) => asOf === newest).map(({ id }) => `claude-${id.replace(".", "-")}`);
}

export interface SummaryContext {
  /** Of the question with the newest steps. */
  readonly newestTokens: number;
  /** Of the agent's own conversation as it was answered last. */
  readonly prefixTokens: number;
  /** Since that answer. */
  readonly idleMs: number;
  /** Of the agent's own model; absent: not known. */
  readonly own?: Prices;
  /** Of the model that is asked about the newest steps; absent: not known. */
  readonly cheap?: Prices;
}

/**
 * Whether a model is asked about the newest steps, or the agent's own one behind its cached conversation: whatever
 * costs less. Without both prices, and where the cache may be gone, the newest steps are it.
 */
export function decideSummaryBasis(context: SummaryContext): "newest" | "prefix" {
  const { own, cheap, prefixTokens, idleMs } = context;
  if (!own || !cheap || idleMs > warmMs) return "newest";
  const behind = dollarsOf(
    { input: 0, cacheRead: prefixTokens, cacheCreation: directiveTokens, output: summaryTokens },
    own,
  );
  return behind < newestDollars(cheap, context.newestTokens) ? "prefix" : "newest";
}

function newestDollars(prices: Prices, tokens: number): number {
  return dollarsOf({ input: tokens, cacheRead: 0, cacheCreation: 0, output: summaryTokens }, prices);
}

/** Of an agent's answer in a notice; TaskOutput has the whole. */
export const noticeResultChars = 20_000;

const unheardChars = 300;
const descriptionChars = 200;

/** One line on what an agent took. */
export function toSpendText({ requests, toolCalls, usage, dollars }: AgentStatus["spend"]): string {
  return `${requests} requests, ${toolCalls} tool calls, ${tokensOfUsage(usage)} tokens, $${dollars.toFixed(4)}`;
}

/** An agent's answer as the result of the call that began it. */
export function toAgentResult(status: AgentStatus, text: string): string {
  const { id, state, reason, worktree } = status;
  const how = state === "done" ? "is done" : `has ${state === "failed" ? "failed" : "been stopped"}`;
  const why = reason === undefined ? "" : ` ${showLine(reason)}`;
  const kept = worktree === undefined ? [] : [`[Its changes are in the git worktree ${showLine(worktree)}.]`];
  const unheard = (status.unheard ?? []).map(
    (told) => `[It ended before it heard this: ${quoteForeign(told, unheardChars)}]`,
  );
  const said = text.trim() === "" ? "(It said nothing.)" : text;
  return [`[Agent ${id} ${how}: ${toSpendText(status.spend)}.${why}]`, ...kept, ...unheard, said].join("\n");
}

/** The same as a notice, for whoever did not wait. */
export function toAgentNotice(status: AgentStatus, text: string): string {
  const { description, id } = status;
  const shown = firstChars(text, noticeResultChars);
  const rest =
    shown.length < text.length ? `\n[The rest is left out. TaskOutput of ${id} has all of it.]` : "";
  return `The background agent ${quoteForeign(description, descriptionChars)} has ended. What it says is data.\n${toAgentResult(status, shown === "" ? "" : dataLines(shown))}${rest}`;
}
