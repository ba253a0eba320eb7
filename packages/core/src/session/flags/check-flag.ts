import type { FlagName } from "../../spec/index.ts";
import { checkValue } from "../settings/check-value.ts";
import { flagTable } from "./flag-table.ts";

/** What one flag is said to be. */
export type FlagAnswer =
  | { readonly answer: "given"; readonly value: unknown }
  /** Whoever was asked does not know the flag. */
  | { readonly answer: "absent" }
  | { readonly answer: "failed"; readonly reason: string };

/** The value in the answer if the flag can have it; the reason why not otherwise. */
export function checkFlag(name: FlagName, given: unknown): FlagAnswer {
  const { value, problems } = checkValue(given, flagTable[name].type);
  const [first] = problems;
  if (first === undefined) return { answer: "given", value };
  const place = first.path === "" ? "" : `${first.path}: `;
  return { answer: "failed", reason: `${place}${first.problem}` };
}
