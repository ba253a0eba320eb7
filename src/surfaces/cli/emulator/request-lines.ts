import type { RecordedRequest } from "../../../testing/index.ts";
import { cutText, padText } from "../fit-text.ts";
import { formatCount } from "../format-amount.ts";
import { toHarmless } from "../harmless.ts";
import type { Terminal } from "../terminal.ts";

const columns = [
  { header: "#", width: 5, align: "right" },
  { header: "MODEL", width: 20, align: "left" },
  { header: "READ", width: 9, align: "right" },
  { header: "WRITTEN", width: 9, align: "right" },
  { header: "INPUT", width: 9, align: "right" },
  { header: "OUTPUT", width: 7, align: "right" },
  { header: "HIT", width: 4, align: "right" },
  { header: "OUTCOME", width: 10, align: "left" },
] as const;

/** Lines come one by one, so columns have fixed widths: 80 together. */
function toLine(cells: readonly string[]): string {
  return columns
    .map(({ width, align }, index) => padText(cutText(cells[index] ?? "", width), width, align))
    .join(" ")
    .trimEnd();
}

export function headerLine({ style }: Terminal): string {
  return style.dim(toLine(columns.map(({ header }) => header)));
}

/** One line for a request, and a second one with the reason where it failed. */
export function requestLines(
  request: RecordedRequest,
  { style, columns: width }: Terminal,
): readonly string[] {
  const { number, model, path, usage, promptTokens, hitBlock, outcome, error } = request;
  const count = (tokens: number | undefined) => (tokens === undefined ? "" : formatCount(tokens));
  const line = toLine([
    String(number),
    toHarmless(request.endpoint === "messages" && model !== undefined ? model : path),
    count(usage?.cache_read_input_tokens),
    count(usage?.cache_creation_input_tokens),
    count(usage?.input_tokens ?? promptTokens),
    count(usage?.output_tokens),
    hitBlock === undefined ? "" : hitBlock === -1 ? "-" : String(hitBlock),
    outcome,
  ]);
  const paint = outcome === "answered" ? style.green : outcome === "refused" ? style.red : style.yellow;
  const painted = line.replace(/\w+$/, (word) => paint(word));
  if (error === undefined) return [painted];
  const reason = `      ${request.status} ${toHarmless(error.message)}`;
  return [painted, style.dim(cutText(reason, width))];
}
