import { isRecord, lookUp, toText } from "../request/wire-values.ts";
import type { WireBody } from "../wire.ts";
import { type ChatReport, reportEmpty, reportTooMany, reportType } from "./measure-chat.ts";

const maxIdLength = 40;

/** The types of parts that each role may have. */
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

const maxTools = 128;
const legalName = /^[a-zA-Z0-9_-]{1,64}$/;

/** Definitions of tools, and the choice among them. */
export function checkChatTools(body: WireBody, report: ChatReport): void {
  const { tools, tool_choice: choice, parallel_tool_calls: parallel } = body;
  const names = new Set<string>();
  if (tools === undefined || tools === null) {
    if (parallel !== undefined)
      report(
        "tools",
        "parallel_tool_calls",
        "'parallel_tool_calls' is only allowed when 'tools' are specified.",
      );
    if (choice !== undefined && choice !== null && choice !== "none")
      report("tool-choice", "tool_choice", "'tool_choice' is only allowed when 'tools' are specified.");
    return;
  }
  if (!Array.isArray(tools)) {
    reportType(report, "tools", "tools", "an array", tools);
    return;
  }
  if (tools.length === 0) reportEmpty(report, "tools", "tools");
  if (tools.length > maxTools) reportTooMany(report, "tools", "tools", maxTools, tools.length);
  for (const [index, tool] of tools.entries()) checkTool(tool, `tools[${index}]`, names, report);
  if (choice !== undefined && choice !== null) checkChoice(choice, names, report);
}

/** The name of a function, wherever one stands. */
function checkFunctionName(name: unknown, path: string, report: ChatReport): void {
  if (typeof name !== "string") reportType(report, "tool-name", path, "a string", name);
  else if (!legalName.test(name))
    report(
      "tool-name",
      path,
      `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]{1,64}$'.`,
      "invalid_value",
    );
}

function checkTool(tool: unknown, path: string, names: Set<string>, report: ChatReport): void {
  if (!isRecord(tool)) {
    reportType(report, "tools", path, "an object", tool);
    return;
  }
  if (tool.type === "custom") return;
  if (tool.type !== "function") {
    report(
      "tools",
      `${path}.type`,
      `Invalid value: '${toText(tool.type)}'. Supported values are: 'function' and 'custom'.`,
      "invalid_value",
    );
    return;
  }
  const { function: definition } = tool;
  if (!isRecord(definition)) {
    reportType(report, "tools", `${path}.function`, "an object", definition);
    return;
  }
  const { name, parameters } = definition;
  checkFunctionName(name, `${path}.function.name`, report);
  if (names.has(toText(name))) report("tool-name-unique", "tools", "Function names must be unique.");
  names.add(toText(name));
  if (parameters === undefined || parameters === null) return;
  if (!isRecord(parameters)) {
    reportType(report, "tool-schema", `${path}.function.parameters`, "an object", parameters);
    return;
  }
  const wrong =
    parameters.type !== "object"
      ? `schema must be a JSON Schema of 'type: "object"', got 'type: "${toText(parameters.type)}"'.`
      : isRecord(parameters.properties)
        ? null
        : "In context=(), object schema missing properties.";
  if (wrong !== null)
    report(
      "tool-schema",
      `${path}.function.parameters`,
      `Invalid schema for function '${toText(name)}': ${wrong}`,
      "invalid_function_parameters",
    );
}

function checkChoice(choice: unknown, names: ReadonlySet<string>, report: ChatReport): void {
  if (typeof choice === "string") {
    if (choice !== "none" && choice !== "auto" && choice !== "required")
      report(
        "tool-choice",
        "tool_choice",
        `Invalid value: '${choice}'. Supported values are: 'none', 'auto', and 'required'.`,
        "invalid_value",
      );
    return;
  }
  if (!isRecord(choice)) {
    reportType(report, "tool-choice", "tool_choice", "a string or an object", choice);
    return;
  }
  if (choice.type !== "function") return;
  const name = isRecord(choice.function) ? choice.function.name : undefined;
  if (typeof name !== "string") {
    reportType(report, "tool-choice", "tool_choice.function.name", "a string", name);
    return;
  }
  if (!names.has(name))
    report(
      "tool-choice",
      "tool_choice",
      `Tool choice '${name}' not found in 'tools' parameter.`,
      "invalid_value",
    );
}
