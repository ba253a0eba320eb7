import { createRuntime } from "@palimpsest/core/internal";
import { createEmulator, type Emulator, type RecordedRequest } from "@palimpsest/testing";
import { untilAborted } from "../../../signals.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal, toJsonLine } from "../../terminal/escape-terminal.ts";
import { createFixedColumns, toCountCell } from "../../terminal/table.ts";
import { cutText } from "../../terminal/text-width.ts";
import { interruption } from "../ask.ts";

export interface EmulatorCommandOptions {
  readonly port: number;
  readonly host: string;
  readonly window?: number;
  readonly answerModel?: string;
  readonly json?: boolean;
}

const loopback = /^(?:127\.|localhost$|::1$)/;

/** Runs the emulator until it is interrupted, with a line for every request. */
export async function runEmulator(
  { terminal }: CommandContext,
  { port, host, window, answerModel, json }: EmulatorCommandOptions,
): Promise<void> {
  const emulator = await createEmulator({
    port,
    host,
    clock: createRuntime().clock,
    ...(answerModel !== undefined && { answerModel }),
    ...(window !== undefined && { catalog: { capabilities: { "*": { contextWindow: window } } } }),
  });
  if (!loopback.test(host)) terminal.say("Everybody who can reach this machine can reach the emulator.");
  let written = terminal.write(json ? toJsonLine(listening(emulator)) : `${headLines(emulator, terminal)}\n`);
  emulator.onRequest((request) => {
    const text = json ? toJsonLine(toDocument(request)) : `${requestLines(request, terminal).join("\n")}\n`;
    written = written.then(() => terminal.write(text));
  });
  await untilAborted(terminal.signal);
  await emulator.close();
  await written;
  throw interruption();
}

const listening = ({ url, port }: Emulator) => ({ type: "listening", url, port });

/** The document for programs: everything but what was said. */
function toDocument({ body, whole, content, headers, ...rest }: RecordedRequest) {
  return { type: "request", ...rest };
}

function headLines({ url }: Emulator, terminal: Terminal): string {
  const { bold, dim } = terminal.style;
  return [
    `${bold("Messages API emulator")} at ${url}`,
    "",
    `  export ANTHROPIC_BASE_URL=${url}`,
    "  export ANTHROPIC_API_KEY=anything",
    "",
    dim("A script answers, no model. Token counts are the emulator's own. Ctrl+C ends it."),
    "",
    headerLine(terminal),
  ].join("\n");
}

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

function headerLine({ style }: Terminal): string {
  return style.dim(columns.header);
}

/** One line for a request, and a second one with the reason where it failed. */
function requestLines(request: RecordedRequest, { style, columns: width }: Terminal): readonly string[] {
  const { number, model, path, usage, promptTokens, hitBlock, outcome, error } = request;
  const line = columns.toLine([
    String(number),
    escapeTerminal(request.endpoint === "messages" && model !== undefined ? model : path),
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
  const reason = `      ${request.status} ${escapeTerminal(error.message)}`;
  return [painted, style.dim(cutText(reason, width))];
}
