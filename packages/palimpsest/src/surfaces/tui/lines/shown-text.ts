import { toHarmlessText } from "../../cli/run/tool-line.ts";

/** Text of any origin, several lines: what a terminal shows and does not obey. */
export function shownText(text: string): string {
  return toHarmlessText(text, "screen").replaceAll("\t", "  ");
}
