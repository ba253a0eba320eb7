import { blockFields } from "./check-cache-control.ts";
import { checkText } from "./check-text.ts";
import type { Report } from "./report.ts";
import { contentOf, isRecord, lookUp, toText, type WireBlock } from "./wire-values.ts";

const legalId = /^[a-zA-Z0-9_-]+$/;
const legalName = /^[a-zA-Z0-9_-]{1,128}$/;
const notEmpty = /./s;
const anything = /^/;
const inResults = ["browser_state", "document", "image", "search_result", "text", "tool_reference"];

type Check = (block: WireBlock, path: string, report: Report) => void;

/** One block of a message: its type, whether this role may have it, and its own fields. */
export function checkBlock(block: unknown, role: string, path: string, report: Report): void {
  if (!isRecord(block)) {
    report("block", path, "Input should be a valid dictionary or object");
    return;
  }
  const { type } = block;
  if (type === undefined) {
    report("block-type", `${path}.type`, "Field required");
    return;
  }
  const roles = lookUp(blockRoles, type);
  if (!roles) {
    report("block-type", path, unexpectedTag(type, Object.keys(blockRoles)));
    return;
  }
  if (!roles.includes(role))
    report("block-role", path, `\`${type}\` blocks are not permitted in \`${role}\` messages`);
  checkFields(block, path, report);
  lookUp(checks, type)?.(block, path, report);
}

function checkFields(block: WireBlock, path: string, report: Report): void {
  const known = lookUp(blockFields, block.type);
  if (!known) return;
  for (const name of Object.keys(block)) {
    if (!known.has(name))
      report("unknown-field", `${path}.${block.type}.${name}`, "Extra inputs are not permitted");
  }
}

function unexpectedTag(type: unknown, expected: readonly string[]): string {
  const tags = expected.map((tag) => `'${tag}'`).join(", ");
  return `Input tag '${toText(type)}' found using 'type' does not match any of the expected tags: ${tags}`;
}

const checkCall: Check = (block, path, report) => {
  checkString(block.id, `${path}.id`, legalId, "tool-id", report);
  checkString(block.name, `${path}.name`, legalName, "tool-name", report);
  if (block.input === undefined) report("tool-input", `${path}.input`, "Field required");
  else if (!isRecord(block.input))
    report("tool-input", `${path}.input`, "Input should be a valid dictionary");
};

const checkResult: Check = (block, path, report) => {
  checkString(block.tool_use_id, `${path}.tool_use_id`, legalId, "tool-id", report);
  const { is_error: isError, content } = block;
  if (isError !== undefined && isError !== null && typeof isError !== "boolean")
    report("tool-result", `${path}.is_error`, "Input should be a valid boolean");
  if (content === undefined || content === null || typeof content === "string") return;
  if (!Array.isArray(content)) {
    report("tool-result", `${path}.content`, "Input should be a valid list");
    return;
  }
  for (const [index, inner] of contentOf(block).entries()) {
    const at = `${path}.content.${index}`;
    if (!inResults.includes(toText(inner.type)))
      report("block-type", at, unexpectedTag(inner.type, inResults));
    else {
      checkFields(inner, at, report);
      lookUp(checks, inner.type)?.(inner, at, report);
    }
  }
};

const checkSearchResult: Check = (block, path, report) => {
  checkString(block.source, `${path}.source`, notEmpty, "search-result", report);
  checkString(block.title, `${path}.title`, notEmpty, "search-result", report);
  const content = contentOf(block);
  if (content.length === 0)
    report("search-result", `${path}.content`, "List should have at least 1 item after validation");
  for (const [index, inner] of content.entries()) checkText(inner, `${path}.content.${index}`, report);
};

const checkDocument: Check = ({ source }, path, report) => {
  const at = `${path}.source`;
  if (!isRecord(source)) {
    report("document-source", at, "Field required");
    return;
  }
  const field = { base64: "data", text: "data", url: "url", file: "file_id", content: "content" };
  const needed = lookUp(field, source.type);
  if (!needed) {
    report("document-source", at, unexpectedTag(source.type, Object.keys(field)));
    return;
  }
  if (source[needed] === undefined)
    report("document-source", `${at}.${toText(source.type)}.${needed}`, "Field required");
  const mediaType = lookUp({ base64: "application/pdf", text: "text/plain" }, source.type);
  if (mediaType && source.media_type !== mediaType)
    report("document-source", `${at}.${toText(source.type)}.media_type`, `Input should be '${mediaType}'`);
};

/** Blocks with rules of their own; images have theirs in `checkImages`, which counts them over the request. */
const checks: Readonly<Record<string, Check>> = {
  text: checkText,
  thinking: (block, path, report) => {
    checkString(block.thinking, `${path}.thinking`, anything, "thinking-block", report);
    checkString(block.signature, `${path}.signature`, notEmpty, "thinking-signature", report);
  },
  redacted_thinking: (block, path, report) =>
    checkString(block.data, `${path}.data`, notEmpty, "thinking-signature", report),
  tool_use: checkCall,
  server_tool_use: checkCall,
  mcp_tool_use: checkCall,
  tool_result: checkResult,
  search_result: checkSearchResult,
  document: checkDocument,
};

function checkString(value: unknown, path: string, pattern: RegExp, rule: string, report: Report): void {
  if (value === undefined) report(rule, path, "Field required");
  else if (typeof value !== "string") report(rule, path, "Input should be a valid string");
  else if (!pattern.test(value)) report(rule, path, `String should match pattern '${pattern.source}'`);
}

const user: readonly string[] = ["user"];
const assistant: readonly string[] = ["assistant"];
const both: readonly string[] = ["user", "assistant"];

/** Every type of block the API takes in a message, by the SDK's `BetaContentBlockParam`, and whose it may be. */
const blockRoles: Readonly<Record<string, readonly string[]>> = {
  advisor_tool_result: assistant,
  bash_code_execution_tool_result: assistant,
  /** In no public API: taken where a model's capabilities have it. */
  cache_edits: user,
  code_execution_tool_result: assistant,
  compaction: both,
  container_upload: both,
  document: user,
  fallback: assistant,
  image: user,
  mcp_tool_listing: assistant,
  mcp_tool_result: assistant,
  mcp_tool_use: assistant,
  redacted_thinking: assistant,
  search_result: user,
  server_tool_use: assistant,
  text: ["user", "assistant", "system"],
  text_editor_code_execution_tool_result: assistant,
  thinking: assistant,
  tool_addition: ["system"],
  tool_removal: ["system"],
  tool_result: user,
  tool_search_tool_result: assistant,
  tool_use: assistant,
  web_fetch_tool_result: assistant,
  web_search_tool_result: assistant,
};
