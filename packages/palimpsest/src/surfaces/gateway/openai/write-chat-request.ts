import { isObject, toChatMessages, withoutMarkers } from "@palimpsest/core/internal";
import type { ModelRequest, RequestMessage } from "@palimpsest/core/spec";
import type { Turn } from "../match/canonical-message.ts";
import type { ClientRequest, WrittenRequest } from "../protocol/protocol.ts";

/**
 * The client's request with the session's messages in place of its own. What stands there as the client sent it is
 * sent in the client's own form, with fields that only its server knows.
 */
export function writeChatRequest(
  { body, turns }: Pick<ClientRequest, "body" | "turns">,
  managed: ModelRequest,
): WrittenRequest {
  const given = Array.isArray(body.messages) ? body.messages.filter(isObject) : [];
  const begin = given.findIndex(({ role }) => role !== "system" && role !== "developer");
  const known = new Map(turns.map((turn) => [keyOf(turn), turn.raw ?? []]));
  const messages = managed.messages.flatMap((message) => {
    const raw = known.get(keyOf(message));
    return raw ?? toChatMessages({ messages: [bare(message)] }, { images: true, documents: true }).messages;
  });
  const written = { ...body, messages: [...given.slice(0, Math.max(0, begin)), ...messages] };
  return { body: Buffer.from(JSON.stringify(written)), betas: [] };
}

function bare(message: RequestMessage): RequestMessage {
  return { ...message, content: message.content.map(withoutMarkers) };
}

/** Equal for a turn and the message that a session makes of it, where that is made of nothing else. */
function keyOf({ role, content }: Turn | RequestMessage): string {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return JSON.stringify([role, blocks.map(withoutMarkers)]);
}
