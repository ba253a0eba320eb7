import type { Catalog, Found } from "../catalog/index.ts";
import type { Assumption, Capabilities, EventBody } from "../spec/index.ts";
import type { Window } from "../view/window/window.ts";

interface AssumptionInput {
  readonly model: string;
  readonly capabilities: Pick<Found<Capabilities>, "known" | "row" | "asOf" | "assumed" | "value">;
  readonly window: Pick<Window, "tokens" | "source">;
  readonly prices: ReturnType<Catalog["prices"]>;
}

const windowSources: Readonly<Record<Window["source"], string>> = {
  "model-suffix": "the model's name",
  capabilities: "the catalog",
  "beta-header": "the beta header of the long window",
  environment: "PALIMPSEST_CONTEXT_WINDOW",
  default: "the default for unknown models",
};

/** Facts about a model that rest on no list of its provider: each with who says so instead, and how to say it better. */
export function assumptionsOf(input: AssumptionInput): readonly Assumption[] {
  return [...windowAssumptions(input), ...answerAssumptions(input), ...priceAssumptions(input)];
}

function windowAssumptions({ model, capabilities, window }: AssumptionInput): readonly Assumption[] {
  const isListed = capabilities.known && !capabilities.assumed.includes("contextWindow");
  if (isListed || window.source === "model-suffix" || window.source === "beta-header") return [];
  const source = capabilities.known ? `an estimate for ${capabilities.row}` : windowSources[window.source];
  return [
    {
      about: "window",
      model,
      isKnownModel: capabilities.known,
      source,
      message: `The window of ${model} is taken to be ${count(window.tokens)} tokens, by ${source}.`,
      fix: `Set catalog.capabilities[${JSON.stringify(model)}].contextWindow if it is another.`,
    },
  ];
}

function answerAssumptions({ model, capabilities }: AssumptionInput): readonly Assumption[] {
  if (!capabilities.assumed.includes("maxOutput")) return [];
  const source = capabilities.known ? `an estimate for ${capabilities.row}` : windowSources.default;
  const tokens = count(capabilities.value.maxOutput);
  return [
    {
      about: "longest-answer",
      model,
      isKnownModel: capabilities.known,
      source,
      message: `The longest answer of ${model} is taken to be ${tokens} tokens, by ${source}.`,
      fix: `Set catalog.capabilities[${JSON.stringify(model)}].maxOutput if it is another.`,
    },
  ];
}

function priceAssumptions({ model, capabilities, prices }: AssumptionInput): readonly Assumption[] {
  if (prices.known) return [];
  const { input, output } = prices.value;
  const source = "the default for unknown models, which is the dearest of the usual";
  return [
    {
      about: "prices",
      model,
      isKnownModel: capabilities.known,
      source,
      message: `The prices of ${model} are taken to be $${input} and $${output} per million tokens of input and output, by ${source}.`,
      fix: `Set catalog.prices[${JSON.stringify(model)}] if they are others.`,
    },
  ];
}

const count = (tokens: number) => tokens.toLocaleString("en-US");

/** Each once, when a session begins to go by it. */
export function tellAssumptions(
  { assumptions }: { readonly assumptions: readonly Assumption[] },
  emit: (event: EventBody) => void,
): void {
  for (const assumption of assumptions) emit({ type: "model-assumed", ...assumption });
}
