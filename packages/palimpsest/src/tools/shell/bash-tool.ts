import type {
  Clock,
  PalimpsestError,
  ShellProcess,
  Tool,
  ToolContext,
  ToolOutcome,
} from "@palimpsest/core/spec";
import type { EnvironmentFor } from "./auto-allowed-environment.ts";
import { type CommandShell, describeEnd, isSuccess } from "./command-shell.ts";
import { createOutputWindow } from "./output-window.ts";
import type { ShellTasks } from "./shell-tasks.ts";
import type { CommandLocation } from "./working-folder.ts";

export const defaultTimeoutMs = 120_000;
export const maxTimeoutMs = 600_000;

/** How often whoever watches is told the newest line, at most. */
const progressMs = 1_000;

export interface BashToolOptions {
  readonly startCommand: CommandShell;
  readonly environmentFor: EnvironmentFor;
  readonly tasks: ShellTasks;
  readonly location: (session: string, cwd: string) => Promise<CommandLocation>;
  /** Where the next command of a session begins, as far as is known without looking. */
  readonly folderOf: (session: string, cwd: string) => string;
}

interface BashInput {
  readonly command: string;
  readonly timeout?: number;
  readonly run_in_background?: boolean;
  readonly description?: string;
}

export function createBashTool(options: BashToolOptions): Tool {
  return {
    name: "Bash",
    description:
      "Runs a command of the shell and gives its output, stdout and stderr as they come. The working folder lasts from one command to the next inside the workspace; variables do not. There is no terminal and no input: editors, pagers and prompts do not work. Of long output the beginning and the end are given. Start servers and long work with run_in_background instead of “&”. To read, change and find files use the tools made for it.",
    input_schema: {
      type: "object",
      properties: {
        command: { type: "string", minLength: 1, description: "The command." },
        timeout: {
          type: "integer",
          minimum: 1,
          maximum: maxTimeoutMs,
          description: `Milliseconds after which it is ended; ${defaultTimeoutMs} unless given, ${maxTimeoutMs} at most. Not for the background.`,
        },
        run_in_background: {
          type: "boolean",
          description: "Give an id at once and let it run; TaskOutput gives its output, TaskStop ends it.",
        },
        description: { type: "string", description: "What it does, in a few words, for the person." },
      },
      required: ["command"],
      additionalProperties: false,
    },
    subjectsOf(input, session) {
      const command = (input as Partial<BashInput> | null)?.command;
      const folder = session && options.folderOf(session.id, session.cwd);
      if (typeof command !== "string") return [];
      return [
        { kind: "command", value: command, access: "execute", ...(folder !== undefined && { folder }) },
      ];
    },
    async run(input, context) {
      const call = input as BashInput;
      if (context.signal.aborted) return { content: "The command was not run: interrupted.", isError: true };
      const location = await options.location(context.session.id, context.cwd);
      const environment = await options.environmentFor(call.command, { ...context, folder: location.folder });
      if (!environment.ok) {
        await location.settle();
        return refusalOutcome(environment.error);
      }
      if (context.signal.aborted) return { content: "The command was not run: interrupted.", isError: true };
      return call.run_in_background
        ? startTask(call, location, environment.value, options)
        : runCommand(call, location, environment.value, options, context);
    },
  };
}

type CommandVariables = Readonly<Record<string, string>>;

function refusalOutcome({ message, fix }: PalimpsestError): ToolOutcome {
  return { content: [message, fix].filter(Boolean).join(" "), isError: true };
}

function startTask(
  { command, description }: BashInput,
  location: CommandLocation,
  environment: CommandVariables,
  { tasks }: BashToolOptions,
): ToolOutcome {
  const started = tasks.start({ command, description, cwd: location.folder, environment });
  if (!started.ok) return refusalOutcome(started.error);
  const said = `Task ${started.value.id} runs in the background. You will be told when it ends; TaskOutput gives its output, TaskStop ends it.`;
  return { content: [location.note, said].filter(Boolean).join("\n") };
}

async function runCommand(
  { command, timeout = defaultTimeoutMs }: BashInput,
  location: CommandLocation,
  environment: CommandVariables,
  { startCommand }: BashToolOptions,
  { signal, clock, progress }: ToolContext,
): Promise<ToolOutcome> {
  const window = createOutputWindow();
  const isDue = createPace(clock);
  const child = startCommand(location.before + command, {
    cwd: location.folder,
    environment,
    onOutput(bytes, stream) {
      window.add(bytes, stream);
      if (isDue()) progress(window.lastLine());
    },
  });
  const timeoutMs = Math.min(timeout, maxTimeoutMs);
  const cut = await cutAt(child, timeoutMs, signal, clock);
  const end = await child.ended;
  const folderNote = await location.settle();
  const isDone = cut === undefined && isSuccess(end);
  const output = window.take();
  const lines = [
    location.note,
    output === "" && isDone ? "[The command has no output.]" : output.replace(/\n$/, ""),
    cut === undefined
      ? isDone
        ? undefined
        : `[${capitalised(describeEnd(end))}]`
      : cutNote(cut, timeoutMs, output !== ""),
    folderNote,
  ];
  const content = lines.filter(Boolean).join("\n") || output;
  return isDone ? { content } : { content, isError: true };
}

type StopCause = "timeout" | "abort";

/** Ends the command when its time is over or the signal says so; what it was, or nothing where it ended by itself. */
async function cutAt(
  child: ShellProcess,
  timeoutMs: number,
  signal: AbortSignal,
  clock: Clock,
): Promise<StopCause | undefined> {
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  let cut: StopCause | undefined;
  const waiting = clock.sleep(timeoutMs, stop).then(() => {
    if (ended.signal.aborted) return;
    cut = signal.aborted ? "abort" : "timeout";
    child.kill();
  });
  await child.ended;
  ended.abort();
  await waiting;
  return cut;
}

function cutNote(cut: StopCause, timeoutMs: number, hasOutput: boolean): string {
  const kept = hasOutput ? "What it had put out until then is above." : "It had put out nothing until then.";
  return cut === "abort"
    ? `[The command was interrupted and ended. ${kept}]`
    : `[The command was ended after ${timeoutMs} ms. ${kept} Give a longer timeout, up to ${maxTimeoutMs}, or run_in_background.]`;
}

function createPace(clock: Clock): () => boolean {
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = clock.monotonic();
    const isDue = nowMs - lastMs >= progressMs;
    if (isDue) lastMs = nowMs;
    return isDue;
  };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
