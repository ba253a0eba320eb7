import { expect, it } from "vitest";
import { checkRequest } from "../../../testing/src/emulator/request/check-request.ts";
import { answerBlockFields, createCatalog, missingBeta } from "./catalog.ts";

const capabilities = createCatalog().capabilities("claude-opus-4-5").value;
const betas = ["mcp-client-2026-09-15", "advisor-tool-2026-03-01", "server-side-fallback-2026-07-01"];
const types = [
  ...["advisor_tool_result", "fallback", "mcp_tool_listing", "mcp_tool_result", "mcp_tool_use"],
  ...["server_tool_use", "web_search_tool_result", "container_upload", "text"],
];

it.each(types)("knows, as the emulator does, whether %s needs a beta header", (type) => {
  const request = {
    model: "claude-opus-4-5",
    max_tokens: 10,
    messages: [
      { role: "user", content: "Hello." },
      { role: "assistant", content: [{ type }] },
      { role: "user", content: "Go on." },
    ],
  };
  const isRefused = (given: readonly string[]) =>
    checkRequest(request, { betas: new Set(given), capabilities }).some(({ rule }) => rule === "beta");
  expect(answerBlockFields(type)).toBeDefined();
  expect([isRefused([]), isRefused(betas)]).toEqual([
    missingBeta(type, []) !== undefined,
    missingBeta(type, betas) !== undefined,
  ]);
  expect(missingBeta(type, betas)).toBe(undefined);
});
