import { expect, it } from "vitest";
import { snippetChars, snippetOf } from "./search-collection.ts";
import { createTokenizer } from "./tokenizer.ts";

const tokenizer = createTokenizer();
const snippet = (text: string, query: string) => snippetOf(text, tokenizer.terms(query, "query"), tokenizer);

it("shows the part with the most words of the query, stemmed, on one line", () => {
  const filler = "nothing of matter stands in this part of the text ".repeat(20);
  const text = `deploy ${filler}we deployed\n to  staging databases ${filler}`;
  const found = snippet(text, "deploy staging database");
  expect(found).toContain("we deployed to staging databases");
  expect(found.startsWith("… ") && found.endsWith(" …")).toBe(true);
  expect(found.length).toBeLessThanOrEqual(snippetChars + 4);
});

it("shows a short text whole, and the beginning where no word is", () => {
  expect(snippet("the cache\nis cold", "cache")).toBe("the cache is cold");
  expect(snippet("by meaning alone", "something else")).toBe("by meaning alone");
  expect(snippet("", "cache")).toBe("");
});

it("cuts no character in two", () => {
  expect(snippet("😀".repeat(500), "cache").isWellFormed()).toBe(true);
});
