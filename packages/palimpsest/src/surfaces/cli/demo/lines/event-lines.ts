import { cutText } from "../../fit-text.ts";
import type { DemoState } from "../state/demo-state.ts";
import { eventLine } from "./event-line.ts";

/** What the layers freed, one line each; notes free nothing and are only counted. */
export function eventLines({ events }: DemoState, columns: number): readonly string[] {
  const notes = events.filter(({ layer }) => layer === "session-notes").length;
  return [
    ...events.filter(({ frees }) => frees > 0).map((event) => eventLine(event, columns)),
    ...(notes > 0 ? [cutText(`     3 session notes       written ${notes} times in between`, columns)] : []),
  ];
}
