import { fail, type Model, ok, type Result } from "../spec/index.ts";

export interface ModelPlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Names that say by themselves whose models they are. */
const anthropicNames = /^(?:claude|anthropic[./])/i;

/**
 * The model a name stands for: `anthropic:NAME`, `openai:NAME`, or a bare name, which is Anthropic's where it begins with
 * `claude`, and else belongs to whatever server `OPENAI_BASE_URL` or OpenAI's key leads to.
 */
export async function resolveModel(name: string, { environment }: ModelPlace): Promise<Result<Model>> {
  const [, provider, bare] = /^(anthropic|openai):(.+)$/.exec(name) ?? [];
  const model = bare ?? name;
  const isAnthropic = provider === undefined ? anthropicNames.test(model) : provider === "anthropic";
  const isReachable = isAnthropic || provider === "openai" || hasOpenAi(environment);
  if (!isReachable)
    return fail("no-model", `“${name}” is not a model that anybody here is known to serve.`, {
      path: "model",
      fix: "Write “openai:NAME” with OPENAI_BASE_URL for a server of your own, or name a Claude model.",
    });
  if (isAnthropic) {
    const { anthropic } = await import("../models/anthropic/index.ts");
    return ok(anthropic(model, { environment }));
  }
  const { openai } = await import("../models/openai/index.ts");
  return ok(openai(model, { environment }));
}

function hasOpenAi(environment: ModelPlace["environment"]): boolean {
  return Boolean(environment.OPENAI_API_KEY || environment.OPENAI_BASE_URL);
}
