import { escapeTerminal } from "../escape-terminal.ts";
import type { Terminal } from "../terminal.ts";
import { wrapBehind } from "./wrap-text.ts";

/** A blank line and every message behind its mark, wrapped; nothing where there is none. */
export function warningLines(
  messages: readonly string[],
  { columns, style }: Pick<Terminal, "columns" | "style">,
  mark: "warning" | "error" = "warning",
): readonly string[] {
  const paint = mark === "error" ? style.red : style.yellow;
  const lines = messages.flatMap((message) =>
    wrapBehind(`${mark}: `, escapeTerminal(message), columns).map((line) => line.replace(`${mark}:`, paint)),
  );
  return lines.length === 0 ? [] : ["", ...lines];
}
