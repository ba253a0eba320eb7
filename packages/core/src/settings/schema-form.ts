import type { GenericSchema } from "valibot";
import { isRecord } from "../json/json-values.ts";
import { isNotBlank, type NumberLimits, type Refusing, type Table } from "./schemas.ts";

/** What a schema takes, as plain data: to explain it, and to go through a value beside it. */
export type SchemaForm =
  | { readonly kind: "switch" }
  | NumberForm
  | { readonly kind: "word"; readonly words: readonly string[] }
  | { readonly kind: "text"; readonly mayBeBlank: boolean }
  | {
      readonly kind: "fields";
      readonly fields: Readonly<Record<string, GenericSchema>>;
      readonly required: readonly string[];
    }
  /** An object with names of the user's own. */
  | { readonly kind: "table"; readonly values: GenericSchema }
  | { readonly kind: "list"; readonly items: GenericSchema }
  | { readonly kind: "nullable"; readonly schema: GenericSchema };

export interface NumberForm extends NumberLimits {
  readonly kind: "number";
}

const knownForms = new WeakMap<GenericSchema, SchemaForm>();

/** The form of a schema that was made by `schemas.ts`; schemas do not change, so it is made once. */
export function formOf(schema: GenericSchema): SchemaForm {
  const known = knownForms.get(schema);
  if (known) return known;
  const form = readForm(schema);
  knownForms.set(schema, form);
  return form;
}

function readForm(schema: GenericSchema): SchemaForm {
  if (isTable(schema)) return { kind: "table", values: schema.values };
  const own = partsOf(schema).findLast((part) => part.kind === "schema" && part.type !== "custom") ?? {};
  if (isRecord(own.entries)) return fieldsForm(own.entries);
  if (isSchema(own.item)) return { kind: "list", items: own.item };
  if (isSchema(own.wrapped))
    return own.type === "nullable" ? { kind: "nullable", schema: own.wrapped } : formOf(own.wrapped);
  if (Array.isArray(own.options)) return { kind: "word", words: own.options.map(String) };
  if (own.type === "number") return numberForm(schema);
  if (own.type === "boolean") return { kind: "switch" };
  const mayBeBlank = !partsOf(schema).some(({ requirement }) => requirement === isNotBlank);
  return { kind: "text", mayBeBlank };
}

/** A schema without the mark that its value may be left out. */
export function unwrapSchema(schema: GenericSchema): GenericSchema {
  return schema.type === "optional" && "wrapped" in schema && isSchema(schema.wrapped)
    ? schema.wrapped
    : schema;
}

export function isRefusing(schema: GenericSchema): schema is GenericSchema & Refusing {
  return "refuse" in schema;
}

export function isHidden(schema: GenericSchema): boolean {
  return "isHidden" in schema;
}

/** An object with limits or protections in it: an unknown name there is refused. */
export function isProtecting(schema: GenericSchema): boolean {
  return "isProtecting" in schema;
}

function isTable(schema: GenericSchema): schema is GenericSchema & Table {
  return "values" in schema;
}

function isSchema(value: unknown): value is GenericSchema {
  return isRecord(value) && value.kind === "schema";
}

function partsOf(schema: GenericSchema): readonly Readonly<Record<string, unknown>>[] {
  const parts: unknown = "pipe" in schema ? schema.pipe : [schema];
  return Array.isArray(parts) ? parts.flatMap((part) => (isSchema(part) ? partsIn(part) : part)) : [];
}

/** A schema inside a pipe may be a pipe itself. */
function partsIn(schema: GenericSchema): readonly Readonly<Record<string, unknown>>[] {
  return "pipe" in schema ? partsOf(schema) : [{ ...schema }];
}

function fieldsForm(entries: Readonly<Record<string, unknown>>): SchemaForm {
  const fields = Object.entries(entries).flatMap(([name, field]) =>
    isSchema(field) ? [{ name, field }] : [],
  );
  return {
    kind: "fields",
    fields: Object.fromEntries(fields.map(({ name, field }) => [name, unwrapSchema(field)])),
    required: fields.filter(({ field }) => field.type !== "optional").map(({ name }) => name),
  };
}

function numberForm(schema: GenericSchema): NumberForm {
  const parts = partsOf(schema);
  const limit = (type: string) => {
    const requirement = parts.find((part) => part.type === type)?.requirement;
    return typeof requirement === "number" && Number.isFinite(requirement) ? requirement : undefined;
  };
  const [least, over, most] = [limit("min_value"), limit("gt_value"), limit("max_value")];
  return {
    kind: "number",
    whole: parts.some(({ type }) => type === "safe_integer"),
    ...(least !== undefined && { least }),
    ...(over !== undefined && { over }),
    ...(most !== undefined && { most }),
  };
}
