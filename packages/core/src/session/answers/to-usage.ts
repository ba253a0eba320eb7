import { answerPrices } from "../../catalog/index.ts";
import { isRecord, type JsonObject } from "../../json/json-values.ts";
import { noUsage } from "../../log/import/message-content.ts";
import { omitLargeValues } from "../../log/large-values.ts";
import {
  type ContextUsage,
  type Entry,
  fail,
  type Message,
  ok,
  type Result,
  type Settings,
  type Usage,
} from "../../spec/index.ts";
import { roleOf } from "../../view/projection/message-items.ts";
import { isFreezeOnly, isTokenCount, validMessage } from "../../view/projection/valid-entry.ts";
import { isNativeBlock } from "../../view/request/native-block.ts";
import { askedModelAfter } from "../../view/statistics.ts";
import { readSwitches } from "../../view/switches.ts";
import {
  createCalibration,
  createUsageIncrements,
  doubtUsage,
  type Estimator,
  featuresOf,
} from "../../view/tokens/index.ts";
import { headerAfter } from "../head/session-head.ts";
import { layerSettings, readKept } from "../kept-settings.ts";
import { contextUsage } from "../prepare/context-usage.ts";
import { resolveModel } from "../session-config.ts";
import type { SessionParts } from "../session-parts.ts";
import { createSessionState } from "../session-state.ts";

/** Our names, and the API's own for the same. */
const names = {
  input: "input_tokens",
  output: "output_tokens",
  cacheRead: "cache_read_input_tokens",
  cacheCreation: "cache_creation_input_tokens",
} as const;

/** OpenAI's two protocols: what is cached is a part of the prompt there, and is told in details of its own. */
const totals = [
  { prompt: "prompt_tokens", answer: "completion_tokens", details: "prompt_tokens_details" },
  { prompt: "input_tokens", answer: "output_tokens", details: "input_tokens_details" },
] as const;

/**
 * Usage as it is counted, from our own shape or from a response as it came: of the Messages API, of chat completions or
 * of the Responses API. Where it does not name a part, that part is 0; `null` and an absent usage are none.
 */
export function toUsage(given: unknown): Result<Usage | undefined> {
  if (given === undefined || given === null) return ok(undefined);
  if (!isRecord(given)) return refuse("usage", given);
  const shape = totals.find(({ prompt, details }) => isRecord(given[details]) || isOnlyIn(given, prompt));
  if (shape) return fromTotals(given, shape);
  const counts: Record<string, number> = {};
  for (const [name, wireName] of Object.entries(names)) {
    const value = given[name] ?? given[wireName] ?? 0;
    if (!isTokenCount(value)) return refuse(`usage.${name in given ? name : wireName}`, value);
    counts[name] = value;
  }
  const byLife = (given.cache_creation ?? {}) as JsonObject;
  const written5m = given.cacheCreation5m ?? byLife.ephemeral_5m_input_tokens;
  const written1h = given.cacheCreation1h ?? byLife.ephemeral_1h_input_tokens;
  return ok({
    ...(counts as { input: number; output: number; cacheRead: number; cacheCreation: number }),
    ...(isTokenCount(written5m) && { cacheCreation5m: written5m }),
    ...(isTokenCount(written1h) && { cacheCreation1h: written1h }),
  });
}

function fromTotals(given: JsonObject, { prompt, answer, details }: (typeof totals)[number]): Result<Usage> {
  const parts = isRecord(given[details]) ? given[details] : {};
  const counts = {
    [prompt]: given[prompt] ?? 0,
    [answer]: given[answer] ?? 0,
    [`${details}.cached_tokens`]: parts.cached_tokens ?? given.prompt_cache_hit_tokens ?? 0,
    [`${details}.cache_write_tokens`]: parts.cache_write_tokens ?? 0,
  };
  const wrong = Object.entries(counts).find(([, value]) => !isTokenCount(value));
  if (wrong) return refuse(`usage.${wrong[0]}`, wrong[1]);
  const [all, output, read, written] = Object.values(counts) as [number, number, number, number];
  const cacheRead = Math.min(all, read);
  const cacheCreation = Math.min(all - cacheRead, written);
  return ok({ input: all - cacheRead - cacheCreation, output, cacheRead, cacheCreation });
}

/** A name that no other shape has. */
function isOnlyIn(given: JsonObject, name: string): boolean {
  return name in given && name !== names.input;
}

