import { answerPrices } from "../../catalog/index.ts";
import { omitLargeValues } from "../../log/large-values.ts";
import type { ContextUsage, Entry } from "../../spec/index.ts";
import { askedModelAfter } from "../../view/asked-model.ts";
import { isFreezeOnly } from "../../view/projection/freeze-only.ts";
import { readSwitches } from "../../view/switches.ts";
import { createCalibration, createUsageIncrements, featuresOf } from "../../view/tokens/index.ts";
import { headerAfter } from "../head/session-head.ts";
import { readKept } from "../kept-settings.ts";
import { contextUsage } from "../prepare/context-usage.ts";
import { resolveModel } from "../session-config.ts";
import { createSessionState } from "../session-state.ts";

/** What the context holds at the end of a log, or of an imported transcript, that nobody has opened as a session. */
export function usageOfEntries(
  entries: readonly Entry[],
  environment: Readonly<Record<string, string | undefined>>,
): ContextUsage & { readonly model: string } {
  const model = modelOf(entries);
  const { settings } = readKept(entries.reduce(headerAfter, undefined));
  const head = { model, system: [], tools: [], traits: [], fields: {} };
  const { catalog, thresholds } = resolveModel({
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
  return { model, ...contextUsage({ state, head, calibration, thresholds, count }) };
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
