import { checkLinks } from "./check-links.ts";
import { checkMessage } from "./check-message.ts";
import { type CheckedRequest, checkWhole } from "./check-whole.ts";
import { linksOf } from "./message-links.ts";
import type { RequestLimits, Violation } from "./violation.ts";

/** Every violation of the API's rules, with its path. Pure. */
export function validate(request: CheckedRequest, limits: RequestLimits): readonly Violation[] {
  const { messages } = request;
  const all = messages.map(linksOf);
  const seen = new Set<string | null>();
  const isKnownCall = (id: string) => seen.has(id);
  const totals = { images: 0, wide: 0, marked: 0 };
  const violations = all.flatMap((links, index) => {
    const checked = checkMessage(messages, index, limits);
    const linked = { index, links, before: all[index - 1], next: all[index + 1], isKnownCall };
    const found = [...checked.violations, ...checkLinks(linked)];
    for (const id of links.calls) seen.add(id);
    totals.images += checked.totals.images;
    totals.wide += checked.totals.wide;
    totals.marked += checked.totals.marked;
    return found;
  });
  return [...violations, ...checkWhole(request, totals, limits)];
}
