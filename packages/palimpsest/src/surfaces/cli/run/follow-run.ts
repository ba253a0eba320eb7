import { fail, type RunEnd, type RunOptions, type Session } from "@palimpsest/core/spec";
import type { Terminal } from "../terminal.ts";
import { createAsker } from "./asker.ts";
import { createJsonOutput, createStreamOutput } from "./json-outputs.ts";
import { createLane } from "./lane.ts";
import type { RunChoices } from "./run-choices.ts";
import type { RunOutput } from "./run-output.ts";
import { createTextOutput } from "./text-output.ts";
import { withProgress } from "./watched-output.ts";

export interface FollowedRun {
  readonly session: Session;
  readonly prompt: string;
  readonly output: RunChoices["output"];
  readonly limits: Pick<RunOptions, "maxTurns" | "budget">;
  readonly terminal: Terminal;
  readonly cwd: string;
  /** Real paths of the folders the agent works in. */
  readonly workspace: readonly string[];
}

/** Runs the prompt and lets its events be seen; a person at the terminal is asked. */
export async function followRun(followed: FollowedRun): Promise<RunEnd> {
  const { session, prompt, limits, terminal, workspace } = followed;
  const output = outputOf(followed);
  const lane = createLane();
  const asker = createAsker({ terminal, workspace, lane });
  const { onPermission, onQuestion } = asker;
  const asking = terminal.isInteractive ? { onPermission, onQuestion } : {};
  let end: RunEnd | undefined;
  for await (const event of session.run(prompt, { ...limits, ...asking, signal: terminal.signal })) {
    await lane.take(async () => {
      await output.hear(event);
      if (event.type === "permission-ask") await output.settle();
      await asker.hear(event);
    });
    if (event.type === "run-end") end = event;
  }
  if (!end) throw fail("crashed", "The run ended without saying how.").error;
  await output.finish(end);
  return end;
}

/** The events themselves are the progress where they are printed. */
function outputOf({ output, session, terminal, cwd }: FollowedRun): RunOutput {
  if (output === "stream-json") return createStreamOutput(terminal);
  const plain = output === "json" ? createJsonOutput(session.id, terminal) : createTextOutput(terminal);
  return withProgress(plain, terminal, cwd);
}
