import { describe, expect, it } from "vitest";
import { createCatalog } from "../../../../../core/src/catalog/index.ts";
import { listModels } from "./create-chat-environment.ts";

const names = (...given: Parameters<typeof listModels>) => listModels(...given).map(({ id }) => id);

describe("the models that are offered", () => {
  it("begin with the session's own, and are those that a key is there for", () => {
    const claude = names("claude-opus-4-5", {}, { ANTHROPIC_API_KEY: "sk" });
    expect(claude[0]).toBe("claude-opus-4-5");
    expect(claude).toContain("claude-haiku-4-5");
    expect(claude.every((name) => name.startsWith("claude-"))).toBe(true);
    expect(new Set(claude).size).toBe(claude.length);
    expect(names("here", {}, { OPENAI_API_KEY: "sk" })).toContain("gpt-5");
    expect(names("here", {}, {})).toEqual(["here"]);
  });

  it("are all known to the catalog by the name they are offered with", () => {
    const catalog = createCatalog();
    const all = listModels("claude-opus-4-5", {}, { ANTHROPIC_API_KEY: "sk", OPENAI_API_KEY: "sk" });
    expect(all.filter(({ id }) => !catalog.capabilities(id).known)).toEqual([]);
    expect(all.map(({ detail = "" }) => detail).filter((detail) => !/[\d,]+ tokens/.test(detail))).toEqual(
      [],
    );
  });

  it("have those of settings among them, and none of OpenAI's where a server of one's own is named", () => {
    const settings = { catalog: { capabilities: { "qwen-9": { contextWindow: 32_000 }, "llama-*": {} } } };
    const environment = { OPENAI_BASE_URL: "http://localhost:1/v1" };
    expect(listModels("here", settings, environment)).toEqual([
      { id: "here", label: "here", detail: "answers now" },
      { id: "qwen-9", label: "qwen-9", detail: "32,000 tokens" },
    ]);
  });
});
