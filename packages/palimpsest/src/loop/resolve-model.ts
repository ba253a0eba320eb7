import { withoutLongSuffix } from "@palimpsest/core/internal";
import { fail, type Model, ok, type Result } from "@palimpsest/core/spec";
import { providerOf, splitProvider } from "../models/model-keys.ts";

export interface ModelLocation {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The model that the program has given: others at its address are asked there, with its key. */
  readonly given?: Model;
}

/** The name without its provider, where it means the same without: the catalog knows models by it. */
export function toBareName(name: string): string {
  const { bare } = splitProvider(name);
  return providerOf(bare) === providerOf(name) ? bare : name;
}

/**
 * The model a name stands for: one beside the given model, where that serves it; else `anthropic:NAME`, `openai:NAME`, or
 * a bare name, which is Anthropic's where it begins with `claude`, and else belongs to whatever server `OPENAI_BASE_URL`
 * or OpenAI's key leads to.
 */
export async function resolveModel(
  name: string,
  { environment, given }: ModelLocation,
): Promise<Result<Model>> {
  const split = splitProvider(name);
  const beside = given?.sibling?.(name);
  if (beside) return ok(split.provider === undefined ? beside : withProvider(name, beside));
  const bare = split.provider && split.bare;
  const isAnthropic = providerOf(name) === "anthropic";
  if (!isAnthropic && bare === undefined && !hasOpenAi(environment))
    return fail("no-model", `“${name}” is not a model that anybody here is known to serve.`, {
      path: "model",
      fix: "Write “openai:NAME” with OPENAI_BASE_URL for a server of your own, or name a Claude model.",
    });
  const made = isAnthropic
    ? (await import("../models/anthropic/index.ts")).anthropic(bare ?? name, { environment })
    : (await import("../models/openai/index.ts")).openai(bare ?? name, { environment });
  return ok(bare === undefined ? made : withProvider(name, made));
}

/** The provider in front of a name is for us: servers know the model without it. */
function withProvider(name: string, model: Model): Model {
  const asked = withoutLongSuffix(model.name);
  const { count } = model;
  return {
    ...model,
    name,
    stream: (request, signal) => model.stream({ ...request, model: asked }, signal),
    ...(count && { count: (request, signal) => count({ ...request, model: asked }, signal) }),
  };
}

function hasOpenAi(environment: ModelLocation["environment"]): boolean {
  return Boolean(environment.OPENAI_API_KEY || environment.OPENAI_BASE_URL);
}
