import { wrapBehind } from "../config/wrap-text.ts";
import type { Style } from "../style.ts";
import { type InspectorPlaces, inspectorLines } from "./inspector-lines.ts";
import { comparisonLines } from "./lines/comparison-lines.ts";
import { eventLines } from "./lines/event-lines.ts";
import { headLines, type Summarized, summaryLines } from "./lines/summary-lines.ts";
import { turnLines } from "./lines/turn-lines.ts";

export interface ReportPlace {
  readonly columns: number;
  readonly style: Style;
  /** Turns and the layers' work were shown by the view. */
  readonly wasShown: boolean;
  readonly inspector: InspectorPlaces;
}

/** What stays of the demo. */
export function reportLines(summarized: Summarized, place: ReportPlace): readonly string[] {
  const { story, stage, state, summaries } = summarized;
  const { columns, style, wasShown, inspector } = place;
  const played = [...turnLines(stage, state, columns, style), "", ...eventLines(state, columns), ""];
  return [
    ...headLines(story, columns, style),
    "",
    ...(wasShown ? [] : played),
    ...summaryLines(summarized, columns),
    "",
    ...comparisonLines(summaries, columns, style),
    "",
    ...wrapBehind(
      "  ",
      "Tool calls and results are real; words and token counts are not a model's.",
      columns,
    ),
    "",
    ...inspectorLines(inspector, style),
  ];
}
