import type { OverflowWording } from "./overflow-wordings.ts";

export interface CompiledWording {
  readonly id: string;
  readonly expression: RegExp;
}

/** A number of tokens as servers write it, thousands grouped or not. */
const count = String.raw`\d{1,3}(?:[,._'\u2019\u00a0\u202f]\d{3})+(?!\d)|\d+`;

/** Throws a `SyntaxError` when the pattern is no regular expression. */
export function compileWording({ id, pattern }: OverflowWording): CompiledWording {
  const source = pattern.replace(/\{(actual|more|limit|excess)\}/g, (_, name) => `(?<${name}>${count})`);
  return { id, expression: new RegExp(source, "i") };
}
