import type { LoopEvent } from "@palimpsest/core/spec";
import type { Terminal } from "../terminal.ts";
import { createHarmlessStream, toHarmlessText } from "./harmless-text.ts";
import type { RunOutput } from "./run-output.ts";

/** What the model says: on a screen as it comes, else its last answer at the end. */
export function createTextOutput(terminal: Terminal): RunOutput {
  return terminal.isScreen ? createScreenOutput(terminal) : createPipeOutput(terminal);
}

function createPipeOutput(terminal: Terminal): RunOutput {
  return {
    hear: async () => undefined,
    settle: async () => undefined,
    async finish({ text }) {
      const shown = toHarmlessText(text, "pipe");
      if (shown !== "") await terminal.write(shown.endsWith("\n") ? shown : `${shown}\n`);
    },
  };
}

function createScreenOutput(terminal: Terminal): RunOutput {
  const stream = createHarmlessStream("screen");
  let isMidLine = false;

  async function write(text: string): Promise<void> {
    if (text === "") return;
    await terminal.write(text);
    isMidLine = !text.endsWith("\n");
  }

  async function settle(): Promise<void> {
    await write(stream.end());
    if (isMidLine) await write("\n");
  }

  return {
    async hear(event: LoopEvent) {
      if (event.type === "block-delta" && event.delta.type === "text")
        await write(stream.push(event.delta.text));
      else if (event.type === "response-end" || event.type === "response-cut") await settle();
    },
    settle,
    finish: settle,
  };
}
