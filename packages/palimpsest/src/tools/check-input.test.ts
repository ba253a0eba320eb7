import { describe, expect, it } from "vitest";
import { checkToolInput } from "./check-input.ts";

const check = async (schema: object, input: unknown) => {
  const warnings: string[] = [];
  const tool = { name: "T", input_schema: schema as Readonly<Record<string, unknown>> };
  const checked = await checkToolInput(tool, input, (text) => warnings.push(text));
  const text = checked.ok ? "fits" : checked.error.message.replace("The input of T is not right. ", "");
  return warnings.length > 0 ? [text, ...warnings] : text;
};

const schema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1 },
    mode: { enum: ["a", "b"] },
    items: {
      type: "array",
      items: { type: "object", properties: { id: { type: ["string", "null"] } }, required: ["id"] },
    },
    either: { anyOf: [{ type: "string" }, { type: "object", required: ["x"] }] },
    one: { const: 1 },
  },
  required: ["path"],
  additionalProperties: false,
};

describe("checking a tool's input", () => {
  it("gives back the very input that fits", async () => {
    const input = { path: "a", items: [{ id: null }] };
    const checked = await checkToolInput({ name: "T", input_schema: schema }, input);
    expect(checked.ok && checked.value).toBe(input);
  });

  it.each([
    [{}, "`path` is missing."],
    [null, "The input must be an object, and is null."],
    [{ path: 3 }, "`path` must be a string, and is 3."],
    [{ path: "" }, '`path` must NOT have fewer than 1 characters, and is "".'],
    [
      { path: "a", limit: 0.5 },
      "`limit` must be a whole number, and is 0.5. `limit` must be >= 1, and is 0.5.",
    ],
    [{ path: "a", mode: "c" }, '`mode` must be one of "a", "b", and is "c".'],
    [{ path: "a", items: [{ id: "x" }, {}] }, "In `items[1]` `id` is missing."],
    [{ path: "a", items: [{ id: 3 }] }, "`items[0].id` must be a string or null, and is 3."],
    [{ path: "a", items: {} }, "`items` must be a list, and is an object."],
    [{ path: "a", either: {} }, "`either` fits none of what is allowed there, and is an object."],
    [{ path: "a", one: [2] }, "`one` must be 1, and is a list."],
    [
      { path: "a", file: "b" },
      "The input has no field `file`. There are `path`, `limit`, `mode`, `items`, `either`, `one`.",
    ],
  ])("says what is wrong with %j", async (input, text) => {
    expect(await check(schema, input)).toBe(text);
  });

  it("shows little of what is long or much", async () => {
    expect(await check(schema, { path: "a", mode: "x".repeat(500) })).toMatch(/^.{100,160}…\.$/);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, 1]));
    expect(await check({ type: "object", additionalProperties: false }, many)).toMatch(
      /^(The input has no field `f\d`\. ){8}There are 42 more\.$/,
    );
  });

  it("takes schemas of either draft", async () => {
    const tuple7 = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "array",
      items: [{ type: "number" }],
    };
    expect(await check(tuple7, ["x"])).toBe('`[0]` must be a number, and is "x".');
    const { $schema: _, ...unnamed } = tuple7;
    expect(await check(unnamed, [1, "x"])).toBe("fits");
    const tuple2020 = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "array",
      prefixItems: [{ type: "number" }],
      items: false,
    };
    expect(await check(tuple2020, ["x"])).toBe('`[0]` must be a number, and is "x".');
    const references = {
      type: "object",
      properties: { a: { $ref: "#/$defs/n" } },
      $defs: { n: { type: "number" } },
    };
    expect(await check(references, { a: "x" })).toBe('`a` must be a number, and is "x".');
  });

  it("bears what servers put into schemas", async () => {
    const odd = {
      $schema: "http://example.org/own-schema",
      $id: "same",
      type: "object",
      "x-own": true,
      properties: {
        mail: { type: "string", format: "email" },
        dash: { type: "string", pattern: "^[\\w\\-]+$" },
        letters: { pattern: "^\\p{L}+$" },
      },
    };
    expect(await check(odd, { mail: "no mail", dash: "a-b", letters: "é" })).toBe("fits");
    expect(await check({ ...odd }, { dash: "?" })).toBe(
      '`dash` must match pattern "^[\\w\\-]+$", and is "?".',
    );
  });

  it.each([
    ["a reference to nowhere", { type: "object", properties: { a: { $ref: "http://example.org/x.json" } } }],
    ["a type that is none", { type: "objekt" }],
    ["a pattern that is none", { type: "object", properties: { a: { pattern: "(" } } }],
  ])("lets everything pass, and warns once, for %s", async (_, broken) => {
    expect(await check(broken, { a: 1 })).toEqual([
      "fits",
      expect.stringMatching(/^The input of T is not checked: its schema cannot be used \(.+\)\.$/),
    ]);
    expect(await check(broken, { a: 1 })).toBe("fits");
  });
});
