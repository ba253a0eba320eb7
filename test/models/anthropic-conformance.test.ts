import { describe, it } from "vitest";
import { anthropic } from "../../packages/palimpsest/src/models/anthropic/index.ts";
import { modelConformance } from "../../packages/testing/src/index.ts";

describe("anthropic(model) as a model", () => {
  const name = "claude-opus-4-5";
  const cases = modelConformance(
    ({ url, clock, idleMs }) =>
      anthropic(name, { baseURL: url, apiKey: "sk-ant-not-a-real-key", clock, idleTimeoutMs: idleMs }),
    { name },
  );
  for (const { name: sentence, run } of cases) it(sentence, run);
});
