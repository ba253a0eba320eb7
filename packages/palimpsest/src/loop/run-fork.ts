import { relative, resolve, sep } from "node:path";
import type { SessionHandle } from "@palimpsest/core";
import {
  type ContentBlock,
  type ForkFolder,
  type ForkKind,
  type ForkOptions,
  type ForkResult,
  fail,
  type LoopEvent,
  ok,
  PalimpsestError,
  type PermissionMode,
  type PermissionRules,
  type Result,
  type Session,
  type Tool,
  type ToolOutcome,
  type Usage,
} from "@palimpsest/core/spec";
import type { TextEdit } from "../tools/files/editing/apply-edit.ts";
import { applyEdits } from "../tools/files/editing/apply-edits.ts";
import { editToolName, readToolName } from "../tools/files/index.ts";
import { type ConfinedFiles, confineToFiles } from "./confined-files.ts";
import type { LoopSetup, Run } from "./run.ts";
import { maskEvent } from "./run-hooks.ts";
import { runTurns } from "./run-turns.ts";
import { nothingSpent } from "./spending.ts";

/** Requests a fork may make where nobody says. */
export const forkTurns: Readonly<Record<ForkKind, number>> = {
  notes: 5,
  compaction: 1,
  memory: 5,
  collapse: 1,
  agent: 50,
};

export interface ForkRun {
  readonly handle: SessionHandle;
  readonly setup: LoopSetup;
  readonly directive: string;
  readonly options: ForkOptions;
  readonly signal: AbortSignal;
  readonly mode: PermissionMode;
  readonly rules: PermissionRules;
}

/**
 * Runs a second conversation from where the session stands. Everything before the directive is the parent's to the
 * byte, tools that may not be used included, so that the provider's cache serves it. The parent only learns what it
 * cost.
 */
export async function runFork(fork: ForkRun): Promise<Result<ForkResult>> {
  const { handle: parent, setup, directive, options, signal } = fork;
  const wrong = checkFork(directive, options);
  if (wrong) return wrong;
  if (signal.aborted) return fail("aborted", "The fork was interrupted before it began.");
  const opened = await parent.fork(options.kind);
  if (!opened.ok) return opened;
  const handle = opened.value;
  const { id } = handle.session;
  parent.emit({ type: "agent-start", agent: id, kind: options.kind });
  const seen = createWitness(options);
  const confined = confine(setup, options, handle.cwd);
  const allowed = options.files ? [editToolName] : (options.tools ?? readOnlyTools(parent));
  const run: Run = {
    handle,
    setup: {
      ...(confined?.setup ?? setup),
      notices: options.notices?.({ id, entries: () => handle.session.entries(), view: handle.view }) ?? [],
    },
    options: {
      maxTurns: options.turns ?? forkTurns[options.kind],
      budget: options.budget,
      ...(options.onPermission && { onPermission: options.onPermission }),
    },
    signal,
    emit: (event) => seen.see(maskEvent(event, handle.secrets)),
    startedMs: handle.clock.monotonic(),
    isFirst: false,
    isFork: true,
    ...(options.maxOutputTokens !== undefined && { maxOutputTokens: options.maxOutputTokens }),
    allowedTools: new Set(allowed),
    queued: options.queued ?? [],
    spending: nothingSpent,
    mode: fork.mode,
    rules: fork.rules,
    asking: Promise.resolve(),
    touched: [],
    text: "",
    brokenAnswers: 0,
    brokenStreams: 0,
    stopObjections: 0,
  };
  const end = await runTurns(run, directive);
  const { taint } = handle.view();
  const closed = await closeSafely(handle.session);
  const { usage, dollars, requests, text } = end;
  parent.emit({ type: "agent-end", agent: id, kind: options.kind, reason: end.reason, usage, dollars });
  const noted = await parent.note({ topic: "fork", fork: id, forkKind: options.kind, usage, dollars });
  if (!noted.ok && noted.error.code !== "closed") return noted;
  if (!closed.ok) return closed;
  return ok({
    id,
    end,
    content: seen.content(),
    text,
    usage,
    dollars,
    requests,
    ...(confined && { files: confined.texts() }),
    ...(taint && { taint }),
    cache: cacheUse(seen.first()),
  });
}

function confine(setup: LoopSetup, { files, folder }: ForkOptions, cwd: string): ConfinedFiles | undefined {
  if (files) return confineToFiles(setup, files, cwd);
  return folder && confineToFolder(setup, folder, cwd);
}

function checkFork(directive: string, { kind, files, folder }: ForkOptions): Result<never> | null {
  if (files && folder)
    return fail("invalid-input", "A fork is given files or a folder, and not both.", {
      path: "folder",
      fix: "Leave one of them out.",
    });
  if (!Object.hasOwn(forkTurns, kind))
    return fail("invalid-input", `kind: “${kind}” is not a kind of fork.`, {
      path: "kind",
      fix: `Use one of ${Object.keys(forkTurns).join(", ")}.`,
    });
  if (typeof directive === "string" && directive.trim() !== "") return null;
  return fail("invalid-input", "The fork is not told what to do.", {
    path: "directive",
    fix: "Give the directive as text.",
  });
}

