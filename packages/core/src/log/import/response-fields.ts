import type { Message } from "../../spec/index.ts";
import { type JsonObject, textOf } from "./json-value.ts";
import { readUsage } from "./read-usage.ts";

/** What the API says about a response beside its content. */
export function responseFields(
  recorded: JsonObject,
): Pick<Message, "responseId" | "model" | "stopReason" | "usage"> {
  const responseId = textOf(recorded, "id");
  const model = textOf(recorded, "model");
  const stopReason = recorded.stop_reason;
  const usage = readUsage(recorded.usage);
  return {
    ...(responseId !== undefined && { responseId }),
    ...(model !== undefined && { model }),
    ...((typeof stopReason === "string" || stopReason === null) && { stopReason }),
    ...(usage !== undefined && { usage }),
  };
}
