import { firstChars } from "../../view/first-chars.ts";
import { maxHookTextChars } from "./hook-numbers.ts";
import type { HeardAnswer } from "./read-answer.ts";

/** Whatever a hook says may end before a model: one that says too much must not fill its window. */
export function withShortTexts({ answer, warnings }: HeardAnswer): HeardAnswer {
  const long: string[] = [];
  const fields = Object.entries(answer).map(([field, said]) => {
    if (typeof said !== "string" || said.length <= maxHookTextChars || field === "input")
      return [field, said];
    long.push(`${field} has more than ${maxHookTextChars} characters; the rest was left out`);
    return [field, firstChars(said, maxHookTextChars)];
  });
  return { answer: Object.fromEntries(fields), warnings: [...warnings, ...long] };
}
