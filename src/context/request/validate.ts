import { isBlock } from "../../spec/index.ts";
import { checkMessage } from "./check-message.ts";
import { type CheckedRequest, checkWhole } from "./check-whole.ts";
import type { RequestLimits, Violation } from "./violation.ts";

/** Every violation of the API's rules, with its path. Pure. */
export function validate(request: CheckedRequest, limits: RequestLimits): readonly Violation[] {
  const seen = new Set<string>();
  const totals = { images: 0, wide: 0, marked: 0 };
  const violations = request.messages.flatMap((message, index) => {
    const checked = checkMessage(request.messages, index, limits, (id) => seen.has(id));
    for (const block of message.content) if (isBlock(block, "tool_use")) seen.add(block.id);
    totals.images += checked.totals.images;
    totals.wide += checked.totals.wide;
    totals.marked += checked.totals.marked;
    return checked.violations;
  });
  return [...violations, ...checkWhole(request, totals, limits)];
}
