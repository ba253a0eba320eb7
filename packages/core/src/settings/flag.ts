import { type GenericSchema, optional } from "valibot";
import { objectOf, switchSchema } from "./schemas.ts";

/** A flag, declared once beside the part that it turns on or off. */
export interface Flag<Value> {
  readonly schema: GenericSchema<Value>;
  readonly default: Value;
  /** One sentence: what it does while it is on. */
  readonly description: string;
  /** Its value is part of a session's prefix: resume and forks keep the value the session began with. */
  readonly shapesPrefix: boolean;
}

export type FlagValuesOf<Flags> = {
  readonly [Name in keyof Flags]: Flags[Name] extends Flag<infer Value> ? Value : never;
};

/** Names of the flags that are on or off. */
export type SwitchFlagsIn<Flags> = {
  [Name in keyof Flags]: Flags[Name] extends Flag<boolean> ? Name : never;
}[keyof Flags];

/** The schema of flags as settings: each may be left out. */
export function schemaOfFlags<Flags extends Readonly<Record<string, Flag<unknown>>>>(
  flags: Flags,
): GenericSchema<Partial<FlagValuesOf<Flags>>> {
  const entries = Object.entries(flags).map(([name, { schema }]) => [name, optional(schema)] as const);
  return objectOf<Partial<FlagValuesOf<Flags>>>(entries);
}

export function onByDefault(description: string): Flag<boolean> {
  return { schema: switchSchema, default: true, description, shapesPrefix: false };
}

export function offByDefault(description: string): Flag<boolean> {
  return { ...onByDefault(description), default: false };
}

/** `clear-cold` → `PALIMPSEST_FLAG_CLEAR_COLD`. */
export function flagVariable(name: string): string {
  return `${flagVariablePrefix}${name.toUpperCase().replaceAll("-", "_")}`;
}

export const flagVariablePrefix = "PALIMPSEST_FLAG_";
