import type { Tool, ToolOutcome } from "@palimpsest/core/spec";
import { createDreamShell, type DreamShellAnswer, type DreamShellOptions } from "./dream-shell.ts";
import { dreamPrograms } from "./refuse-script.ts";

/** The shell as the tool `Bash` of a model that dreams. */
export function createDreamShellTool(options: DreamShellOptions): Tool {
  const shell = createDreamShell(options);
  const folders = Object.keys(options.mounts).map((name) => `/${name}`);
  return {
    name: "Bash",
    description: `Runs a command that only reads, in a shell with the folders ${folders.join(", ")} and nothing else. Programs: ${dreamPrograms.join(", ")}; join them by |, && or ;. There are no variables, redirections, loops or substitutions, and files over 10 MB read as missing. Search transcripts by narrow patterns and never read one whole.`,
    input_schema: {
      type: "object",
      properties: { command: { type: "string", description: "The command line." } },
      required: ["command"],
      additionalProperties: false,
    },
    isReadOnly: true,
    async run(input, { signal }) {
      const { command } = input as { readonly command: string };
      const answer = await shell.run(command, signal);
      if (answer.ok) return toOutcome(answer.value);
      const { message, fix } = answer.error;
      return { content: fix === undefined ? message : `${message} ${fix}`, isError: true };
    },
  };
}

function toOutcome({ stdout, stderr, exitCode, cutChars }: DreamShellAnswer): ToolOutcome {
  const parts = [stdout, stderr, cutChars > 0 ? `[${cutChars} characters left out: narrow the command]` : ""];
  const content = parts.filter(Boolean).join(stdout.endsWith("\n") ? "" : "\n");
  if (exitCode === 0) return { content: content || "(no output)" };
  // grep that finds nothing ends with 1, and that is an answer.
  return {
    content: `${content}${content ? "\n" : ""}(exit code ${exitCode})`,
    ...(exitCode > 1 ? { isError: true } : {}),
  };
}
