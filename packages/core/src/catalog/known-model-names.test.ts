import { describe, expect, it } from "vitest";
import type { KnownModelName } from "../spec/index.ts";
import { capabilityRows } from "./capability-rows.ts";
import { createCatalog } from "./index.ts";

/** Every name that editors offer: one that is missing here, or is none of them, does not compile. */
const offered: Readonly<Record<KnownModelName, true>> = {
  "claude-fable-5-1": true,
  "claude-opus-5-5": true,
  "claude-opus-5": true,
  "claude-opus-4-6": true,
  "claude-opus-4-5": true,
  "claude-opus-4": true,
  "claude-sonnet-5-5": true,
  "claude-sonnet-4-6": true,
  "claude-sonnet-4-5": true,
  "claude-sonnet-4": true,
  "claude-haiku-4-5": true,
  "claude-3-7-sonnet": true,
  "claude-3-5-sonnet": true,
  "claude-3-5-haiku": true,
  "gpt-5.6": true,
  "gpt-5": true,
  "gpt-4.1": true,
  "gpt-4o": true,
  "gemini-3.1-pro": true,
  "gemini-2.5-pro": true,
};

describe("names of models that editors offer", () => {
  const catalog = createCatalog();
  const rows = Object.keys(offered).map((name) => catalog.capabilities(name));

  it("are known to the catalog", () => {
    expect(rows.filter(({ known }) => !known)).toEqual([]);
  });

  it("name every model that the catalog knows", () => {
    expect(new Set(rows.map(({ row }) => row))).toEqual(new Set(capabilityRows.map(({ id }) => id)));
  });
});
