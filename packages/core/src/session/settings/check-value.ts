import { isRecord } from "../../json/json-values.ts";
import { describeSchema, isNumber, nearestName, showValue, suggestFix } from "./explain-mismatch.ts";
import { type FieldsSchema, type Schema, settingPath, type ValueRefusal } from "./schema.ts";
import { hiddenSettings } from "./trust.ts";

/** A value that cannot be used. */
export interface SettingProblem {
  readonly path: string;
  readonly problem: string;
  readonly fix: string;
}

/** A name that nobody reads. */
export interface UnknownSetting extends SettingProblem {
  /** Absent where it may hold keys. */
  readonly value?: unknown;
}

export interface CheckedValue {
  /** The value, without unknown names and without what is undefined; to be used only if there is no problem. */
  readonly value: unknown;
  readonly problems: readonly SettingProblem[];
  readonly unknown: readonly UnknownSetting[];
}

type Location = readonly (string | number)[];

/** Looks at everything and reports all it finds, in the order of the value. */
export function checkValue(given: unknown, schema: Schema): CheckedValue {
  const problems: SettingProblem[] = [];
  const unknown: UnknownSetting[] = [];

  function refuse(location: Location, { problem, fix }: ValueRefusal): void {
    problems.push({ path: settingPath(location), problem, fix });
  }

  function check(value: unknown, part: Schema, location: Location): unknown {
    const mismatch = () => {
      const got = mayHoldKeys(location) ? "something else" : showValue(value);
      const problem = `expected ${describeSchema(part)}, got ${got}`;
      refuse(location, { problem, fix: suggestFix(part, value) });
    };
    switch (part.kind) {
      case "switch":
        if (typeof value !== "boolean") mismatch();
        return value;
      case "number":
        if (!isNumber(part, value)) mismatch();
        return value;
      case "word":
        if (typeof value !== "string" || !part.words.includes(value)) mismatch();
        return value;
      case "text": {
        if (typeof value !== "string" || (value.trim() === "" && !part.mayBeBlank)) mismatch();
        else {
          const refusal = part.refuse?.(value);
          if (refusal) refuse(location, refusal);
        }
        return value;
      }
      case "list": {
        const refusal = part.refuse?.(value);
        if (refusal) return refuse(location, refusal);
        if (!Array.isArray(value)) return mismatch();
        return value.map((item, position) => check(item, part.items, [...location, position]));
      }
      case "nullable":
        return value === null ? null : check(value, part.schema, location);
      case "table":
        if (!isRecord(value)) return mismatch();
        return collect(value, (name, item) => check(item, part.values, [...location, name]));
      case "fields":
        if (!isRecord(value)) return mismatch();
        return checkFields(value, part, location);
    }
  }

  /** The fields together only where each is right: else one mistake would be told twice. */
  function checkFields(value: object, part: FieldsSchema, location: Location): object {
    const before = problems.length;
    checkRequired(value, part, location);
    const fields = collect(value, (name, item) => checkField(name, item, part, location));
    const refusal = problems.length === before ? part.refuse?.(fields) : undefined;
    if (refusal) refuse(location, refusal);
    return fields;
  }

  function checkField(name: string, value: unknown, { fields }: FieldsSchema, location: Location): unknown {
    const part = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (part !== undefined) return check(value, part, [...location, name]);
    const known = Object.keys(fields);
    const meant = nearestName(name, known);
    unknown.push({
      path: settingPath([...location, name]),
      problem: "is not a setting and has no effect",
      fix: meant === undefined ? `known here: ${known.join(", ")}` : `did you mean ${meant}?`,
      ...(!mayHoldKeys([...location, name]) && { value }),
    });
    return undefined;
  }

  function checkRequired(value: object, { required }: FieldsSchema, location: Location): void {
    const present = new Map(Object.entries(value));
    const missing = required.filter((name) => present.get(name) === undefined);
    if (missing.length === 0) return;
    const names = missing.join(", ");
    refuse(location, { problem: `expected ${required.join(", ")}, got no ${names}`, fix: `add ${names}` });
  }

  return { value: check(given, schema, []), problems, unknown };
}

function mayHoldKeys([setting]: Location): boolean {
  return hiddenSettings.some((name) => name === setting);
}

function collect(value: object, read: (name: string, item: unknown) => unknown): object {
  const parts = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => [name, read(name, item)] as const);
  return Object.fromEntries(parts.filter(([, item]) => item !== undefined));
}
