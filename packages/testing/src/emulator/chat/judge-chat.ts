import type { FoundModel } from "../emulated-models.ts";
import { isRecord } from "../request/is-record.ts";
import { toText } from "../request/to-text.ts";
import { type ApiError, apiError } from "../server/api-error.ts";
import type { Emulation } from "../server/emulation.ts";
import type { Refusal } from "../server/judge-request.ts";
import type { MeasuredPrompt, WireBody } from "../wire.ts";
import { contextLengthError } from "./chat-error.ts";
import { checkChat } from "./check-chat.ts";
import { measureChat } from "./measure-chat.ts";
import { toMessagesBody } from "./to-messages-body.ts";

/** A chat request that is answered. */
export interface ChatAcceptance {
  readonly kind: "accepted";
  /** The model as the client named it. */
  readonly asked: string;
  readonly found: FoundModel;
  readonly body: WireBody;
  /** In the shape of the Messages API. */
  readonly whole: WireBody;
  readonly prompt: MeasuredPrompt;
}

/** Says whether a chat request is taken, and how long its prompt is. */
export function judgeChat(json: unknown, { models }: Emulation): Refusal | ChatAcceptance {
  const name = isRecord(json) && typeof json.model === "string" ? json.model : "";
  const found = name === "" ? models.list[0] : models.findAny(name);
  if (found === undefined) return { kind: "refused", error: unknownModel(name), violations: [] };
  const violations = checkChat(json, found.capabilities);
  const [first] = violations;
  if (first !== undefined) {
    const error = apiError("invalid_request_error", first.message);
    const param = first.path === "" ? null : first.path;
    return { kind: "refused", error: { ...error, param, code: first.code }, violations };
  }
  const body = json as WireBody;
  const whole = { ...toMessagesBody(body), model: found.model.id };
  const prompt = measureChat(whole);
  const { contextWindow } = found.capabilities;
  if (prompt.tokens <= contextWindow) return { kind: "accepted", asked: name, found, body, whole, prompt };
  const error = contextLengthError(prompt.tokens, contextWindow);
  return {
    kind: "refused",
    error,
    violations: [{ rule: "window", path: "messages", message: error.message }],
  };
}

function unknownModel(name: string): ApiError {
  const message = `The model \`${toText(name)}\` does not exist or you do not have access to it.`;
  return { ...apiError("not_found_error", message), param: null, code: "model_not_found" };
}
