import { isMet } from "../../bench/reporting.mjs";
import { amount, table, verdict } from "./markdown.mjs";

/** The headlines of a bench, each beside its goal. */
export function benchSection({ headlines }) {
  if (headlines.length === 0) return ["It ran and had nothing to measure."];
  const rows = headlines.map((one) => [
    one.what,
    amount(one.value, one.unit),
    goal(one),
    verdict(isMet(one)),
  ]);
  return table(["what", "measured", "goal", ""], rows);
}

function goal({ atMost, atLeast, unit }) {
  const shown = unit === "×" ? "" : unit === "" ? "" : ` ${unit}`;
  if (atMost !== undefined) return `≤ ${atMost}${shown}`;
  return atLeast === undefined ? "–" : `≥ ${atLeast}${shown}`;
}
