import { isObject } from "../../log/import/json-value.ts";
import type { BlockDelta } from "../../spec/index.ts";

/** A piece of a block in our words; what has none in them is passed on as it came. */
export function toBlockDelta(delta: unknown): BlockDelta {
  if (!isObject(delta)) return { type: "other", delta };
  const { type, text, thinking, signature, partial_json } = delta;
  if (type === "text_delta" && typeof text === "string") return { type: "text", text };
  if (type === "thinking_delta" && typeof thinking === "string") return { type: "thinking", thinking };
  if (type === "signature_delta" && typeof signature === "string") return { type: "signature", signature };
  if (type === "input_json_delta" && typeof partial_json === "string")
    return { type: "input", json: partial_json };
  return { type: "other", delta };
}
