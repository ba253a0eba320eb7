import { isRecord } from "../request/is-record.ts";
import { toText } from "../request/to-text.ts";
import type { WireBody } from "../wire.ts";
import { type ChatReport, reportEmpty, reportTooMany, reportType } from "./chat-report.ts";

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
export function checkFunctionName(name: unknown, path: string, report: ChatReport): void {
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
