/** A value's schema, as data: it checks, it explains, and pages can be made from it. */
export type Schema =
  | { readonly kind: "switch" }
  | NumberSchema
  | { readonly kind: "word"; readonly words: readonly string[] }
  /** Not blank unless it may be. `refuse` says what is wrong with a text and how to mend it. */
  | {
      readonly kind: "text";
      readonly mayBeBlank?: boolean;
      readonly refuse?: (text: string) => ValueRefusal | undefined;
    }
  | FieldsSchema
  /** An object with names of the user's own. */
  | { readonly kind: "table"; readonly values: Schema }
  /** `refuse` sees the value before its items are looked at, list or not. */
  | {
      readonly kind: "list";
      readonly items: Schema;
      readonly refuse?: (value: unknown) => ValueRefusal | undefined;
    }
  | { readonly kind: "nullable"; readonly schema: Schema };

export interface NumberSchema {
  readonly kind: "number";
  readonly whole: boolean;
  readonly least?: number;
  /** As `least`, itself not allowed. */
  readonly over?: number;
  readonly most?: number;
}

export interface FieldsSchema {
  readonly kind: "fields";
  readonly fields: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  /** Says what is wrong with the fields together, each by itself being right, and how to mend it. */
  readonly refuse?: (value: object) => ValueRefusal | undefined;
}

export interface ValueRefusal {
  readonly problem: string;
  readonly fix: string;
}

export const toggle: Schema = { kind: "switch" };
export const text: Schema = { kind: "text" };

export function wholeNumber(least: number): Schema {
  return { kind: "number", whole: true, least };
}

export function numberFrom(least: number): Schema {
  return { kind: "number", whole: false, least };
}

export function oneOf(...words: readonly string[]): Schema {
  return { kind: "word", words };
}

export function tableOf(values: Schema): Schema {
  return { kind: "table", values };
}

export function listOf(items: Schema): Schema {
  return { kind: "list", items };
}

export function orNull(schema: Schema): Schema {
  return { kind: "nullable", schema };
}

/** Names every field of its type: one that is forgotten does not compile. */
export function fieldsOf<Type extends object>(
  fields: { readonly [Name in keyof Required<Type>]: Schema },
  required: readonly (keyof Type & string)[] = [],
): FieldsSchema {
  return { kind: "fields", fields, required };
}

/** `a.b-c["odd name"][0]`: how a place in the settings is written. */
export function settingPath(parts: readonly (string | number)[]): string {
  return parts
    .map((part, position) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[A-Za-z_][\w-]*$/.test(part)) return `[${JSON.stringify(part)}]`;
      return position === 0 ? part : `.${part}`;
    })
    .join("");
}
