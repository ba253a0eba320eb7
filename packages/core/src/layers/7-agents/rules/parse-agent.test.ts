import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseAgent } from "./parse-agent.ts";

const path = "/agents/reviewer.md";
const read = (text: string) => parseAgent({ path, text, fileName: "reviewer" }, parse);
const file = (fields: string, prompt = "Look.") => `---\n${fields}\n---\n${prompt}\n`;

describe("parseAgent", () => {
  it("reads everything a file may say", () => {
    const fields =
      "name: tester\ndescription: Runs\n  tests.\ntools: Read, Bash, Read\nmodel: small\nmemory: local";
    expect(read(file(fields, "Test it.\n\nAll."))).toEqual({
      ok: true,
      value: {
        name: "tester",
        description: "Runs tests.",
        tools: ["Read", "Bash"],
        model: "small",
        memory: "local",
        prompt: "Test it.\n\nAll.",
        path,
      },
    });
  });

  it("is called like its file, and has all tools, where it does not say", () => {
    const least = { ok: true, value: { name: "reviewer", description: "Looks.", prompt: "Look.", path } };
    expect(read(file("description: Looks."))).toEqual(least);
    expect(read(file('description: Looks.\ntools: "*"'))).toEqual(least);
    expect(read(file("description: Looks.\ntools: []"))).toEqual({
      ok: true,
      value: { ...least.value, tools: [] },
    });
  });

  it.each([
    ["no front matter", "Look.", "has no front matter"],
    ["no YAML", file("a: ["), "is not YAML"],
    ["no fields", file("- a"), "without fields"],
    ["no description", file("name: a"), "has no description"],
    ["a hostile name", file("name: ../../a\ndescription: a"), "has a name"],
    ["a name that is a number", file("name: 7\ndescription: a"), "has a name"],
    ["a reserved name", file("name: fork\ndescription: a"), "is called fork"],
    ["tools of another kind", file("description: a\ntools: {Read: true}"), "no list of names"],
    ["a model of another kind", file("description: a\nmodel: 4"), "no name"],
    ["an unknown scope", file("description: a\nmemory: world"), "none of user, project, local"],
    ["no prompt", file("description: a", ""), "has no prompt"],
  ])("refuses a file with %s", (_, text, words) => {
    expect(read(text)).toMatchObject({
      ok: false,
      error: { code: "invalid-input", message: expect.stringContaining(words), path },
    });
  });

  it("never throws, whatever it reads", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (fields, prompt) => {
        expect(typeof read(file(fields, prompt)).ok).toBe("boolean");
      }),
    );
  });
});
