import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCatalog } from "../../../../core/src/catalog/index.ts";
import { checkThinking } from "../thinking/check-thinking.ts";
import { checkRequest } from "./check-request.ts";
import { measurePrompt } from "./measure-prompt.ts";

const context = { betas: new Set<string>(), capabilities: createCatalog().capabilities("unknown").value };
const value = fc.jsonValue({ maxDepth: 2 });
const type = fc.constantFrom(
  "text",
  "image",
  "document",
  "thinking",
  "redacted_thinking",
  "tool_use",
  "tool_result",
  "compaction",
);
const fields = [
  "text",
  "thinking",
  "signature",
  "data",
  "id",
  "name",
  "input",
  "tool_use_id",
  "content",
  "source",
  "cache_control",
];
const block = fc
  .tuple(
    fc.oneof(type, fc.constantFrom("constructor", "toString"), value),
    fc.dictionary(fc.constantFrom(...fields), value),
  )
  .map(([kind, rest]) => ({ type: kind, ...rest }));
const blocks = fc.oneof(value, fc.array(fc.oneof(value, block), { maxLength: 4 }));
const message = fc.record(
  { role: fc.oneof(fc.constantFrom("user", "assistant", "system", "constructor"), value), content: blocks },
  { requiredKeys: [] },
);
const body = fc.record(
  {
    model: value,
    max_tokens: value,
    system: blocks,
    tools: blocks,
    tool_choice: value,
    thinking: value,
    context_management: value,
    compaction: value,
    cache_control: value,
    messages: fc.oneof(value, fc.array(fc.oneof(value, message), { maxLength: 5 })),
  },
  { requiredKeys: [] },
);

describe("any body", () => {
  it("is refused, counted and checked without a throw", () => {
    fc.assert(
      fc.property(body, (request) => {
        expect(checkRequest(request, context)).toBeInstanceOf(Array);
        const { blocks: measured, tokens } = measurePrompt(request);
        expect(measured.reduce((sum, one) => sum + one.tokens, 0)).toBe(tokens);
        expect(checkThinking(request, context).violations).toBeInstanceOf(Array);
      }),
      { numRuns: 1_000 },
    );
  });
});
