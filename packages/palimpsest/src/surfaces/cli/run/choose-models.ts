import { defaultModel } from "@palimpsest/core/internal";
import { PalimpsestError } from "@palimpsest/core/spec";
import { toBareName } from "../../../loop/resolve-model.ts";
import { exitWith } from "../exit-codes.ts";
import { reportFailure } from "../report-failure.ts";
import { createStyle } from "../style.ts";
import type { Terminal } from "../terminal.ts";
import { checkModel, firstSteps } from "./check-model.ts";
import type { ChosenSession } from "./choose-session.ts";
import type { RunChoices } from "./run-choices.ts";

/** The models to open the session with. Ends the command where one cannot be reached from here, and says what can. */
export async function chooseModels(
  choices: Pick<RunChoices, "model" | "fallbackModel">,
  chosen: ChosenSession | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<{ readonly model?: string; readonly fallbackModel?: string }> {
  const model = choices.model && toBareName(choices.model);
  const fallbackModel = choices.fallbackModel && toBareName(choices.fallbackModel);
  try {
    await checkModel(choices.model ?? chosen?.model ?? defaultModel, environment);
    if (choices.fallbackModel !== undefined) await checkModel(choices.fallbackModel, environment);
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause) || cause.code !== "unauthenticated") throw cause;
    const style = terminal.isWatched ? terminal.style : createStyle(false);
    for (const line of reportFailure(cause, style, false).lines) terminal.say(line);
    for (const line of firstSteps) terminal.say(`    ${line}`);
    exitWith("failed");
  }
  return { ...(model && { model }), ...(fallbackModel && { fallbackModel }) };
}
