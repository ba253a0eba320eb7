import type { ViewItem } from "../../spec/index.ts";
import type { Accounting, AccountingInput } from "./accounting.ts";
import { sumShares } from "./accounting-sums.ts";
import { fixedParts, itemShare } from "./measure-block.ts";
import { toAccounting } from "./to-accounting.ts";

/** Where the tokens of a view are. Never throws: what cannot be measured is reported and counts as nothing. */
export function account(items: readonly ViewItem[], input: AccountingInput): Accounting {
  const shares = items.map((item) => itemShare(item, input));
  return toAccounting(sumShares(shares), fixedParts(input), input);
}
