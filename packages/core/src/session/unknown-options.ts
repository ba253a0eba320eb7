import { nearestName } from "./settings/nearest-name.ts";

/** A name for each option of a type: the compiler says which one is missing or too much. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true };

const warned = new Set<string>();

/** Tells of options that nobody knows, with the one that was most likely meant: each name once in a process. */
export function warnOfUnknownOptions<Options extends object>(
  caller: string,
  given: Options,
  known: OptionNames<Options>,
  warn: (text: string) => void,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || Object.hasOwn(known, name) || warned.has(name)) continue;
    warned.add(name);
    const nearest = nearestName(name, Object.keys(known));
    const hint = nearest === undefined ? "" : ` Did you mean “${nearest}”?`;
    warn(`${caller}: “${name}” is not an option and has no effect.${hint}`);
  }
}
