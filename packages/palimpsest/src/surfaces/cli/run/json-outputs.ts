import { toJson, toJsonLine } from "../harmless.ts";
import type { Terminal } from "../terminal.ts";
import type { RunOutput } from "./run-output.ts";
import { toEndDocument, toEventDocument } from "./to-document.ts";

/** One document at the end. */
export function createJsonOutput(session: string, terminal: Terminal): RunOutput {
  return {
    hear: async () => undefined,
    settle: async () => undefined,
    finish: (end) => terminal.write(toJson(toEndDocument(session, end))),
  };
}

/** Every event on a line of its own, as it happens. */
export function createStreamOutput(terminal: Terminal): RunOutput {
  return {
    hear: (event) => terminal.write(toJsonLine(toEventDocument(event))),
    settle: async () => undefined,
    finish: async () => undefined,
  };
}
