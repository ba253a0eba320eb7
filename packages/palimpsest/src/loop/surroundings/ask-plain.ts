import type { SessionHandle } from "@palimpsest/core";
import { asNoModel, withoutLongSuffix } from "@palimpsest/core/internal";
import { fail, isBlock, type ModelRequest, ok, type Surroundings } from "@palimpsest/core/spec";
import type { LoopSetup } from "../run.ts";

/** Asks a model in one message of the user's, without system, tools and thinking. */
export function createAskPlain(
  handle: SessionHandle,
  setup: Pick<LoopSetup, "modelFor">,
): NonNullable<Surroundings["askPlain"]> {
  return async ({ text, maxOutputTokens, model: wanted = handle.head().model, onChars }, signal) => {
    const found = await setup.modelFor(wanted);
    if (!found.ok) return found;
    const { maxOutput } = handle.config().catalog.capabilities(wanted).value;
    const request: ModelRequest = {
      model: withoutLongSuffix(found.value.name),
      max_tokens: Math.min(maxOutput, maxOutputTokens),
      messages: [{ role: "user", content: [{ type: "text", text }] }],
    };
    let chars = 0;
    for await (const event of found.value.stream(request, signal)) {
      if (!event.ok) return { ok: false, error: asNoModel(event.error) };
      const { value } = event;
      if (value.type === "block-delta" && value.delta.type === "text") {
        chars += value.delta.text.length;
        onChars(chars);
      }
      if (value.type !== "response-end") continue;
      const { content, stopReason, usage, billed = usage, model } = value;
      const said = content.flatMap((block) => (isBlock(block, "text") ? block.text : [])).join("\n");
      const dollars = handle.dollars(billed, model, wanted);
      return ok({ text: said, content, stopReason, usage: billed, dollars });
    }
    return fail("disconnected", "The answer ended before it was whole.", { retryable: true });
  };
}
