import { isRecord } from "@palimpsest/core/internal";
import { Ajv2020 } from "ajv/dist/2020.js";

type Fields = Readonly<Record<string, unknown>>;

/** Names of fields that the API takes at the top of a schema. */
const legalField = /^[a-zA-Z0-9_.-]{1,64}$/;

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/**
 * A schema of an object that the API takes: it refuses a whole request for one tool whose schema is none. What is legal
 * stays as it was given. Alternatives at the top are laid into one object with all their fields, a field that cannot be
 * described may be anything, and the server checks what is sent.
 */
export function toObjectSchema(given: unknown): Fields {
  const schema = withoutAlternatives(isRecord(given) ? given : {});
  return isValid(schema) && hasLegalFields(schema) ? schema : onlyValidFields(schema);
}

function withoutAlternatives(given: Fields): Fields {
  const { allOf, anyOf, oneOf, ...own } = given;
  const alternatives = [allOf, anyOf, oneOf].filter((list) => list !== undefined);
  if (alternatives.length === 0) {
    return own.type === "object" ? given : { ...own, type: "object", properties: own.properties ?? {} };
  }
  const parts = [...alternatives.flat().filter(isRecord), own].map(propertiesOf);
  return { ...own, type: "object", properties: Object.assign({}, ...parts) };
}

function onlyValidFields(schema: Fields): Fields {
  const legal = Object.entries(propertiesOf(schema)).filter(([name]) => legalField.test(name));
  const properties = Object.fromEntries(legal.map(([name, field]) => [name, isValid(field) ? field : {}]));
  const required = Array.isArray(schema.required) ? schema.required : [];
  const kept = [...new Set(required)].filter(
    (name) => typeof name === "string" && Object.hasOwn(properties, name),
  );
  return { type: "object", properties, ...(kept.length > 0 && { required: kept }) };
}

function hasLegalFields(schema: Fields): boolean {
  return Object.keys(propertiesOf(schema)).every((name) => legalField.test(name));
}

function isValid(schema: unknown): boolean {
  if (typeof schema !== "boolean" && !isRecord(schema)) return false;
  const { $schema: _dialect, ...rest } = isRecord(schema) ? schema : {};
  return ajv.validateSchema(rest) === true;
}

function propertiesOf({ properties }: Fields): Fields {
  return isRecord(properties) ? properties : {};
}
