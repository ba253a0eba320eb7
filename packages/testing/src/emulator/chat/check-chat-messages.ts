import { isRecord } from "../request/is-record.ts";
import { lookUp } from "../request/look-up.ts";
import { toText } from "../request/to-text.ts";
import type { WireBody } from "../wire.ts";
import { type ChatReport, reportEmpty, reportType } from "./chat-report.ts";
import { checkFunctionName } from "./check-chat-tools.ts";

const maxIdLength = 40;

/** What each role may say, as types of parts. */
const partsOf: Readonly<Record<string, readonly string[]>> = {
  system: ["text"],
  developer: ["text"],
  user: ["text", "image_url", "input_audio", "file"],
  assistant: ["text", "refusal"],
  tool: ["text"],
  function: ["text"],
};

/** The list of messages, their roles and what they hold. Roles come in any order. */
export function checkChatMessages(messages: unknown, report: ChatReport): void {
  if (!Array.isArray(messages)) {
    reportType(report, "messages", "messages", "an array", messages);
    return;
  }
  if (messages.length === 0) {
    reportEmpty(report, "messages", "messages");
    return;
  }
  for (const [index, message] of messages.entries()) checkMessage(message, `messages[${index}]`, report);
}

function checkMessage(message: unknown, path: string, report: ChatReport): void {
  if (!isRecord(message)) {
    reportType(report, "message", path, "an object", message);
    return;
  }
  const { role } = message;
  if (role === undefined) {
    reportType(report, "role", `${path}.role`, "a string", role);
    return;
  }
  const parts = lookUp(partsOf, role);
  if (parts === undefined) {
    const roles = "'system', 'assistant', 'user', 'function', 'tool', and 'developer'";
    const sentence = `Invalid value: '${toText(role)}'. Supported values are: ${roles}.`;
    report("role", `${path}.role`, sentence, "invalid_value");
    return;
  }
  const { content } = message;
  if (typeof content !== "string") {
    if (Array.isArray(content)) checkChatParts(content, `${path}.content`, parts, report);
    else if (!mayBeSilent(message) || (content !== null && content !== undefined))
      report(
        "content",
        `${path}.content`,
        `Invalid value for 'content': expected a string, got ${content === undefined ? "null" : toText(content)}.`,
      );
  }
  if (role === "assistant") checkCalls(message, path, report);
  if (role === "tool" && typeof message.tool_call_id !== "string")
    reportType(report, "tool-call-id", `${path}.tool_call_id`, "a string", message.tool_call_id);
  if (role === "function") checkFunctionName(message.name, `${path}.name`, report);
}

/** The assistant need not speak where it calls, or has refused. */
function mayBeSilent({ role, tool_calls: calls, function_call: call, refusal }: WireBody): boolean {
  return role === "assistant" && (Array.isArray(calls) || isRecord(call) || typeof refusal === "string");
}

function checkCalls(message: WireBody, path: string, report: ChatReport): void {
  const { tool_calls: calls } = message;
  if (calls === undefined || calls === null) return;
  const where = `${path}.tool_calls`;
  if (!Array.isArray(calls)) {
    reportType(report, "tool-calls", where, "an array", calls);
    return;
  }
  if (calls.length === 0) {
    reportEmpty(report, "tool-calls", where);
    return;
  }
  for (const [index, call] of calls.entries()) checkCall(call, `${where}[${index}]`, report);
}

function checkCall(call: unknown, path: string, report: ChatReport): void {
  if (!isRecord(call)) {
    reportType(report, "tool-calls", path, "an object", call);
    return;
  }
  const { id, type, function: called } = call;
  if (typeof id !== "string") reportType(report, "tool-calls", `${path}.id`, "a string", id);
  else if (id.length > maxIdLength)
    report(
      "tool-calls",
      `${path}.id`,
      `Invalid '${path}.id': string too long. Expected a string with maximum length ${maxIdLength}, but got a string with length ${id.length} instead.`,
      "string_above_max_length",
    );
  if (type === "custom") return;
  if (type !== "function") {
    const sentence = `Invalid value: '${toText(type)}'. Supported values are: 'function' and 'custom'.`;
    report("tool-calls", `${path}.type`, sentence, "invalid_value");
    return;
  }
  if (!isRecord(called)) {
    reportType(report, "tool-calls", `${path}.function`, "an object", called);
    return;
  }
  checkFunctionName(called.name, `${path}.function.name`, report);
  if (typeof called.arguments !== "string")
    reportType(report, "tool-calls", `${path}.function.arguments`, "a string", called.arguments);
}

const imageUrl = /^(?:https?:\/\/\S+|data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2})$/;

/** The parts of one message: of a type that its role may use, with what the type needs. */
function checkChatParts(
  parts: readonly unknown[],
  path: string,
  allowed: readonly string[],
  report: ChatReport,
): void {
  if (parts.length === 0) {
    reportEmpty(report, "content", path);
    return;
  }
  for (const [index, part] of parts.entries()) {
    const where = `${path}[${index}]`;
    if (!isRecord(part)) reportType(report, "part", where, "an object", part);
    else if (!allowed.includes(toText(part.type)))
      report(
        "part-type",
        `${where}.type`,
        `Invalid value: '${toText(part.type)}'. Supported values are: ${allowed.map((type) => `'${type}'`).join(", ")}.`,
        "invalid_value",
      );
    else checkPart(part, where, report);
  }
}

function checkPart(part: WireBody, path: string, report: ChatReport): void {
  const { type } = part;
  if (type === "text" || type === "refusal") {
    if (typeof part[type] !== "string") reportType(report, "part", `${path}.${type}`, "a string", part[type]);
    return;
  }
  if (type === "image_url") {
    checkImage(part.image_url, `${path}.image_url`, report);
    return;
  }
  if (type !== "file") return;
  const { file } = part;
  if (!isRecord(file)) {
    reportType(report, "part", `${path}.file`, "an object", file);
    return;
  }
  const { file_id: id, file_data: bytes } = file;
  if (typeof id !== "string" && typeof bytes !== "string")
    reportType(report, "part", `${path}.file.file_id`, "a string", id);
}

function checkImage(image: unknown, path: string, report: ChatReport): void {
  if (!isRecord(image)) {
    reportType(report, "image", path, "an object", image);
    return;
  }
  const { url } = image;
  if (typeof url !== "string") {
    reportType(report, "image", `${path}.url`, "a string", url);
    return;
  }
  if (!imageUrl.test(url))
    report(
      "image",
      `${path}.url`,
      `Invalid '${path}.url'. Expected a URL, or a base64-encoded data URL with an image MIME type.`,
      "invalid_value",
    );
}
