import type { WireBody } from "../wire.ts";
import { toolFields } from "./check-cache-control.ts";
import type { Report } from "./report.ts";
import { isRecord, toText } from "./wire-values.ts";

const legalName = /^[a-zA-Z0-9_-]{1,128}$/;
/** Sets of tools, which have no name of their own. */
const nameless = /^(?:mcp_toolset|browser_toolset_\d+|computer_toolset_\d+)$/;
/** Tools the API defines: bash_20250124, memory_20250818, tool_search_tool_regex_20251119, … */
const builtIn = /^[a-z0-9_]+_\d{8}$/;
/** The fields that the API knows of them by itself. */
const ownFields = ["description", "input_schema"];
/** Those whose name the API has fixed. */
const fixedNames: Readonly<Record<string, string>> = { memory_20250818: "memory" };

/** Definitions of tools, and the choice among them. */
export function checkTools({ tools, tool_choice: choice }: WireBody, report: Report): void {
  const names = new Set<string>();
  if (tools !== undefined && !Array.isArray(tools)) report("tools", "tools", "Input should be a valid list");
  if (Array.isArray(tools)) {
    for (const [index, tool] of tools.entries()) checkTool(tool, `tools.${index}`, names, report);
  }
  if (choice !== undefined && choice !== null) checkChoice(choice, names, report);
}

function checkTool(tool: unknown, path: string, names: Set<string>, report: Report): void {
  if (!isRecord(tool)) {
    report("tools", path, "Input should be a valid dictionary");
    return;
  }
  const { type = "custom", name } = tool;
  if (typeof type === "string" && nameless.test(type)) return;
  if (name === undefined) report("tool-name", `${path}.name`, "Field required");
  else if (typeof name !== "string" || !legalName.test(name))
    report("tool-name", `${path}.name`, "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
  else if (names.has(name)) report("tool-name-unique", "tools", "Tool names must be unique.");
  else names.add(name);
  if (type === "custom" || type === null) checkDefinition(tool, path, report);
  else if (typeof type !== "string" || !builtIn.test(type))
    report(
      "tools",
      path,
      `Input tag '${toText(type)}' found using 'type' does not match any of the expected tags`,
    );
  else checkBuiltIn(tool, type, path, report);
}

function checkBuiltIn(
  tool: Readonly<Record<string, unknown>>,
  type: string,
  path: string,
  report: Report,
): void {
  for (const field of ownFields) {
    if (field in tool) report("unknown-field", `${path}.${type}.${field}`, "Extra inputs are not permitted");
  }
  const name = fixedNames[type];
  if (name !== undefined && tool.name !== name)
    report("tool-name", `${path}.${type}.name`, `Input should be '${name}'`);
}

function checkDefinition(tool: Readonly<Record<string, unknown>>, path: string, report: Report): void {
  const { input_schema: schema, description } = tool;
  for (const name of Object.keys(tool)) {
    if (!toolFields.has(name))
      report("unknown-field", `${path}.custom.${name}`, "Extra inputs are not permitted");
  }
  if (description !== undefined && typeof description !== "string")
    report("tools", `${path}.description`, "Input should be a valid string");
  if (schema === undefined) report("tool-schema", `${path}.input_schema`, "Field required");
  else if (!isRecord(schema))
    report("tool-schema", `${path}.input_schema`, "Input should be a valid dictionary");
  else if (schema.type !== "object")
    report("tool-schema", `${path}.input_schema.type`, "Input should be 'object'");
}

function checkChoice(choice: unknown, names: ReadonlySet<string>, report: Report): void {
  const say = (path: string, sentence: string) => report("tool-choice", path, sentence);
  if (!isRecord(choice)) {
    say("tool_choice", "Input should be a valid dictionary");
    return;
  }
  const { type, name, disable_parallel_tool_use: alone } = choice;
  if (type !== "auto" && type !== "any" && type !== "tool" && type !== "none") {
    say(
      "tool_choice",
      `Input tag '${toText(type)}' found using 'type' does not match any of the expected tags: 'any', 'auto', 'none', 'tool'`,
    );
    return;
  }
  if (alone !== undefined && (typeof alone !== "boolean" || type === "none"))
    say("tool_choice.disable_parallel_tool_use", "Input should be a valid boolean");
  if (type === "tool") {
    if (typeof name !== "string") say("tool_choice.tool.name", "Field required");
    else if (!names.has(name)) say("tool_choice", `Tool '${name}' not found in provided tools`);
  } else if (name !== undefined) say(`tool_choice.${type}.name`, "Extra inputs are not permitted");
  if (type === "any" && names.size === 0)
    say("tool_choice", "tool_choice may only be specified while providing tools.");
}
