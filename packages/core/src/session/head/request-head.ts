import { wellFormedBlock, wellFormedValue } from "../../json/json-values.ts";
import {
  fail,
  type ModelRequest,
  ok,
  type RequestPatch,
  type Result,
  type TextBlock,
  type TokenCount,
  type Tool,
  type ToolDefinition,
} from "../../spec/index.ts";
import { legalToolName } from "../../view/request/answer-repair.ts";
import { withoutMarker } from "../../view/request/breakpoints.ts";
import type { SessionParts } from "../session-parts.ts";

/** The blocks before the messages of every request, as they are sent, and the fields every request has besides. */
export interface RequestHead {
  readonly model: string;
  readonly system: readonly TextBlock[];
  readonly tools: readonly ToolDefinition[];
  /** The tools with what is never sent. */
  readonly traits: readonly Tool[];
  readonly fields: RequestPatch;
  /** The beta headers that the model sends by itself with every request. */
  readonly modelBetas?: readonly string[];
  /** Blocks and fields of answers that nobody knows are sent back as they came. */
  readonly keepsUnknownBlocks?: boolean;
  /** The former beginning of a resumed session, as digests. */
  readonly former?: { readonly toolsDigest?: string; readonly systemDigest?: string };
}

/** Empty texts are left out and broken characters mended: the API would refuse every request. */
export function toSystem(system: string | readonly TextBlock[]): readonly TextBlock[] {
  const blocks = typeof system === "string" ? [{ type: "text", text: system } as const] : system;
  return blocks
    .filter(({ text }) => text.trim() !== "")
    .map((block) => wellFormedBlock(withoutMarker(block)) as TextBlock);
}

export function checkTools(tools: readonly Tool[]): Result<readonly Tool[]> {
  const names = new Set<string>();
  for (const [index, { name }] of tools.entries()) {
    const path = `tools[${index}].name`;
    if (typeof name !== "string" || !legalToolName.test(name)) {
      return fail("invalid-input", `${path}: “${name}” cannot name a tool.`, {
        path,
        fix: "Use letters, digits, dashes and underscores, at most 128 of them.",
      });
    }
    if (names.has(name)) {
      return fail("invalid-input", `${path}: there are two tools named ${name}.`, {
        path,
        fix: "Give each tool a name of its own.",
      });
    }
    names.add(name);
  }
  return ok(
    tools.map(({ promptLines: _promptLines, ...tool }) => wellFormedValue(withoutMarker(tool)) as Tool),
  );
}

/** JSON has no `Infinity`: a tool that was stored with it comes back with `null`. */
export function withUnlimited(tool: Tool): Tool {
  return (tool.maxResultChars as unknown) === null
    ? { ...tool, maxResultChars: Number.POSITIVE_INFINITY }
    : tool;
}

/** A tool as it is sent. What the provider defines itself goes by its type and name. */
export function toDefinition(tool: Tool): ToolDefinition {
  const {
    maxResultChars: _chars,
    isReadOnly: _isReadOnly,
    isConcurrent: _isConcurrent,
    isDeferred: _isDeferred,
    _meta,
    ...definition
  } = tool;
  if (tool.type === undefined || tool.type === "custom") return definition;
  const { description: _description, input_schema: _schema, ...bare } = definition;
  return bare;
}

const ownFields = ["model", "system", "tools", "messages"];

/** Fields such as `thinking`, `tool_choice` or `max_tokens`; what the session itself fills is refused. */
export function checkFields(fields: RequestPatch): Result<RequestPatch> {
  const own = ownFields.find((name) => name in fields);
  const { betas } = fields;
  if (betas !== undefined && !(Array.isArray(betas) && betas.every((beta) => typeof beta === "string"))) {
    return fail("invalid-input", "request.betas: expected a list of names.", {
      path: "request.betas",
      fix: "Give the names of beta headers as a list of texts.",
    });
  }
  if (own === undefined) return ok(fields);
  return fail("invalid-input", `request.${own}: the session fills this field itself.`, {
    path: `request.${own}`,
    fix: own === "messages" ? "Add messages with “session.add”." : `Give it as the option “${own}”.`,
  });
}

/**
 * A request with more fields; beta names and edits of context management add up, of everything else the later word
 * holds, and of two edits of one type.
 */
export function withPatch(request: ModelRequest, patch: RequestPatch): ModelRequest {
  const { betas: more = [], ...fields } = patch;
  const betas = [...(request.betas ?? []), ...(more as readonly string[])];
  const later = editsOf(patch.context_management);
  const types = new Set(later.map(({ type }) => type));
  const former = editsOf(request.context_management).filter(({ type }) => !types.has(type));
  return {
    ...request,
    ...fields,
    ...(betas.length > 0 && { betas: [...new Set(betas)] }),
    ...(former.length > 0 &&
      later.length > 0 && {
        context_management: { ...(patch.context_management as object), edits: [...former, ...later] },
      }),
  };
}

function editsOf(management: unknown): readonly { readonly type?: unknown }[] {
  const { edits } = (management ?? {}) as { readonly edits?: unknown };
  return Array.isArray(edits) ? edits.filter((edit) => typeof edit === "object" && edit !== null) : [];
}

/** Tokens of a session's system prompt and tools, as its count, its layers and its accounting have them. */
export function headTokensOf({
  state,
  head,
  rates,
}: Pick<SessionParts, "state" | "head" | "rates">): TokenCount {
  return state.headTokens((features) => rates.calibration.estimate(head.model, features));
}
