import type { Facts, Moment, Verdict, View } from "../../spec/index.ts";
import { firstChars } from "../../view/quote-foreign.ts";
import type { DreamLayerPorts } from "./apply.ts";

export type DreamCommand =
  | { readonly kind: "dream" }
  /** A line for the day's log. */
  | { readonly kind: "log"; readonly text: string };

/** Characters of a prompt that a daily log keeps. */
const loggedChars = 200;

/** The first gate, which costs nothing; the others are looked at when it is begun. */
export function decideLayer(
  view: View,
  moment: Moment,
  facts: Facts,
  { hasMemory, isLongLived = true }: Pick<DreamLayerPorts, "hasMemory" | "isLongLived">,
): Verdict<DreamCommand> {
  const { flags, dream } = facts.settings;
  if (facts.source !== "main") return skip("a fork does not dream");
  if (!hasMemory) return skip("there is no memory folder");
  if (moment.kind === "turn-end") return decideLog(view, dream?.dailyLogs === true);
  if (flags?.dream === false || dream?.enabled === false) return skip("dreams are off");
  if (!isLongLived) return skip("the session ends with its answer");
  return act({ kind: "dream" }, "memory may have to be put in order", view);
}

function decideLog(view: View, isKept: boolean): Verdict<DreamCommand> {
  if (!isKept) return skip("no daily logs are kept");
  const said = view.ledgers.userMessages.at(-1)?.text.replaceAll(/\s+/g, " ").trim() ?? "";
  if (said === "") return skip("the user has said nothing");
  const text = said.length > loggedChars ? `${firstChars(said, loggedChars)}…` : said;
  return act({ kind: "log", text }, "a daily log is kept", view);
}

function act(command: DreamCommand, reason: string, view: View): Verdict<DreamCommand> {
  return { verdict: "act", command, run: "background", reason, frees: 0, basis: view.head };
}

function skip(reason: string): Verdict<never> {
  return { verdict: "skip", reason };
}
