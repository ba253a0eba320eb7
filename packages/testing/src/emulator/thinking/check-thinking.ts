import { type Report, reportInto } from "../request/report.ts";
import { contentOf, isRecord, toText, type WireBlock } from "../request/wire-values.ts";
import type { RequestContext, RequestViolation, WireBody } from "../wire.ts";
import { carriedDigest, isThinking, prefixDigests } from "./prefix-digests.ts";
import { defaultSecret, unseal } from "./seal.ts";
import { thinkingId } from "./sign-thinking.ts";

const bindingBeta = "thinking-binding-controls-2026-08-01";

export interface ThinkingContext extends RequestContext {
  readonly secret?: string;
  /** Whether the response that made this call began with thinking, where the server remembers it. */
  readonly hadThinking?: (toolUseId: string) => boolean;
}

/** An entry of `input_transformations`, as it is on the wire. */
export interface DroppedThinking {
  readonly type: "thinking_dropped";
  /** In the request as it was sent. */
  readonly path: string;
  readonly reason: "prefix_binding_mismatch";
}

export interface CheckedThinking {
  readonly violations: readonly RequestViolation[];
  readonly dropped: readonly DroppedThinking[];
  /** The request without the dropped blocks; the very same one when there are none. */
  readonly body: WireBody;
}

/**
 * Checks that thinking comes back as it was given out. A changed text or a forged signature is refused on every model.
 * On a model whose thinking is bound to its prefix a block is right when system, tools and all that is no thinking in
 * front of it are what they were, and the right thinking block in front of it, if there is one, is the one that was
 * there: thinking may be removed from the front of the history, but not from its middle. What is not right is refused,
 * or dropped with the rest of its row of thinking blocks where the request asks for that.
 */
export function checkThinking(body: WireBody, context: ThinkingContext): CheckedThinking {
  const violations: RequestViolation[] = [];
  const report = reportInto(violations);
  const { secret = defaultSecret } = context;
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  checkOpenRound(body, context.hadThinking, report);
  const locations = locationsOf(messages, secret, report);
  if (locations.length === 0) return { violations, dropped: [], body };
  const isBound = context.capabilities.prefixBoundThinking;
  const prefixes = isBound ? prefixDigests(body, secret).prefixes : [];
  const latest = messages.findLastIndex((message) => isRecord(message) && message.role === "assistant");
  const mismatched: Location[] = [];
  let kept: Location | undefined;
  for (const location of locations) {
    const fields = unseal(
      secret,
      toText(location.block.type),
      sealOf(location.block),
      textOf(location.block),
    );
    const isRight =
      !isBound || fields === null || (fields[0] === prefixes[location.message] && isLinked(fields[1], kept));
    if (fields === null) reportModified(location, latest, report);
    if (isRight && !isSameRow(mismatched.at(-1), location)) kept = location;
    else mismatched.push(location);
  }
  if (!dropsMismatched(body, context)) {
    for (const { path } of mismatched)
      report(
        "thinking-bound",
        path,
        "This `thinking` block is bound to a different conversation: what comes before it has changed since it was created.",
      );
    return { violations, dropped: [], body };
  }
  const dropped = mismatched.map(
    ({ path }): DroppedThinking => ({
      type: "thinking_dropped",
      path,
      reason: "prefix_binding_mismatch",
    }),
  );
  return { violations, dropped, body: withoutLocations(body, messages, mismatched) };
}

interface Location {
  readonly message: number;
  readonly index: number;
  readonly path: string;
  readonly block: WireBlock;
}

/** Every thinking block; signed compaction blocks are checked on the way. */
function locationsOf(messages: readonly unknown[], secret: string, report: Report): readonly Location[] {
  return messages.flatMap((holder, message) =>
    contentOf(holder).flatMap((block, index) => {
      const path = `messages.${message}.content.${index}`;
      if (block.type === "compaction" && carriedDigest(block, secret) === null) {
        const field = block.signature ? "signature" : "encrypted_content";
        if (block[field])
          report("compaction-signature", path, `Invalid \`${field}\` in \`compaction\` block`);
      }
      return isThinking(block) ? { message, index, path, block } : [];
    }),
  );
}

function sealOf(block: WireBlock): unknown {
  return block.type === "thinking" ? block.signature : block.data;
}

function textOf(block: WireBlock): string {
  return block.type === "thinking" ? toText(block.thinking) : "";
}

function isLinked(link: string | undefined, previous: Location | undefined): boolean {
  return previous === undefined || link === thinkingId(previous.block);
}

/** Whether a block directly follows a dropped one in the same message. */
function isSameRow(dropped: Location | undefined, location: Location): boolean {
  return dropped?.message === location.message && dropped.index === location.index - 1;
}

function reportModified({ message, path, block }: Location, latest: number, report: Report): void {
  const sentence =
    message === latest
      ? "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response."
      : `Invalid \`${block.type === "thinking" ? "signature" : "data"}\` in \`${toText(block.type)}\` block`;
  report("thinking-modified", path, sentence);
}

function dropsMismatched({ thinking }: WireBody, { betas }: ThinkingContext): boolean {
  if (!betas.has(bindingBeta) || !isRecord(thinking) || !isRecord(thinking.block_binding)) return false;
  return thinking.block_binding.prefix_mismatch_behavior === "drop_block";
}

function withoutLocations(
  body: WireBody,
  messages: readonly unknown[],
  locations: readonly Location[],
): WireBody {
  if (locations.length === 0) return body;
  const gone = new Set(locations.map(({ block }) => block));
  const kept = messages.map((message) =>
    isRecord(message) && Array.isArray(message.content)
      ? { ...message, content: message.content.filter((block) => !gone.has(block)) }
      : message,
  );
  return { ...body, messages: kept };
}

/**
 * While results of tools are the last word, the thinking that led to the calls may not be missing: not from any message
 * of the turn that goes on. Asks the server's memory, since a request alone does not show what was removed from it.
 */
function checkOpenRound(
  { messages, thinking }: WireBody,
  hadThinking: ((toolUseId: string) => boolean) | undefined,
  report: Report,
): void {
  if (!hadThinking || !Array.isArray(messages)) return;
  if (!isRecord(thinking) || thinking.type === "disabled") return;
  if (!hasResults(messages.at(-1))) return;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message: unknown = messages[index];
    if (!isRecord(message)) return;
    if (message.role === "user" && !hasResults(message)) return;
    if (message.role !== "assistant") continue;
    const content = contentOf(message);
    const isMissing = !content.some(isThinking) && content.some(({ id }) => hadThinking(toText(id)));
    if (isMissing)
      report(
        "thinking-removed",
        `messages.${index}.content.0.type`,
        `Expected \`thinking\` or \`redacted_thinking\`, but found \`${toText(content[0]?.type)}\`. The thinking of a turn whose tools are still running must remain as it was in the original response.`,
      );
  }
}

function hasResults(message: unknown): boolean {
  return contentOf(message).some(({ type }) => type === "tool_result");
}
