import { InvalidArgumentError, Option } from "commander";
import { clientNames } from "../../mcp/client-configs.ts";
import type { DescribeCommand } from "../command-table.ts";

const maxPort = 65_535;

/** `palimpsest mcp`; its code is loaded when it runs. */
export const describeMcp: DescribeCommand = (command, context) => {
  command
    .description(
      "Serve this project's memories and past sessions to other people's agents by the Model Context Protocol: on standard input and output, or on HTTP for this machine alone.",
    )
    .usage("[options]")
    .option("--http", "serve streamable HTTP on 127.0.0.1 instead; prints address and token")
    .option("--port <number>", "where to listen with --http; 0 for a free port", parsePort, 0)
    .option("--project <dir|slug>", "another project: its folder, or its name under the data root")
    .addOption(
      new Option("--print-config <client>", "print what a client's settings need, and end").choices([
        ...clientNames,
      ]),
    )
    .option("--json", "with --http: print address and token as one JSON document")
    .examples([
      ["palimpsest mcp --print-config claude", "what .mcp.json needs"],
      ["palimpsest mcp", "what clients start"],
      ["palimpsest mcp --http --port 4020", "for clients that speak HTTP"],
    ])
    .action(async (options) => (await import("./mcp-command.ts")).runMcp(context(), options));
};

function parsePort(text: string): number {
  const port = /^\d+$/.test(text.trim()) ? Number(text) : -1;
  if (port < 0 || port > maxPort) {
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${maxPort}.`);
  }
  return port;
}
