import type { RecordedRequest } from "@palimpsest/testing";
import { cutText } from "../fit-text.ts";
import { createFixedColumns, toCountCell } from "../fixed-columns.ts";
import { toHarmless } from "../harmless.ts";
import type { Terminal } from "../terminal.ts";

/** 80 wide together. */
const columns = createFixedColumns([
  { header: "#", width: 5, align: "right" },
  { header: "MODEL", width: 20, align: "left" },
  { header: "READ", width: 9, align: "right" },
  { header: "WRITTEN", width: 9, align: "right" },
  { header: "INPUT", width: 9, align: "right" },
  { header: "OUTPUT", width: 7, align: "right" },
  { header: "HIT", width: 4, align: "right" },
  { header: "OUTCOME", width: 10, align: "left" },
]);

export function headerLine({ style }: Terminal): string {
  return style.dim(columns.header);
}

/** One line for a request, and a second one with the reason where it failed. */
export function requestLines(
  request: RecordedRequest,
  { style, columns: width }: Terminal,
): readonly string[] {
  const { number, model, path, usage, promptTokens, hitBlock, outcome, error } = request;
  const line = columns.toLine([
    String(number),
    toHarmless(request.endpoint === "messages" && model !== undefined ? model : path),
    toCountCell(usage?.cache_read_input_tokens),
    toCountCell(usage?.cache_creation_input_tokens),
    toCountCell(usage?.input_tokens ?? promptTokens),
    toCountCell(usage?.output_tokens),
    hitBlock === undefined ? "" : hitBlock === -1 ? "-" : String(hitBlock),
    outcome,
  ]);
  const paint = outcome === "answered" ? style.green : outcome === "refused" ? style.red : style.yellow;
  const painted = line.replace(/\w+$/, (word) => paint(word));
  if (error === undefined) return [painted];
  const reason = `      ${request.status} ${toHarmless(error.message)}`;
  return [painted, style.dim(cutText(reason, width))];
}
