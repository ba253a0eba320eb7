import { isObject, type JsonObject } from "@palimpsest/core/internal";
import { fail, ok, type Result, type TextBlock, type Tool } from "@palimpsest/core/spec";
import { fromChatMessages } from "../../../models/openai/index.ts";
import type { Turn } from "../match/canonical-message.ts";
import type { ClientRequest } from "../protocol/protocol.ts";

/** Reads a chat completion. Results that answer one message of the assistant are one turn. */
export function readChatRequest(body: unknown): Result<ClientRequest> {
  if (!isObject(body)) return unreadable("it is no object");
  const { model, messages } = body;
  if (typeof model !== "string" || model.trim() === "") return unreadable("it names no model");
  if (!Array.isArray(messages) || messages.length === 0) return unreadable("it has no messages");
  if (!messages.every(isObject)) return unreadable("a message is no object");
  const begin = messages.findIndex((message) => !isSystem(message));
  if (begin === -1) return unreadable("it has no message of the user");
  const turns = groupsOf(messages.slice(begin)).flatMap(toTurn);
  const standsAside = whyAside(body, messages, begin, turns);
  return ok({
    body,
    model,
    isStream: body.stream === true,
    turns,
    system: systemOf(messages.slice(0, begin)),
    tools: toolsOf(body.tools),
    fields: {},
    ...(standsAside !== undefined && { standsAside }),
  });
}

const isSystem = ({ role }: JsonObject) => role === "system" || role === "developer";

function systemOf(messages: readonly JsonObject[]): readonly TextBlock[] {
  return fromChatMessages(messages).system;
}

function groupsOf(messages: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const groups: JsonObject[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (message.role === "tool" && last?.[0]?.role === "tool") last.push(message);
    else groups.push([message]);
  }
  return groups;
}

function toTurn(raw: readonly JsonObject[]): readonly Turn[] {
  return fromChatMessages(raw).messages.flatMap(({ role, content }) =>
    role === "system" ? [] : [{ role, content, raw }],
  );
}

function toolsOf(tools: unknown): readonly Tool[] {
  const functions = (Array.isArray(tools) ? tools : []).filter(isObject).map((tool) => tool.function);
  return functions.filter(isObject).map(({ name, description, parameters }) => ({
    name: String(name),
    ...(typeof description === "string" && { description }),
    input_schema: isObject(parameters) ? parameters : { type: "object" },
  })) as unknown as readonly Tool[];
}

/** Ids that a session takes as they are. */
const plainId = /^[a-zA-Z0-9_-]{1,64}$/;

function whyAside(
  body: JsonObject,
  messages: readonly JsonObject[],
  begin: number,
  turns: readonly Turn[],
): string | undefined {
  if (messages.slice(begin).some(isSystem))
    return "it has system messages behind the first words of the user";
  if (typeof body.n === "number" && body.n > 1) return "it asks for several answers";
  if (turns.length === 0 || turns.at(-1)?.role !== "user") return "it does not end with words of the user";
  const ids = messages.flatMap((message) =>
    (Array.isArray(message.tool_calls) ? message.tool_calls : []).filter(isObject).map(({ id }) => id),
  );
  return ids.every((id) => typeof id === "string" && plainId.test(id))
    ? undefined
    : "it names calls in a way that cannot be kept";
}

function unreadable(what: string): Result<never> {
  return fail("invalid-input", `The request cannot be read: ${what}.`, {
    fix: "It went to the provider as it is, which says what is wrong with it.",
  });
}
