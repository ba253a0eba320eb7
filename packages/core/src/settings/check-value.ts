import { type GenericSchema, is } from "valibot";
import { isRecord } from "../json/json-values.ts";
import { describeSchema, showKind, showValue, suggestFix } from "./explain-mismatch.ts";
import { createNameHints } from "./name-hints.ts";
import { formOf, isHidden, isProtecting, isRefusing } from "./schema-form.ts";
import type { ValueRefusal } from "./schemas.ts";
import { settingPath } from "./setting.ts";

/** A value that cannot be used. */
export interface SettingProblem {
  readonly path: string;
  readonly problem: string;
  readonly fix: string;
  /** It is about the name, not about the value. */
  readonly isName?: true;
}

/** A name that nobody reads. */
export interface UnknownSetting extends SettingProblem {
  /** Absent where it may hold keys. */
  readonly value?: unknown;
}

export interface CheckedValue<Value> {
  /** The value, without unknown names and without what is undefined; absent where there is a problem. */
  readonly value?: Value;
  /** The first `maxTold` of them. */
  readonly problems: readonly SettingProblem[];
  /** How many there are besides, as far as they were counted; absent where there are none. */
  readonly moreProblems?: number;
  /** The first `maxTold` of them. */
  readonly unknown: readonly UnknownSetting[];
  readonly moreUnknown?: number;
}

/** So many problems, and so many unknown names, are told one by one: nobody reads more, and making them takes time. */
export const maxTold = 20;
/** So many more are counted, and no more are looked for. */
export const manyProblems = 1_000;

type Location = readonly (string | number)[];

/** Looks at everything, reports the first of what it finds and counts the rest. */
export function checkValue<Value>(given: unknown, schema: GenericSchema<Value>): CheckedValue<Value> {
  const { value, unknown, moreUnknown, refused } = withoutUnknown(given, schema);
  const names = { unknown, ...(moreUnknown > 0 && { moreUnknown }) };
  if (refused.length === 0 && is(schema, value)) return { value, problems: [], ...names };
  const found = is(schema, value) ? { problems: [], more: 0 } : problemsOf(value, schema);
  const problems = [...refused, ...found.problems].slice(0, maxTold);
  const more = refused.length + found.problems.length - problems.length + found.more;
  return { problems, ...(more > 0 && { moreProblems: more }), ...names };
}

/** The value with the names that its schema has, and the others. */
function withoutUnknown(given: unknown, schema: GenericSchema) {
  const unknown: UnknownSetting[] = [];
  const refused: SettingProblem[] = [];
  const hints = createNameHints(schema);
  let moreUnknown = 0;

  function keep(value: unknown, part: GenericSchema, location: Location, hides: boolean): unknown {
    const form = formOf(part);
    const isSecret = hides || isHidden(part);
    if (form.kind === "nullable") return keep(value, form.schema, location, isSecret);
    if (form.kind === "list" && Array.isArray(value) && hasNames(form.items))
      return value.map((item, position) => keep(item, form.items, [...location, position], isSecret));
    if (form.kind === "table" && isRecord(value))
      return collect(value, (name, item) => keep(item, form.values, [...location, name], isSecret));
    if (form.kind !== "fields" || !isRecord(value)) return value;
    return collect(value, (name, item) => {
      const field = Object.hasOwn(form.fields, name) ? form.fields[name] : undefined;
      if (field !== undefined) return keep(item, field, [...location, name], isSecret);
      note(name, item, { part, fields: form.fields, location, isSecret });
      return undefined;
    });
  }

  /** A name that stands where limits and protections do may be one of them that was meant: it is refused. */
  function note(
    name: string,
    value: unknown,
    { part, fields, location, isSecret }: NameLocation & { readonly part: GenericSchema },
  ): void {
    const isTold = unknown.length < maxTold && refused.length < maxTold;
    if (!isTold && !isProtecting(part)) {
      moreUnknown += 1;
      return;
    }
    const hint = hints.explain(name, value, { fields, location, isSecret });
    const { fix } = hint;
    const path = settingPath([...location, name]);
    if (isProtecting(part) || hint.isProtecting) {
      if (refused.length < maxTold + manyProblems)
        refused.push({
          path,
          problem: "is not a setting, and a limit or a rule may be meant",
          fix,
          isName: true,
        });
      return;
    }
    const problem = "is not a setting and has no effect";
    unknown.push({ path, problem, fix, ...(!isSecret && { value }) });
  }

  return { value: keep(given, schema, [], false), unknown, moreUnknown, refused };
}

