import { type EditedRequest, editRequest } from "../edits/edit-request.ts";
import type { FoundModel } from "../emulated-models.ts";
import { checkRequest } from "../request/check-request.ts";
import { checkWindow } from "../request/check-unicode.ts";
import { reportInto } from "../request/report.ts";
import { isRecord } from "../request/wire-values.ts";
import { checkThinking, type DroppedThinking } from "../thinking/check-thinking.ts";
import type { MeasuredPrompt, RequestContext, RequestViolation, WireBody } from "../wire.ts";
import { type ApiError, apiError } from "./api-error.ts";
import type { Emulation } from "./emulation.ts";

export interface Refusal {
  readonly kind: "refused";
  readonly error: ApiError;
  readonly violations: readonly RequestViolation[];
}

/** A request that the API would answer. */
export interface Acceptance {
  readonly kind: "accepted";
  /** The model as the client named it. */
  readonly asked: string;
  readonly found: FoundModel;
  readonly context: RequestContext;
  /** As it was sent, without thinking that was dropped: what is thought next is signed over it. */
  readonly body: WireBody;
  /** As the model sees it: after the server's own edits. */
  readonly edited: EditedRequest;
  readonly prompt: MeasuredPrompt;
  readonly dropped: readonly DroppedThinking[];
}

export interface Judging {
  readonly emulation: Emulation;
  readonly betas: ReadonlySet<string>;
  /** Tokens may be counted without a length of the answer, and over the window. */
  readonly isCount: boolean;
}

/** Says whether the API would take a request, and how long its prompt is. */
export function judgeRequest(json: unknown, { emulation, betas, isCount }: Judging): Refusal | Acceptance {
  const { models } = emulation;
  const name = modelName(json);
  const found = name === undefined ? models.list[0] : models.find(name);
  if (found === undefined) return refuse(apiError("not_found_error", `model: ${name}`));
  const context: RequestContext = { betas, capabilities: found.capabilities };
  const checked = isCount && isRecord(json) ? { max_tokens: 1, ...json } : json;
  const violations = checkRequest(checked, context);
  if (violations.length > 0) return refuseFor(violations);
  const { secret, memory } = emulation;
  const sent = { ...(checked as WireBody), model: found.model.id };
  const thinking = checkThinking(sent, { ...context, secret, hadThinking: memory.hadThinking });
  if (thinking.violations.length > 0) return refuseFor(thinking.violations);
  const { body, dropped } = thinking;
  const edited = editRequest(body);
  const { prompt } = edited;
  const uncached = isCount ? [] : checkDeletions(edited, emulation);
  if (uncached.length > 0) return refuseFor(uncached);
  const over = isCount ? null : checkWindow(prompt, found.capabilities);
  if (over !== null) return refuseFor([over]);
  const asked = name ?? found.model.id;
  return { kind: "accepted", asked, found, context, body, edited, prompt, dropped };
}

function refuse(error: ApiError, violations: readonly RequestViolation[] = []): Refusal {
  return { kind: "refused", error, violations };
}

function refuseFor(violations: readonly RequestViolation[]): Refusal {
  return refuse(apiError("invalid_request_error", violations[0]?.message ?? ""), violations);
}

function modelName(json: unknown): string | undefined {
  return isRecord(json) && typeof json.model === "string" && json.model !== "" ? json.model : undefined;
}

/**
 * Results can be deleted where the request reads them from the cache. Edits that were accepted before may be repeated
 * at their place whatever the cache still has: a pause does not make a conversation invalid.
 */
function checkDeletions(
  { deletions, prompt }: EditedRequest,
  { cache, memory }: Pick<Emulation, "cache" | "memory">,
): readonly RequestViolation[] {
  const violations: RequestViolation[] = [];
  const report = reportInto(violations);
  const added = deletions.filter(({ key }) => !memory.hadEdit(key));
  const hitBlock = added.length === 0 ? -1 : cache.peek(prompt);
  for (const { block, path, reference } of added) {
    if (block > hitBlock)
      report("cache-edits", path, `the \`tool_result\` \`${reference}\` is not in the cached prefix`);
  }
  return violations;
}
