import type { CompactTrigger } from "./decision.ts";
import type { PermissionMode } from "./permission.ts";

/**
 * How a session begins: `startup`, a new one; `resume`, one that has turns; `clear`, a new one in the place of another;
 * `fork`, a fork that is opened by itself; `compact`, behind a compaction.
 */
export type SessionStartSource = "startup" | "resume" | "clear" | "compact" | "fork";

/**
 * Why a session ends: `closed` by the program; `clear`, a new one begins in its place; `resume`, another one is opened in
 * its place; `done`, the run for a script is over; `quit`, the person has left; `interrupted`, by a signal.
 */
export type SessionEndReason = "closed" | "clear" | "resume" | "done" | "quit" | "interrupted";

interface ToolHookInput {
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: unknown;
}

/** Input of each hook, by its name. */
export interface HookInputs {
  readonly SessionStart: { readonly source: SessionStartSource };
  readonly SessionEnd: { readonly reason: SessionEndReason };
  readonly UserPromptSubmit: { readonly prompt: string };
  readonly PermissionRequest: ToolHookInput & { readonly reason: string };
  readonly PreToolUse: ToolHookInput;
  readonly PostToolUse: ToolHookInput & { readonly output: unknown; readonly isError: boolean };
  readonly PreCompact: {
    readonly trigger: CompactTrigger;
    readonly instructions?: string;
    /** Of the view as it is. */
    readonly tokens?: number;
    readonly messages?: number;
  };
  readonly PostCompact: { readonly trigger: CompactTrigger; readonly summary: string };
  readonly Stop: {
    readonly text: string /** The turn goes on because a hook asked for it before. */;
    readonly isAgain: boolean;
  };
  readonly SubagentStart: { readonly agent: string; readonly directive: string };
  readonly SubagentStop: { readonly agent: string; readonly text: string };
}

export type HookName = keyof HookInputs;

/** Input that every hook gets besides. */
export interface HookContext {
  readonly session: string;
  readonly cwd: string;
  readonly mode: PermissionMode;
}

/** A hook's answer; nothing: go on. */
export interface HookAnswer {
  /** It must not happen; the reason goes to the model, or to the person where no model is asked. On `Stop`: go on. */
  readonly block?: string;
  /** Ends the run. */
  readonly stop?: string;
  /** For the model, behind what it is about. */
  readonly context?: string;
  /** For the person. */
  readonly message?: string;
  /** `PreToolUse` and `PermissionRequest`: what becomes of the call. */
  readonly permission?: "allow" | "ask" | "deny";
  readonly reason?: string;
  /** `PreToolUse`: the input to run it with instead. */
  readonly input?: unknown;
}

/** A hook inside the program. What it throws is a warning. */
export type HookFunction<Name extends HookName = HookName> = (
  input: HookInputs[Name] & HookContext,
  signal: AbortSignal,
) => HookAnswer | undefined | Promise<HookAnswer | undefined>;

export type HookFunctions = { readonly [Name in HookName]?: readonly HookFunction<Name>[] };

/** A program that is told as JSON on its input. Never a shell's line: the first word is the program. */
export interface HookCommand {
  readonly command: readonly string[];
  readonly timeoutMs?: number;
  /** Names of variables it may see besides the usual few. */
  readonly environment?: readonly string[];
}

/** For which tools (`Bash`, `Edit|Write`, `mcp__*`) or sources; absent: for all. */
export interface HookRule {
  readonly matcher?: string;
  readonly hooks: readonly HookCommand[];
}

export type HookSettings = { readonly [Name in HookName]?: readonly HookRule[] };

/** What all hooks of one name said together. Blocking and denial win over allowing; contexts are in the hooks' order. */
export interface HookVerdict {
  readonly block?: string;
  readonly stop?: string;
  readonly permission?: "allow" | "ask" | "deny";
  readonly reason?: string;
  readonly input?: unknown;
  readonly contexts: readonly string[];
  readonly messages: readonly string[];
  /** Problems that did not stop the work. */
  readonly warnings: readonly string[];
}

export interface Hooks {
  /** Whether anybody listens: nothing is made ready for nobody. */
  has(name: HookName): boolean;
  run<Name extends HookName>(
    name: Name,
    input: HookInputs[Name] & HookContext,
    signal: AbortSignal,
  ): Promise<HookVerdict>;
}

/** Hooks as a layer runs them: who runs the layer says where it is. */
export interface LayerHooks {
  has(name: HookName): boolean;
  run<Name extends HookName>(name: Name, input: HookInputs[Name], signal: AbortSignal): Promise<HookVerdict>;
}
