import { fail, ok, type Result, type Tool, type ToolOutcome } from "@palimpsest/core/spec";
import { absent } from "../../optional-import.ts";
import { dreamPrograms, refuseScript } from "./refuse-script.ts";

export interface DreamShellOptions {
  readonly mounts: DreamMounts;
  /** Where commands run; the first mount when absent. */
  readonly cwd?: string;
  readonly maxOutputChars?: number;
  readonly maxMs?: number;
  /** Loads just-bash; the installed one when absent. */
  readonly load?: () => Promise<JustBash>;
}

export interface DreamShellAnswer {
  readonly exitCode: number;
  /** Output and errors, at most `maxOutputChars` of each. */
  readonly stdout: string;
  readonly stderr: string;
  /** Characters that were left out. */
  readonly cutChars: number;
}

export interface DreamShell {
  /**
   * `denied` for what is more than reading, before anything runs; `aborted` by the signal; `timeout`; `not-found` where
   * just-bash is not installed. A program that fails is an answer.
   */
  run(command: string, signal?: AbortSignal): Promise<Result<DreamShellAnswer>>;
}

const usualOutputChars = 30_000;
const usualMs = 20_000;
const maxCommandChars = 10_000;

/** More than any of these is a mistake or an attack: the script is ended. */
const limits = {
  maxCommandCount: 1_000,
  maxOutputSize: 8 * 1024 * 1024,
  maxLiveBytes: 256 * 1024 * 1024,
  maxTraversalEntries: 200_000,
  maxBraceExpansionResults: 1_000,
  maxSourceBytes: 4 * maxCommandChars,
};

/**
 * A shell over a few folders in which everything that is not reading is refused, by what the command says and again by
 * the file system it runs on. No process is started, no network is there, and nothing stays from one command to the next.
 */
export function createDreamShell(options: DreamShellOptions): DreamShell {
  const { mounts, maxOutputChars = usualOutputChars, maxMs = usualMs } = options;
  const cwd = options.cwd ?? `/${Object.keys(mounts)[0] ?? ""}`;

  function check(parts: JustBash, command: string): Result<void> {
    if (command.length > maxCommandChars) return deny("it is too long");
    try {
      const refusal = refuseScript(parts.parse(command));
      return refusal === null ? ok() : deny(refusal);
    } catch (cause) {
      return deny(String((cause as Error).message));
    }
  }

  async function execute(
    parts: JustBash,
    command: string,
    signal: AbortSignal,
  ): Promise<Result<DreamShellAnswer>> {
    const disk = createReadOnlyDisk(parts, mounts);
    if (!disk.ok) return disk;
    const bash = new parts.Bash({
      fs: disk.value,
      cwd,
      env: {},
      commands: [...dreamPrograms],
      executionLimits: { ...limits, maxExecutionTimeMs: maxMs },
    });
    const ended = await bash.exec(command, { signal, rawScript: true });
    const stdout = ended.stdout.slice(0, maxOutputChars);
    const stderr = ended.stderr.slice(0, maxOutputChars);
    const cutChars = ended.stdout.length + ended.stderr.length - stdout.length - stderr.length;
    return ok({ exitCode: ended.exitCode, stdout, stderr, cutChars });
  }

  return {
    async run(command, signal = new AbortController().signal) {
      const parts = await loadJustBash(options.load);
      if (!parts.ok) return parts;
      const checked = check(parts.value, command);
      if (!checked.ok) return checked;
      if (signal.aborted) return abortFailure();
      try {
        const answer = await execute(parts.value, command, signal);
        return signal.aborted ? abortFailure() : answer;
      } catch (cause) {
        return signal.aborted ? abortFailure() : deny(String((cause as Error).message), cause);
      }
    },
  };
}

function abortFailure(): Result<never> {
  return fail("aborted", "The command was stopped.");
}

function deny(why: string, cause?: unknown): Result<never> {
  return fail("denied", `This command is not run: ${why}.`, {
    fix: `Use ${dreamPrograms.join(", ")}, joined by |, && or ;, with plain words and patterns.`,
    cause,
  });
}

/** Folders by the name they have in the shell (`memory` is `/memory`): real ones, or texts by path as they are now. */
type DreamMounts = Readonly<Record<string, string | (() => ReadonlyMap<string, string>)>>;

/** Files over this read as missing. */
const maxReadBytes = 10 * 1024 * 1024;

const legalName = /^[a-z][a-z-]*$/;

/** A file system with these folders and nothing else: no links are followed, and no write gets anywhere. */
function createReadOnlyDisk(
  { InMemoryFs, MountableFs, OverlayFs }: JustBash,
  mounts: DreamMounts,
): Result<InstanceType<JustBash["MountableFs"]>> {
  try {
    const disk = new MountableFs({ base: new InMemoryFs() });
    for (const [name, root] of Object.entries(mounts)) {
      if (!legalName.test(name)) return fail("invalid-input", `“${name}” cannot name a folder of the shell.`);
      const folder =
        typeof root === "string"
          ? new OverlayFs({ root, mountPoint: "/", readOnly: true, maxFileReadSize: maxReadBytes })
          : new InMemoryFs(Object.fromEntries([...root()].map(([path, text]) => [`/${path}`, text])));
      disk.mount(`/${name}`, folder);
    }
    return ok(disk);
  } catch (cause) {
    return fail("not-found", `A folder of the shell cannot be opened: ${String(cause)}`, {
      fix: "Check that memory and sessions are there.",
      cause,
    });
  }
}

const importJustBash = async () => {
  const { Bash, InMemoryFs, MountableFs, OverlayFs, parse } = await import("just-bash").catch(absent);
  return { Bash, InMemoryFs, MountableFs, OverlayFs, parse };
};

/** The parts of just-bash that are used. */
export type JustBash = Awaited<ReturnType<typeof importJustBash>>;

/** Loads the shell, which is an optional peer: nobody pays for it whose dreams need no model. */
export async function loadJustBash(
  load: () => Promise<JustBash> = importJustBash,
): Promise<Result<JustBash>> {
  try {
    return ok(await load());
  } catch (cause) {
    const isAbsent = (cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    const what = isAbsent ? "is not installed" : `cannot be loaded: ${String(cause)}`;
    return fail("not-found", `The shell of a model that dreams is the package just-bash, which ${what}.`, {
      fix: "Run “npm install just-bash”, or let the scribe dream.",
      cause,
    });
  }
}

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