async function closeSafely(session: Session): Promise<Result<void>> {
  try {
    await session.close();
    return ok();
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) return { ok: false, error: cause };
    throw cause;
  }
}

function readOnlyTools(parent: SessionHandle): readonly string[] {
  return parent
    .head()
    .traits.filter(({ isReadOnly }) => isReadOnly === true)
    .map(({ name }) => name);
}

/** Keeps what the fork's report needs of its events. */
function createWitness({ onChars, onEvent }: ForkOptions) {
  let chars = 0;
  let first: Usage | undefined;
  let content: readonly ContentBlock[] = [];
  return {
    see(event: LoopEvent) {
      onEvent?.(event);
      if (event.type === "response-start") chars = 0;
      if (event.type === "block-delta" && event.delta.type === "text") {
        chars += event.delta.text.length;
        onChars?.(chars);
      }
      if (event.type !== "response-end") return;
      first ??= event.usage;
      ({ content } = event);
    },
    first: () => first,
    content: () => content,
  };
}

function cacheUse(usage: Usage | undefined): ForkResult["cache"] {
  if (!usage) return { promptTokens: 0, readTokens: 0, share: 0 };
  const promptTokens = usage.input + usage.cacheRead + usage.cacheCreation;
  const share = promptTokens === 0 ? 0 : usage.cacheRead / promptTokens;
  return { promptTokens, readTokens: usage.cacheRead, share };
}

type PathInput = { readonly file_path: string };
type ChangeFile = (path: string, input: unknown) => string | ToolOutcome;

/**
 * A folder of which one fork has a copy in memory. Write, Edit and MultiEdit work on the copy and nowhere else; Read
 * gives its files as they have left them. Other tools, and other paths for Read, are as they were.
 */
function confineToFolder(setup: LoopSetup, folder: ForkFolder, cwd: string): ConfinedFiles {
  const texts = new Map(Object.entries(folder.files));

  /** The path below the folder; `null` for every other. */
  function below(given: unknown): string | null {
    const path = relative(resolve(folder.path), resolve(cwd, String(given)));
    const isBelow = path !== "" && path !== ".." && !path.startsWith(`..${sep}`) && resolve(path) !== path;
    return isBelow ? path.split(sep).join("/") : null;
  }

  const writing: Readonly<Record<string, ChangeFile>> = {
    Write: (_, input) => (input as { readonly content: string }).content,
    Edit: (path, input) => edited(path, [input as TextEdit]),
    MultiEdit: (path, input) => edited(path, (input as { readonly edits: readonly TextEdit[] }).edits),
  };

  function edited(path: string, edits: readonly TextEdit[]): string | ToolOutcome {
    const text = texts.get(path);
    if (text === undefined)
      return refusalOutcome(`There is no file ${folder.path}/${path}. Make it with Write.`);
    const applied = applyEdits(Buffer.from(text), "utf-8", edits, `${folder.path}/${path}`);
    if (applied.ok) return Buffer.from(applied.value.bytes).toString("utf8");
    return refusalOutcome([applied.error.message, applied.error.fix].filter(Boolean).join(" "));
  }

  function change(make: ChangeFile, input: unknown): ToolOutcome {
    const { file_path: given } = input as PathInput;
    const path = below(given);
    if (path === null)
      return refusalOutcome(`“${given}” may not be written here: only files below ${folder.path}.`);
    const made = make(path, input);
    if (typeof made !== "string") return made;
    const why = folder.refuse?.(path, made);
    if (why !== undefined) return refusalOutcome(why);
    texts.set(path, made);
    return { content: `Written: ${folder.path}/${path}.` };
  }

  function reading(known: Tool): Tool {
    const held = (input: unknown) => texts.get(below((input as PathInput).file_path) ?? "");
    return {
      ...known,
      subjectsOf: (input) => (held(input) === undefined ? (known.subjectsOf?.(input) ?? []) : []),
      async run(input, context) {
        const text = held(input);
        if (text !== undefined) return { content: numberLines(text) };
        return (await known.run?.(input, context)) ?? refusalOutcome("There is nothing to read with.");
      },
    };
  }

  function tool(name: string): Tool | undefined {
    const known = setup.tools(name);
    const make = Object.hasOwn(writing, name) ? writing[name] : undefined;
    if (!known || (!make && name !== readToolName)) return known;
    if (!make) return reading(known);
    const { standsFor: _standsFor, subjectsOf: _subjectsOf, ...bare } = known;
    return { ...bare, run: async (input) => change(make, input) };
  }

  return {
    setup: {
      ...setup,
      tools: tool,
      judge: (matter) =>
        Object.hasOwn(writing, matter.tool)
          ? { behavior: "allow", reason: "It only changes the copy that the fork was given." }
          : setup.judge(matter),
    },
    texts: () => Object.fromEntries(texts),
  };
}

function numberLines(text: string): string {
  if (text === "") return "The file is empty.";
  return text
    .split("\n")
    .map((line, index) => `${index + 1}\t${line}`)
    .join("\n");
}

function refusalOutcome(content: string): ToolOutcome {
  return { content, isError: true };
}
