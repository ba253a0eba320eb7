import { isMet } from "../../bench/reporting.mjs";
import { amount, escaped, table, verdict } from "./markdown.mjs";
import { shortName } from "./short-name.mjs";
import { shipped } from "./with-one-name.mjs";

/** The goals as a table, how far each falls short, and why. */
export function goalLines(goals) {
  if (goals.length === 0) return ["The engine was not among the policies."];
  const judged = goals.map(judge);
  const count = (said) => judged.filter((one) => one === said).length;
  const rows = goals.map((goal, at) => [
    goal.what,
    goal.row ?? "–",
    amount(goal.value, goal.unit),
    amount(goal.oracle, goal.unit),
    goal.atMost !== undefined ? `≤ ${goal.atMost}` : goal.atLeast !== undefined ? `≥ ${goal.atLeast}` : "–",
    judged[at],
    judged[at] === verdict(false) ? amount(shortBy(goal), goal.unit) : "–",
  ]);
  const [met, missed, unknown] = [count(verdict(true)), count(verdict(false)), count(notMeasured)];
  return [
    `Of ${met + missed + unknown} goals ${met} are met and ${missed} missed${unknown === 0 ? "" : `; ${unknown} could not be measured`}. “row”: the price row at which the engine is worst, and which is judged. The oracle clears results with hindsight and does nothing else: an upper bound for kept facts, not for cost.`,
    "",
    ...table(["goal", "row", shipped, "oracle", "wanted", "", "short by"], rows),
    ...reasonLines(goals, judged),
  ];
}

/** Why goals are missed, not whole or not measured, as the report has counted it. */
function reasonLines(goals, judged) {
  const lines = goals.flatMap(({ what, why }, at) =>
    why ? [escaped(`- ${what}, ${judged[at].replaceAll("*", "")}: ${reasonText(why)}.`)] : [],
  );
  return lines.length === 0 ? [] : ["", ...lines];
}

function reasonText({ text, sessions }) {
  if (sessions.length === 0) return text;
  const named = sessions.slice(0, 5).map(({ name, amount: own }) => `${shortName(name)} ${own}`);
  const more = sessions.length > 5 ? ` and ${sessions.length - 5} more` : "";
  return `${text}; by session: ${named.join(", ")}${more}`;
}

const notMeasured = "not measurable";

function judge(goal) {
  return goal.value === null || goal.value === undefined ? notMeasured : verdict(isMet(goal));
}

function shortBy({ value, atMost = value, atLeast = value }) {
  return Math.max(0, value - atMost, atLeast - value);
}
