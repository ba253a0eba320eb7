import type { GenericSchema } from "valibot";
import {
  type NumberLimits,
  numberSchema,
  oneOf,
  refusing,
  switchSchema,
  textSchema,
  type ValueRefusal,
} from "./schemas.ts";
import type { DefaultSetting, Setting } from "./setting.ts";

/** For a setting without a default. */
export const none = undefined;

type More<Value> = Omit<Partial<Setting<Value>>, "kind" | "schema" | "default" | "doc">;
type MoreOfNumber = More<number> & NumberLimits;

/** A whole number, from 0 on where nothing else is said. */
export function count(usual: number, doc: string, more?: MoreOfNumber): DefaultSetting<number>;
export function count(usual: undefined, doc: string, more?: MoreOfNumber): Setting<number>;
export function count(usual: number | undefined, doc: string, more: MoreOfNumber = {}): Setting<number> {
  const { least = 0, most, over: _over, whole: _whole, ...rest } = more;
  return declare(numberSchema({ whole: true, least, most }), usual, doc, rest);
}

/** A count of tokens that shrinks in proportion in a small window. */
export function scaledTokens(
  usual: number,
  doc: string,
  scaled: "up" | "down",
  limits: NumberLimits = {},
): DefaultSetting<number> {
  return count(usual, doc, { ...limits, scaled });
}

/** A whole number from 0 to 100. */
export function percent(usual: number, doc: string, least = 0): DefaultSetting<number> {
  return count(usual, doc, { least, most: 100 });
}

/** A number that may have a fraction, from 0 on where nothing else is said. */
export function amount(usual: number, doc: string, more?: MoreOfNumber): DefaultSetting<number>;
export function amount(usual: undefined, doc: string, more?: MoreOfNumber): Setting<number>;
export function amount(usual: number | undefined, doc: string, more: MoreOfNumber = {}): Setting<number> {
  const { over, least = over === undefined ? 0 : undefined, most, whole: _whole, ...rest } = more;
  return declare(numberSchema({ least, over, most }), usual, doc, rest);
}

/** On or off. */
export function toggle(usual: boolean, doc: string, more?: More<boolean>): DefaultSetting<boolean>;
export function toggle(usual: undefined, doc: string, more?: More<boolean>): Setting<boolean>;
export function toggle(usual: boolean | undefined, doc: string, more: More<boolean> = {}): Setting<boolean> {
  return declare(switchSchema, usual, doc, more);
}

/** One of a few words. */
export function word<const Word extends string>(
  words: readonly Word[],
  usual: NoInfer<Word>,
  doc: string,
): DefaultSetting<Word>;
export function word<const Word extends string>(
  words: readonly Word[],
  usual: undefined,
  doc: string,
): Setting<Word>;
export function word<const Word extends string>(
  words: readonly Word[],
  usual: Word | undefined,
  doc: string,
): Setting<Word> {
  return declare(oneOf(...words), usual, doc, {});
}

/** A text that is not blank. */
export function text(doc: string, refuse?: (given: string) => ValueRefusal | undefined): Setting<string> {
  return declare(refuse ? refusing(textSchema, refuse) : textSchema, undefined, doc, {});
}

/** A list or an object: it has no variable. */
export function structured<Value>(
  schema: GenericSchema<Value>,
  doc: string,
  more: Pick<Setting<Value>, "isHidden" | "isProtecting" | "example"> = {},
): Setting<Value> {
  return declare(schema, undefined, doc, more);
}

function declare<Value>(
  schema: GenericSchema<Value>,
  usual: Value | undefined,
  doc: string,
  more: More<Value>,
): Setting<Value> {
  return { kind: "setting", schema, ...(usual !== undefined && { default: usual }), doc, ...more };
}
