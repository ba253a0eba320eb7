import type { CommandContext } from "../local/terminal.ts";
import type { CommandLine } from "./command-line.ts";

/** Adds options, arguments, subcommands and actions to a command that was only a name so far. */
export type DescribeCommand = (command: CommandLine, context: () => CommandContext) => void;

export interface CommandSlot {
  readonly name: string;
  readonly summary: string;
  /** Called when the command is, and not before: the program starts without the code of its commands. */
  load(): Promise<DescribeCommand>;
}

export const commandTable: readonly CommandSlot[] = [
  {
    name: "chat",
    summary: "work with the agent in the terminal",
    load: async () => (await import("./chat/index.ts")).describeChat,
  },
  {
    name: "config",
    summary: "show settings and flags with their sources; trust a project's settings",
    load: async () => (await import("./config/index.ts")).describeConfig,
  },
  {
    name: "context",
    summary: "show the contents of the context of a session",
    load: async () => (await import("./context/index.ts")).describeContext,
  },
  {
    name: "demo",
    summary: "play the bundled session through the engine, and compare policies",
    load: async () => (await import("./demo/index.ts")).describeDemo,
  },
  {
    name: "doctor",
    summary: "check the machine, the store, its queue and the memories for problems",
    load: async () => (await import("./doctor/index.ts")).describeDoctor,
  },
  {
    name: "dream",
    summary: "tidy up memories: merge, correct, prune; review and undo dreams",
    load: async () => (await import("./dream/index.ts")).describeDream,
  },
  {
    name: "emulator",
    summary: "run a server that speaks the Messages API, for trying and testing agents",
    load: async () => (await import("./emulator/index.ts")).describeEmulator,
  },
  {
    name: "gateway",
    summary: "run a server between an agent and its model that manages the context",
    load: async () => (await import("./gateway/index.ts")).describeGateway,
  },
  {
    name: "inspect",
    summary: "inspect sessions in a browser: context, cost and cache, request by request",
    load: async () => (await import("./inspect/index.ts")).describeInspect,
  },
  {
    name: "mcp",
    summary: "serve memories and past sessions to other agents by the Model Context Protocol",
    load: async () => (await import("./mcp/index.ts")).describeMcp,
  },
  {
    name: "memory",
    summary: "manage memories: list, search, edit, versions, quarantine, health",
    load: async () => (await import("./memory/index.ts")).describeMemory,
  },
  {
    name: "migrate-store",
    summary: "copy projects between files and a database",
    load: async () => (await import("./migrate-store/index.ts")).describeMigrateStore,
  },
  {
    name: "replay",
    summary: "replay recorded sessions under context policies: cost, cache breaks, kept and lost facts",
    load: async () => (await import("./replay/index.ts")).describeReplay,
  },
  {
    name: "run",
    summary: "let the agent work on one prompt, for scripts and by hand",
    load: async () => (await import("./run/index.ts")).describeRun,
  },
  {
    name: "sessions",
    summary: "list, show, export, repair, delete, prune and redact recorded sessions",
    load: async () => (await import("./sessions/index.ts")).describeSessions,
  },
  {
    name: "worker",
    summary: "run background jobs, on any machine that shares the store",
    load: async () => (await import("./worker/index.ts")).describeWorker,
  },
];
