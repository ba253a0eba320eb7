import { InvalidArgumentError, Option } from "commander";
import type { DescribeCommand } from "../command-table.ts";
import { setOption } from "../set-option.ts";

const maxPort = 65_535;

/** `palimpsest gateway`; its code is loaded when it runs. */
export const describeGateway: DescribeCommand = (command, context) => {
  command
    .description(
      "Run a server between an agent and its model's provider, on this machine only. Conversations are recorded as sessions; when they fill the window, large results are written to disk, old ones are cleared and the conversation is summarised. Otherwise the agent's own bytes are sent.",
    )
    .usage("[options] [-- command...]")
    .argument("[command...]", "an agent to run with the settings it needs")
    .option("--port <number>", "where to listen; 0 for a free port", parsePort, 0)
    .option(
      "--upstream <url>",
      "address for all requests; without it Anthropic's and OpenAI's own servers are used, and other paths are refused",
    )
    .option("--openai-upstream <url>", "the same for OpenAI's paths alone")
    .option("--observe", "only measure: nothing is rewritten")
    .addOption(
      new Option("--compact <who>", "who writes summaries; a model uses the agent's own key")
        .choices(["scribe", "model"])
        .default("scribe"),
    )
    .addOption(
      new Option("--for <agent>", "show the settings this agent needs, or run it with them").choices([
        "claude",
        "opencode",
        "pi",
      ]),
    )
    .option("--token-file <file>", "file with the token that clients must send")
    .option(...setOption)
    .option("--json", "print one JSON document per line instead of text")
    .examples([
      ["palimpsest gateway --port 4020 --for claude", "in front of Anthropic's API"],
      ["palimpsest gateway --for opencode -- opencode", "run an agent through it"],
      ["palimpsest gateway --upstream http://127.0.0.1:11434", "in front of a local server"],
      ["palimpsest gateway --observe --json", "measure only, for programs"],
    ])
    .action(async (args: readonly string[], options) =>
      (await import("./gateway-command.ts")).runGateway(context(), args, options),
    );
};

function parsePort(text: string): number {
  const port = /^\d+$/.test(text.trim()) ? Number(text) : -1;
  if (port < 0 || port > maxPort) {
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${maxPort}.`);
  }
  return port;
}
