import type { Capabilities } from "@palimpsest/core/spec";
import type { MeasuredPrompt, RequestViolation } from "../wire.ts";

/** The refusal of a prompt that has more tokens than the model takes, in the API's words; `null` when it fits. */
export function checkWindow(
  { tokens }: MeasuredPrompt,
  { contextWindow }: Pick<Capabilities, "contextWindow">,
): RequestViolation | null {
  if (tokens <= contextWindow) return null;
  return {
    rule: "window",
    path: "",
    message: `prompt is too long: ${tokens} tokens > ${contextWindow} maximum`,
  };
}
