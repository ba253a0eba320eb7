import {
  fail,
  type ModelRequest,
  ok,
  type RequestPatch,
  type Result,
  type TextBlock,
  type ToolDefinition,
} from "../spec/index.ts";

/** What stands before the messages of every request, as it is sent, and the fields every request has besides. */
export interface RequestHead {
  readonly model: string;
  readonly system: readonly TextBlock[];
  readonly tools: readonly ToolDefinition[];
  readonly fields: RequestPatch;
}

const ownFields = ["model", "system", "tools", "messages"];

/** Fields such as `thinking`, `tool_choice` or `max_tokens`; what the session itself fills is refused. */
export function checkFields(fields: RequestPatch): Result<RequestPatch> {
  const own = ownFields.find((name) => name in fields);
  if (own === undefined) return ok(fields);
  return fail("invalid-input", `request.${own}: the session fills this field itself.`, {
    path: `request.${own}`,
    fix: own === "messages" ? "Add messages with “session.add”." : `Give it as the option “${own}”.`,
  });
}

/** A request with more fields; beta names add up, of everything else the later word holds. */
export function withPatch(request: ModelRequest, patch: RequestPatch): ModelRequest {
  const betas = [...(request.betas ?? []), ...((patch.betas as readonly string[] | undefined) ?? [])];
  return { ...request, ...patch, ...(betas.length > 0 && { betas: [...new Set(betas)] }) };
}