/** Whether there may be names in its values: a list of anything else is taken as it is, however long. */
function hasNames(schema: GenericSchema): boolean {
  return ["fields", "table", "list", "nullable"].includes(formOf(schema).kind);
}

/** Where an unknown name stands, and the names that it could be. */
export interface NameLocation {
  readonly fields: Readonly<Record<string, GenericSchema>>;
  readonly location: Location;
  readonly isSecret: boolean;
}

interface Mismatch {
  readonly found: unknown;
  readonly schema: GenericSchema;
  readonly location: Location;
  readonly isSecret: boolean;
}

/** One problem a place, even where a value breaks more than one rule. */
function problemsOf(value: unknown, schema: GenericSchema) {
  const problems: SettingProblem[] = [];
  let more = 0;
  for (const mismatch of mismatchesIn({ found: value, schema, location: [], isSecret: false })) {
    if (problems.length < maxTold)
      problems.push({ path: settingPath(mismatch.location), ...explain(mismatch) });
    else more += 1;
    if (more === manyProblems) break;
  }
  return { problems, more };
}

/** The innermost places that do not fit, one after the other, so that whoever has enough can stop. */
function* mismatchesIn(place: Mismatch): Generator<Mismatch, boolean> {
  const { found, schema } = place;
  const form = formOf(schema);
  const isSecret = place.isSecret || isHidden(schema);
  if (form.kind === "nullable" && found !== null && !isRefusing(schema))
    return yield* mismatchesIn({ ...place, schema: form.schema, isSecret });
  if (is(schema, found)) return false;
  let isInside = false;
  for (const [step, part] of partsOf(found, schema)) {
    const inner = { found: part.value, schema: part.schema, location: [...place.location, step], isSecret };
    if (yield* mismatchesIn(inner)) isInside = true;
  }
  const isIncomplete =
    form.kind === "fields" && isRecord(found) && form.required.some((name) => !Object.hasOwn(found, name));
  if (!isInside || isIncomplete) yield { ...place, isSecret };
  return true;
}

interface Part {
  readonly value: unknown;
  readonly schema: GenericSchema;
}

/** What is inside a value, each with its own schema. */
function* partsOf(value: unknown, schema: GenericSchema): Generator<readonly [string | number, Part]> {
  const form = formOf(schema);
  if (form.kind === "list" && Array.isArray(value))
    for (const [position, item] of value.entries()) yield [position, { value: item, schema: form.items }];
  if (form.kind === "table" && isRecord(value))
    for (const [name, item] of Object.entries(value)) yield [name, { value: item, schema: form.values }];
  if (form.kind === "fields" && isRecord(value))
    for (const [name, field] of Object.entries(form.fields)) {
      const own = Object.getOwnPropertyDescriptor(value, name);
      if (own) yield [name, { value: own.value, schema: field }];
    }
}

function explain({ found, schema, isSecret }: Mismatch): ValueRefusal {
  const refusal = isRefusing(schema) ? schema.refuse(found) : undefined;
  if (refusal) return refusal;
  const outer = formOf(schema);
  const part = outer.kind === "nullable" ? outer.schema : schema;
  const inner = formOf(part);
  if (inner.kind === "fields" && isRecord(found)) return missingFields(found, inner);
  const got = isSecret ? showKind(found, part) : showValue(found);
  return { problem: `expected ${describeSchema(part)}, got ${got}`, fix: suggestFix(part, found) };
}

function missingFields(
  value: object,
  {
    fields,
    required,
  }: { readonly fields: Readonly<Record<string, GenericSchema>>; readonly required: readonly string[] },
): ValueRefusal {
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  const described = missing.map((name) => {
    const field = fields[name];
    return field ? `${name} (${describeSchema(field)})` : name;
  });
  const verb = missing.length === 1 ? "is" : "are";
  return { problem: `${missing.join(" and ")} ${verb} missing`, fix: `add ${described.join(" and ")}` };
}

function collect(value: object, read: (name: string, item: unknown) => unknown): object {
  const parts = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => [name, read(name, item)] as const);
  return Object.fromEntries(parts.filter(([, item]) => item !== undefined));
}
