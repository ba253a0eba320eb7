import type { PalimpsestError } from "@palimpsest/core/spec";
import { runDemo } from "../demo/demo-command.ts";
import { toHarmless } from "../harmless.ts";
import type { CommandContext } from "../terminal.ts";

/** What a person without a model can do here, and how to get one; shows the demo where that is wanted. */
export async function showFirstRun(
  context: CommandContext,
  problem: PalimpsestError,
  showDemo: (context: CommandContext) => Promise<void> = (shown) => runDemo(shown, {}),
): Promise<void> {
  const { terminal } = context;
  const { bold, dim, cyan } = terminal.style;
  const row = (command: string, does: string) => `  ${cyan(command.padEnd(30))} ${dim(does)}`;
  const lines = [
    bold("There is no model to talk to yet."),
    `  ${toHarmless(problem.message)}`,
    "",
    bold("With a key"),
    row("export ANTHROPIC_API_KEY=…", "Claude"),
    row("export OPENAI_API_KEY=…", "then: palimpsest chat --model openai:NAME"),
    "",
    bold("With a server of your own, such as Ollama: no key, nothing leaves the machine"),
    `  ${cyan("export OPENAI_BASE_URL=http://localhost:11434/v1")}`,
    `  ${cyan("palimpsest chat --model openai:NAME")}`,
    "",
    bold("Without any of it"),
    row("palimpsest demo", "a long session played through the engine"),
    row("palimpsest emulator", "a server that acts as a model, to try this"),
    row("palimpsest sessions list", "sessions: list, show, export, repair"),
    row("palimpsest context FILE", "what fills a session's context"),
    row("palimpsest memory list", "memories: look, search, edit, undo"),
    row("palimpsest dream --scribe", "put memories in order by fixed rules"),
    "",
  ];
  for (const line of lines) terminal.say(line);
  if (await terminal.confirm("Show the demo now?")) await showDemo(context);
}
