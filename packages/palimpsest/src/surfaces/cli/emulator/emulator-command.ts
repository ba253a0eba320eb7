import { createRuntime } from "@palimpsest/core/internal";
import { createEmulator, type Emulator, type RecordedRequest } from "@palimpsest/testing";
import { aborted } from "../aborted.ts";
import { interruption } from "../ask.ts";
import { toJsonLine } from "../harmless.ts";
import type { CommandContext, Terminal } from "../terminal.ts";
import { headerLine, requestLines } from "./request-lines.ts";

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
  await aborted(terminal.signal);
  await emulator.close();
  await written;
  throw interruption();
}

const listening = ({ url, port }: Emulator) => ({ type: "listening", url, port });

/** What programs get: everything but what was said. */
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
