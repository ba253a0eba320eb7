import {
  fail,
  type LayerIo,
  type ModelRequest,
  type NativelyCompacted,
  type Note,
  ok,
  type RequestPatch,
  type Result,
} from "../../spec/index.ts";
import { maxBreakpoints, placeBreakpoints, withBreakpoints } from "../../view/request/breakpoints.ts";
import { createMessageRenderer } from "../../view/request/message-renderer.ts";
import { isNativeBlock, nativeBetas, onDemandBeta } from "../../view/request/native-block.ts";
import { validate } from "../../view/request/validator.ts";
import { withoutLongSuffix } from "../../view/window/window.ts";
import { formerMark } from "../cache/answered-prefix.ts";
import type { ThinkingGuard } from "../cache/thinking-guard.ts";
import { withPatch } from "../head/request-head.ts";
import type { SessionHandle } from "../loop-port.ts";
import type { SessionParts } from "../session-parts.ts";

export interface NativeCompactionParts extends SessionParts {
  readonly handle: () => SessionHandle;
  readonly guard: Pick<ThinkingGuard, "patch">;
  readonly note: (note: Note) => Promise<Result<void>>;
}

/** Fields the API refuses beside a compaction on demand. */
const refusedBeside = ["context_management", "stop_sequences", "output_format"];

/** Asks the API for a compaction of the session; absent where nobody can ask. What it costs is noted. */
export function createNativeCompaction(parts: NativeCompactionParts): LayerIo["compactNatively"] {
  const { loop, head } = parts;
  const ask = loop?.ask;
  if (!ask) return undefined;
  return async (instructions, signal, upToSeq): Promise<Result<NativelyCompacted>> => {
    const made = toRequest(parts, instructions, upToSeq);
    if (!made.ok) return made;
    const handle = parts.handle();
    const answered = await ask.call(loop, handle, made.value, signal);
    if (!answered.ok) return answered;
    const { content, usage, billed = usage, model } = answered.value;
    const dollars = handle.dollars(billed, model, head.model);
    const noted = await parts.note({ topic: "usage", usage: billed, dollars });
    if (!noted.ok) return noted;
    const [block] = content;
    if (content.length === 1 && block && isNativeBlock(block)) return ok({ block, usage: billed });
    return fail("malformed-response", "The API was asked for a compaction and gave none.", {
      fix: "Set “compaction.native” to “off” for this model.",
    });
  };
}

/** The session's next request up to an entry, with nothing in it that the API refuses beside a compaction. */
function toRequest(
  parts: NativeCompactionParts,
  instructions: string | undefined,
  upToSeq: number | undefined,
): Result<ModelRequest> {
  const { state, head, config, lifetime } = parts;
  const { capabilities } = config;
  const last = upToSeq === undefined ? state.items.length : lastUpTo(state.items, upToSeq);
  const items = state.items.slice(0, last);
  const bare: ModelRequest = {
    model: withoutLongSuffix(head.model),
    max_tokens: capabilities.maxOutput,
    ...(head.system.length > 0 && { system: head.system }),
    ...(head.tools.length > 0 && { tools: head.tools }),
    messages: [...createMessageRenderer().render(items, 0)],
  };
  const compaction = { type: "summarize", ...(instructions !== undefined && { instructions }) };
  const patch = { compaction, betas: [...nativeBetas(items), onDemandBeta] };
  const request = [{ betas: config.windowBetas }, allowed(head.fields), patch, parts.guard.patch()].reduce(
    withPatch,
    bare,
  );
  const locations = placeBreakpoints(items, formerMark(state)?.position ?? null);
  const marked = withBreakpoints(request, locations, lifetime.ttl, items.length);
  const [violation] = validate(marked, { images: capabilities.images, maxBreakpoints });
  if (!violation) return ok(marked);
  const { path, message } = violation;
  return fail("conflict", `The conversation cannot be compacted as it is: ${path}: ${message}`, { path });
}

function lastUpTo(items: readonly { readonly seq: number }[], seq: number): number {
  return items.findLastIndex((item) => item.seq <= seq) + 1;
}

function allowed(fields: RequestPatch): RequestPatch {
  const kept = Object.entries(fields).filter(([name]) => !refusedBeside.includes(name));
  const { tool_choice: choice, output_config: output, ...rest } = Object.fromEntries(kept);
  const { type } = (choice ?? {}) as { readonly type?: unknown };
  const { format: _format, ...effort } = (output ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...rest,
    ...(choice !== undefined && type !== "any" && type !== "tool" && { tool_choice: choice }),
    ...(Object.keys(effort).length > 0 && { output_config: effort }),
  };
}
