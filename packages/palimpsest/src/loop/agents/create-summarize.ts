import type { SessionHandle } from "@palimpsest/core";
import {
  chooseSummaryModel,
  decideSummaryBasis,
  estimateContent,
  progressDirective,
  summaryTokens,
  toProgressQuestion,
} from "@palimpsest/core/internal";
import {
  type Clock,
  fail,
  isBlock,
  type Model,
  type ModelRequest,
  ok,
  PalimpsestError,
  type Prices,
  type Result,
  type Session,
} from "@palimpsest/core/spec";
import { providerOf } from "../../models/model-keys.ts";
import { resolveModel } from "../resolve-model.ts";
import { type DayBudget, withDayBudget } from "../with-day-budget.ts";
import type { AgentRecord } from "./agent-record.ts";
import type { Summarize, Summary } from "./progress-rounds.ts";

export interface SummarizeOptions {
  /** The model that the session was opened with: one that was handed in keeps its connection to itself. */
  readonly own: Model | string;
  /** The value of `agents.summaryModel`. */
  readonly wanted: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Pick<Clock, "now">;
  readonly handle: () => SessionHandle | null;
  /** The budget for questions; absent: no day's budget is set. */
  readonly dayBudget?: DayBudget | null;
}

/** Asks a model what an agent does: the one that was set, else the cheapest one that there is a key and a price for. */
export function createSummarize(options: SummarizeOptions): Summarize {
  const { own, environment, clock, handle, dayBudget } = options;
  let isGivenUp = false;

  const pricesOf = (name: string): Prices | undefined => {
    const found = handle()?.config().catalog.prices(name);
    return found?.known ? found.value : undefined;
  };

  function modelName(): string | null {
    const root = handle();
    if (options.wanted !== undefined || !root) return options.wanted ?? null;
    const name = nameOf(own);
    const isByName = typeof own === "string" && providerOf(own) === "anthropic";
    const hasAnthropicKey = isByName && Boolean(environment.ANTHROPIC_API_KEY?.trim());
    return chooseSummaryModel({ own: name, hasAnthropicKey, catalog: root.config().catalog });
  }

  function basisOf(record: AgentRecord, name: string, question: string): "newest" | "prefix" {
    const newest = record.newestResponse();
    if (!newest || !record.opened()) return "newest";
    const { input, cacheRead, cacheCreation, output } = newest.usage;
    const prices = { own: pricesOf(newest.model), cheap: pricesOf(name) };
    return decideSummaryBasis({
      newestTokens: estimateContent(question),
      prefixTokens: input + cacheRead + cacheCreation + output,
      idleMs: clock.now() - newest.atMs,
      ...(prices.own && { own: prices.own }),
      ...(prices.cheap && { cheap: prices.cheap }),
    });
  }

  async function ask(name: string, question: string, signal: AbortSignal): Promise<Result<Summary>> {
    const isOwn = typeof own === "object" && own.name === name;
    const given = typeof own === "object" ? { given: own } : {};
    const found = isOwn ? ok(own) : await resolveModel(name, { environment, ...given });
    if (!found.ok) return found;
    const model = dayBudget ? withDayBudget(found.value, dayBudget) : found.value;
    return askModel(model, question, signal, handle());
  }

  return async (record, signal) => {
    const name = isGivenUp ? null : modelName();
    if (name === null) return fail("no-model", "No model says how far agents are.");
    const question = toProgressQuestion(record.newest());
    const session = record.opened();
    const answered =
      session && basisOf(record, name, question) === "prefix"
        ? await askBehind(session, signal)
        : await ask(name, question, signal);
    if (!answered.ok && !answered.error.retryable && !signal.aborted) isGivenUp = true;
    return answered;
  };
}

const nameOf = (model: Model | string) => (typeof model === "string" ? model : model.name);

/** One message, without system and tools. */
async function askModel(
  model: Model,
  question: string,
  signal: AbortSignal,
  handle: SessionHandle | null,
): Promise<Result<Summary>> {
  const request: ModelRequest = {
    model: model.name,
    max_tokens: summaryTokens,
    messages: [{ role: "user", content: [{ type: "text", text: question }] }],
  };
  for await (const event of model.stream(request, signal)) {
    if (!event.ok) return event;
    if (event.value.type !== "response-end") continue;
    const { content, usage, billed = usage, model: answered } = event.value;
    const text = content.flatMap((block) => (isBlock(block, "text") ? block.text : [])).join("");
    return ok({ text, usage: billed, dollars: handle?.dollars(billed, answered, model.name) ?? 0 });
  }
  return fail("disconnected", "The answer ended before it was whole.", { retryable: true });
}

/** Behind the agent's own conversation, in a fork that may use no tool. */
async function askBehind(session: Session, signal: AbortSignal): Promise<Result<Summary>> {
  try {
    const options = { kind: "agent", turns: 1, tools: [], maxOutputTokens: summaryTokens, signal } as const;
    const { text, usage, dollars } = await session.fork(progressDirective, options);
    return ok({ text, usage, dollars });
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) return { ok: false, error: cause };
    throw cause;
  }
}