function refuse(path: string, value: unknown): Result<never> {
  return fail("invalid-input", `${path}: expected a count of tokens, got ${String(value)}.`, {
    path,
    fix: "Give input, output, cacheRead and cacheCreation, or the response's own usage.",
  });
}

/** The fields of an answer that are looked at. */
type MeasuredAnswer = Pick<Message, "usage" | "content" | "contextManagement">;

/** Tells usages that can be from those that cannot, by what was asked and answered. */
interface UsageJudge {
  /** Why the usage of an answer to the session as it stands cannot be believed; `null` where it can. */
  doubt(answer: MeasuredAnswer): string | null;
  /** The message with a usage that can be counted by; what cannot be is kept as it came, and an event says so. */
  settle(message: Message): Message;
}

interface UsageJudgeParts extends Pick<SessionParts, "state" | "emit"> {
  readonly windowTokens: () => number;
  readonly estimate: Estimator;
}

const notCounts = "What is reported of the tokens are no counts.";

export function createUsageJudge({ state, emit, windowTokens, estimate }: UsageJudgeParts): UsageJudge {
  function doubt({ usage, content: given, contextManagement }: MeasuredAnswer): string | null {
    if (!usage) return null;
    const { content } = validMessage({ type: "assistant", content: given });
    const hasCompacted = typeof content !== "string" && content.some(isNativeBlock);
    return doubtUsage({
      usage,
      promptEstimate: state.estimated(estimate),
      answerEstimate: estimate(featuresOf(content)).tokens,
      windowTokens: windowTokens(),
      isEdited: hasCompacted || (contextManagement?.applied_edits ?? []).length > 0,
    });
  }

  return {
    doubt,
    settle(message) {
      const { usage, responseId: response, reportedUsage = usage } = message;
      if (roleOf(message) !== "assistant") return message;
      const why = doubt(message) ?? (message.reportedUsage === undefined ? null : notCounts);
      if (why === null) return message;
      emit({ type: "usage-ignored", ...(response !== undefined && { response }), message: why });
      return { ...message, usage: noUsage, reportedUsage };
    },
  };
}

/** The context usage at the end of a log, or of an imported transcript, that nobody has opened as a session. */
export function usageOfEntries(
  entries: readonly Entry[],
  environment: Readonly<Record<string, string | undefined>>,
  options: Settings = {},
): ContextUsage & { readonly model: string } {
  const model = modelOf(entries);
  const settings = layerSettings(readKept(entries.reduce(headerAfter, undefined)).settings, options);
  const head = { model, system: [], tools: [], traits: [], fields: {} };
  const { catalog, thresholds, assumptions } = resolveModel({
    model,
    environment,
    options: settings,
    settings,
    switches: readSwitches({ environment, options: settings, settings }),
  });
  const state = createSessionState({
    pricesOf: (answered, asked = model) => answerPrices(catalog, answered, asked),
  });
  let needs: number | null = null;
  for (const entry of entries) needs = state.add(omitLargeValues(entry));
  const after = needs;
  if (after !== null) state.rebuild(entries.filter(({ seq }) => seq > after).map(omitLargeValues));
  const calibration = learn(entries, model);
  const count = state.count((features) => calibration.estimate(model, features));
  return { model, ...contextUsage({ state, head, calibration, thresholds, assumptions, count }) };
}

/** The model that is asked; of a transcript, that of the newest response which names one. */
function modelOf(entries: readonly Entry[]): string {
  const asked = entries.reduce<string | undefined>(
    (before, entry) => askedModelAfter(entry, before),
    undefined,
  );
  if (asked !== undefined) return asked;
  const isNamed = (model: string | undefined) => model !== undefined && model !== "<synthetic>";
  const newest = entries.findLast((entry) => entry.kind === "message" && isNamed(entry.message.model));
  if (newest?.kind === "message" && newest.message.model) return newest.message.model;
  const first = entries[0];
  return (first?.kind === "session" && first.session.model) || "unknown";
}

/** A transcript's own usages say how many tokens its text has. */
function learn(entries: readonly Entry[], model: string) {
  const calibration = createCalibration();
  const increments = createUsageIncrements();
  for (const entry of entries) {
    if (entry.kind === "decision" && !isFreezeOnly(entry.decision)) increments.restart();
    if (entry.kind !== "message" || entry.message.isSidechain) continue;
    const { content, responseId, usage, isAborted } = entry.message;
    const increment = increments.add({ features: featuresOf(content), responseId, usage, isAborted, model });
    if (increment) calibration.observe(model, increment.features, increment.tokens);
  }
  return calibration;
}
