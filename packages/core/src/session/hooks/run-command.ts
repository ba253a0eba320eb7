import type { Clock, HookCommand, HookName, Result, Shell, ShellEnd } from "../../spec/index.ts";
import { withinTime } from "../../within-time.ts";
import { type ReadHookAnswer, readOutput } from "./read-answer.ts";

interface CommandRun {
  readonly name: HookName;
  readonly hook: HookCommand;
  /** The hook's input, as it stands on stdin. */
  readonly told: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly shell: Shell;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Runs one program to its end, its timeout or the abort, whichever comes first. Never throws. */
export async function runCommand(run: CommandRun): Promise<ReadHookAnswer> {
  const { hook, told, cwd, environment, shell, clock, signal } = run;
  const [program = "", ...args] = hook.command;
  const output = createCappedText(maxHookOutputBytes);
  const complaints = createCappedText(maxHookOutputBytes);
  const child = shell.start(program, args, {
    cwd,
    environment,
    input: told,
    onOutput: (bytes, stream) => (stream === "stdout" ? output : complaints).add(bytes),
  });
  const timeoutMs = hook.timeoutMs ?? defaultHookTimeoutMs;
  const ended = await withinTime(child.ended, timeoutMs, clock, signal);
  if (ended === undefined) {
    child.kill(hookGraceMs);
    await withinTime(child.ended, 2 * hookGraceMs, clock);
  }
  if (signal.aborted) return noAnswer();
  if (ended === undefined) return noAnswer(`took more than ${timeoutMs} ms and was ended`);
  return readAnswer(ended, output, complaints, run);
}

function noAnswer(...warnings: readonly string[]): ReadHookAnswer {
  return { answer: {}, warnings };
}

function readAnswer(
  ended: Result<ShellEnd>,
  output: CappedText,
  complaints: CappedText,
  { name }: CommandRun,
): ReadHookAnswer {
  if (!ended.ok) return noAnswer(notStarted(ended.error));
  const { exitCode, signal } = ended.value;
  const complaint = complaints.text().trim();
  if (exitCode === 2) return { answer: { block: complaint }, warnings: [] };
  if (exitCode !== 0) {
    const how = signal === null ? `ended with ${exitCode}` : `was ended by ${signal}`;
    return noAnswer(complaint === "" ? how : `${how}: ${quote(complaint)}`);
  }
  const heard = readOutput(output.text(), name);
  if (!output.isCut()) return heard;
  return {
    ...heard,
    warnings: [...heard.warnings, `printed more than ${maxHookOutputBytes} bytes; the rest was thrown away`],
  };
}

function notStarted({ message, cause }: { readonly message: string; readonly cause?: unknown }): string {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  if (code === "ENOENT")
    return "could not be started: there is no such program; write its whole path, or one from the project on";
  if (code === "EACCES") return "could not be started: it is not executable; make it so with chmod +x";
  return `could not be started: ${message}`;
}

function quote(text: string): string {
  const points = [...text.slice(0, 2 * maxQuotedChars)];
  return points.length <= maxQuotedChars && text.length <= 2 * maxQuotedChars
    ? text
    : `${points.slice(0, maxQuotedChars).join("")}…`;
}

/** Text that is collected up to a limit; what comes after it is forgotten. */
interface CappedText {
  add(bytes: Uint8Array): void;
  text(): string;
  isCut(): boolean;
}

const firstBytes = 4096;

/** Holds one piece of memory, however many pieces come: a program may write byte by byte. */
export function createCappedText(maxBytes: number): CappedText {
  let kept = new Uint8Array(Math.min(firstBytes, maxBytes));
  let keptBytes = 0;
  let hasMore = false;

  function makeRoom(bytes: number): void {
    if (bytes <= kept.length) return;
    const larger = new Uint8Array(Math.min(maxBytes, Math.max(bytes, 2 * kept.length)));
    larger.set(kept);
    kept = larger;
  }

  return {
    add(bytes) {
      const fitting = bytes.subarray(0, maxBytes - keptBytes);
      if (fitting.length < bytes.length) hasMore = true;
      makeRoom(keptBytes + fitting.length);
      kept.set(fitting, keptBytes);
      keptBytes += fitting.length;
    },
    text: () => new TextDecoder().decode(kept.subarray(0, keptBytes)),
    isCut: () => hasMore,
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables that every hook may see. Keys are in none of them. */
export const commonVariables: readonly string[] = ["PATH", "HOME", "LANG", "TERM", "TMPDIR"];

/** The whole environment of a hook: the usual few, whose session and project it is, and what its settings name. */
export function hookEnvironment(
  environment: Environment,
  { environment: named = [] }: HookCommand,
  { project, session }: { readonly project: string; readonly session: string },
): Readonly<Record<string, string>> {
  const seen = [...commonVariables, ...named].flatMap((name) => {
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(seen), PALIMPSEST_PROJECT: project, PALIMPSEST_SESSION: session };
}

/** How long a hook may take unless its settings say otherwise. */
export const defaultHookTimeoutMs = 60_000;

/** How much of a hook's output, and of its complaints, is kept; the rest is read and thrown away. */
export const maxHookOutputBytes = 1_048_576;

/** How much of each text that a hook says is heard: it may become part of every request. */
export const maxHookTextChars = 20_000;

/** How long a hook that was told to end may take before it is forced. */
export const hookGraceMs = 500;

/** How much of a hook's complaints a warning quotes. */
const maxQuotedChars = 500;
