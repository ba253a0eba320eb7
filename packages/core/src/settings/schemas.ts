import {
  array,
  boolean,
  check,
  custom,
  finite,
  type GenericSchema,
  gtValue,
  is,
  lazy,
  maxValue,
  minValue,
  nullable,
  number,
  object,
  optional,
  picklist,
  pipe,
  safeInteger,
  string,
} from "valibot";
import { isRecord, type JsonObject } from "../json/json-values.ts";
import { isSetting, type SettingsOf, type Shape } from "./setting.ts";

/** Why a value is refused that has the right type, and how to mend it. */
export interface ValueRefusal {
  readonly problem: string;
  readonly fix: string;
}

/** A schema that explains by itself what it does not take. */
export interface Refusing {
  readonly refuse: (value: unknown) => ValueRefusal | undefined;
}

/** A schema of an object with names of the user's own. */
export interface Table {
  readonly values: GenericSchema;
}

export interface NumberLimits {
  /** Default: the number may have a fraction. */
  readonly whole?: boolean;
  readonly least?: number;
  /** As `least`, itself not allowed. */
  readonly over?: number;
  readonly most?: number;
}

export const switchSchema: GenericSchema<boolean> = boolean();

export function numberSchema({ whole, least, over, most }: NumberLimits): GenericSchema<number> {
  const unlimited = Number.POSITIVE_INFINITY;
  return pipe(
    number(),
    whole ? safeInteger() : finite(),
    over === undefined ? minValue(least ?? -unlimited) : gtValue(over),
    maxValue(most ?? unlimited),
  );
}

export function wholeNumber(least: number): GenericSchema<number> {
  return numberSchema({ whole: true, least });
}

export function numberFrom(least: number): GenericSchema<number> {
  return numberSchema({ least });
}

export function oneOf<const Word extends string>(...words: readonly Word[]): GenericSchema<Word> {
  return picklist(words);
}

export const isNotBlank = (text: string): boolean => text.trim() !== "";

/** A text that is not blank. */
export const textSchema: GenericSchema<string> = pipe(string(), check(isNotBlank));

export const anyTextSchema: GenericSchema<string> = string();

export function listOf<Value>(items: GenericSchema<Value>): GenericSchema<readonly Value[]> {
  return array(items);
}

export function orNull<Value>(schema: GenericSchema<Value>): GenericSchema<Value | null> {
  return nullable(schema);
}

/** Valibot's own record passes over names that objects have by themselves, such as `__proto__`: here they are names. */
export function tableOf<Value>(
  values: GenericSchema<Value>,
): GenericSchema<Readonly<Record<string, Value>>> & Table {
  const fields = (value: unknown) =>
    object(Object.fromEntries(Object.keys(isRecord(value) ? value : {}).map((name) => [name, values])));
  return { ...pipe(custom<Readonly<Record<string, Value>>>(isRecord), lazy(fields)), values };
}

/** Names every field of its type: one that is forgotten, or is of another type, does not compile. */
export function fieldsOf<Type extends object>(
  fields: {
    readonly [Name in keyof Required<Type>]: GenericSchema<Exclude<Type[Name], undefined>>;
  },
  required: readonly (keyof Type & string)[] = [],
): GenericSchema<Type> {
  const isRequired = (name: string) => required.some((one) => one === name);
  const entries = Object.entries<GenericSchema>(fields).map(
    ([name, schema]) => [name, isRequired(name) ? schema : optional(schema)] as const,
  );
  return objectOf<Type>(entries);
}

/** The schema of all settings of a shape: what it takes is of the type that is made from the shape. */
export function schemaOf<Of extends Shape>(shape: Of): GenericSchema<SettingsOf<Of>> {
  const entries = Object.entries(shape).map(([name, part]) => {
    if (!isSetting(part)) return [name, optional(schemaOf(part))] as const;
    return [name, optional(part.isHidden ? { ...part.schema, isHidden: true } : part.schema)] as const;
  });
  const isProtecting = Object.values(shape).some((part) => isSetting(part) && part.isProtecting);
  return { ...objectOf<SettingsOf<Of>>(entries), ...(isProtecting && { isProtecting }) };
}

/** Valibot infers no type from entries that are computed: it is the one that they were computed from. */
export function objectOf<Type>(entries: readonly (readonly [string, GenericSchema])[]): GenericSchema<Type> {
  const schema: GenericSchema = pipe(custom<JsonObject>(isRecord), object(Object.fromEntries(entries)));
  return schema as GenericSchema<Type>;
}

/** `refuse` says what is wrong with a value that is otherwise of the schema. */
export function refusing<Value>(
  schema: GenericSchema<Value>,
  refuse: (value: Value) => ValueRefusal | undefined,
): GenericSchema<Value> & Refusing {
  return refusingAny(schema, (value) => (is(schema, value) ? refuse(value) : undefined));
}

/** The same, for whoever has something to say of values of any type. */
export function refusingAny<Value>(
  schema: GenericSchema<Value>,
  refuse: (value: unknown) => ValueRefusal | undefined,
): GenericSchema<Value> & Refusing {
  return {
    ...pipe(
      schema,
      check((value) => refuse(value) === undefined),
    ),
    refuse,
  };
}
