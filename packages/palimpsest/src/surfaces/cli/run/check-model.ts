import { PalimpsestError } from "@palimpsest/core/spec";
import { resolveModel } from "../../../loop/resolve-model.ts";
import { resolveConnection } from "../../../models/openai/connection.ts";
import { providerOf } from "../../../models/provider-of-name.ts";
import { orThrow } from "../or-throw.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a person without a key can do, one way a line. */
export const firstSteps: readonly string[] = [
  "With a key:       export ANTHROPIC_API_KEY=…",
  "With a server of your own, such as Ollama:",
  "                  export OPENAI_BASE_URL=http://localhost:11434/v1",
  "                  palimpsest run --model openai:NAME -p …",
  "Without a model:  palimpsest demo       a recorded session",
  "                  palimpsest emulator   a server that acts as one",
];

/** Throws where the model is nobody's, or its provider needs a key that is not there: before anything begins. */
export async function checkModel(name: string, environment: Environment): Promise<void> {
  orThrow(await resolveModel(name, { environment }));
  if (providerOf(name) === "anthropic") {
    if (!environment.ANTHROPIC_API_KEY?.trim()) throw missingKey(name, "Anthropic", "ANTHROPIC_API_KEY");
    return;
  }
  const { apiKey, isLoopback, host } = resolveConnection(name, { environment });
  if (apiKey === undefined && !isLoopback) throw missingKey(name, host, "OPENAI_API_KEY");
}

function missingKey(model: string, provider: string, variable: string): PalimpsestError {
  return new PalimpsestError("unauthenticated", `There is no key for ${provider}, which serves ${model}.`, {
    path: variable,
    fix: `Set ${variable}, or do without:`,
  });
}
