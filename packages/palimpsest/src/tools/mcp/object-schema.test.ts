import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toObjectSchema } from "./object-schema.ts";

describe("toObjectSchema", () => {
  it("hands a legal schema on as the very same object", () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { path: { type: "string", description: "where" } },
      required: ["path"],
      additionalProperties: false,
    };
    expect(toObjectSchema(schema)).toBe(schema);
  });

  it.each<[unknown, unknown]>([
    [undefined, { type: "object", properties: {} }],
    [[], { type: "object", properties: {} }],
    [{}, { type: "object", properties: {} }],
    [
      { type: "string", title: "t" },
      { type: "object", title: "t", properties: {} },
    ],
    [
      { anyOf: [{ properties: { a: { type: "string" } }, required: ["a"] }, { properties: { b: {} } }] },
      { type: "object", properties: { a: { type: "string" }, b: {} } },
    ],
    [
      {
        type: "object",
        properties: { a: { type: "text" }, "b c": {}, d: true },
        required: ["a", "a", "b c", 1],
      },
      { type: "object", properties: { a: {}, d: true }, required: ["a"] },
    ],
  ])("makes one of %j", (given, schema) => {
    expect(toObjectSchema(given)).toEqual(schema);
  });

  it("makes a legal schema of anything, and leaves that as it is", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const words = fc.constantFrom("type", "properties", "required", "items", "anyOf", "object", "a b", "x");
    const { value } = fc.letrec((again) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        words,
        fc.jsonValue(),
        fc.array(again("value"), { maxLength: 3 }),
        fc.dictionary(words, again("value"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        const schema = toObjectSchema(given);
        const { $schema: _dialect, ...rest } = schema;
        expect(schema.type).toBe("object");
        expect(ajv.validateSchema(rest)).toBe(true);
        expect(toObjectSchema(schema)).toEqual(schema);
      }),
    );
  });
});
