import { isObject, type JsonObject, withoutMarker } from "@palimpsest/core/internal";
import type { ModelRequest } from "@palimpsest/core/spec";
import type { ClientRequest, WrittenRequest } from "../protocol/protocol.ts";

/**
 * The client's request with the session's messages in place of its own. Everything that is not conversation stays the
 * client's; markers of the cache are the engine's, four at most: end of tools, end of system, two in the messages.
 */
export function writeMessagesRequest(
  { body }: Pick<ClientRequest, "body">,
  managed: ModelRequest,
): WrittenRequest {
  const { cache_control: _automatic, ...rest } = body;
  const marker = markerOf(managed);
  const written = {
    ...rest,
    ...(body.system !== undefined && { system: markedSystem(body.system, marker) }),
    ...(Array.isArray(body.tools) && { tools: marked(body.tools, marker) }),
    messages: managed.messages,
    ...(managed.thinking !== undefined && { thinking: managed.thinking }),
  };
  return { body: Buffer.from(JSON.stringify(written)), betas: managed.betas ?? [] };
}

/** How long the engine wants what is marked to be kept. */
function markerOf({ messages }: ModelRequest): JsonObject | undefined {
  for (const { content } of [...messages].reverse()) {
    const marker = content.find((block) => "cache_control" in block);
    if (marker && "cache_control" in marker && isObject(marker.cache_control)) return marker.cache_control;
  }
  return undefined;
}

function markedSystem(system: unknown, marker: JsonObject | undefined): unknown {
  if (typeof system === "string") {
    return marker && system.trim() !== "" ? marked([{ type: "text", text: system }], marker) : system;
  }
  return Array.isArray(system) ? marked(system, marker) : system;
}

function marked(list: readonly unknown[], marker: JsonObject | undefined): readonly unknown[] {
  const bare = list.map((one) => (isObject(one) ? withoutMarker(one) : one));
  const last = bare.at(-1);
  if (!marker || !isObject(last) || last.text === "") return bare;
  return [...bare.slice(0, -1), { ...last, cache_control: marker }];
}
