import { createMicrocompactLayer, createToolResultsLayer } from "@palimpsest/core";
import {
  assignOrigins,
  type Dreamer,
  type DreamInput,
  type DreamNumbers,
  type DreamTurn,
  type DreamWork,
  dreamDirective,
  dreamPromptVersion,
  dreamSystem,
  fileOf,
  handMadeFiles,
  indexPath,
  indexWords,
  isDailyLog,
  isDreamSession,
  memoryNumbers,
} from "@palimpsest/core/internal";
import {
  fail,
  isBlock,
  type LoopEvent,
  ok,
  PalimpsestError,
  type Recall,
  type RecallHit,
  type Result,
  type RunEnd,
  type RunEndReason,
  type Tool,
} from "@palimpsest/core/spec";
import { createDreamShellTool, type DreamShellOptions } from "../../tools/dream-shell/index.ts";
import { openSession, type SessionOptions } from "../open-session.ts";
import { noHooks } from "../run-hooks.ts";
import { createCopyTools } from "./copy-tools.ts";
import { createMemoryCopy, type MemoryCopy } from "./memory-copy.ts";

export interface ModelDreamerOptions {
  /** Where the dream's own session lives, and which model dreams. */
  readonly session: Pick<
    SessionOptions,
    "store" | "home" | "cwd" | "model" | "fallbackModel" | "clock" | "settings"
  >;
  readonly numbers: DreamNumbers;
  readonly recall: Pick<Recall, "search" | "update">;
  /** Folders of the shell besides `/memory`; absent: there is no shell, as where just-bash is not installed. */
  readonly shell?: DreamShellOptions;
}

/** A dream whose budget is used up counts as done. */
const isUsedUp: ReadonlySet<RunEndReason> = new Set(["max-turns", "token-budget", "time-budget"]);

/**
 * A model that dreams: a fresh agent in a session of its own, with tools that read, and that write a copy of the memory
 * folder. No servers, no agents, no network, no process.
 */
export function createModelDreamer(options: ModelDreamerOptions): Dreamer {
  return {
    by: "model",
    async dream(input, signal) {
      const { snapshot, formats, report } = input;
      const copy = createMemoryCopy(snapshot, formats.format.parse, (path) =>
        report({ kind: "write", path }),
      );
      const ended = await runDream(options, input, copy, signal);
      if (!ended.ok) return ended;
      const { reason, message = reason, error } = ended.value;
      if (reason === "aborted") return fail("aborted", "The dream was stopped.");
      if (reason !== "done" && !isUsedUp.has(reason))
        return error ? { ok: false, error } : fail("io", `The dream ended early: ${message}`);
      return ok(toWork(options, input, copy, ended.value));
    },
  };
}

async function runDream(
  { session: location, numbers, recall, shell }: ModelDreamerOptions,
  input: DreamInput,
  copy: MemoryCopy,
  signal: AbortSignal,
): Promise<Result<RunEnd>> {
  const tools: readonly Tool[] = [
    ...createCopyTools(copy),
    ...(shell ? [createDreamShellTool({ ...shell, mounts: { memory: copy.shown, ...shell.mounts } })] : []),
    createSessionsSearchTool(recall),
  ];
  const { maxTurns, maxTokens, maxMs } = numbers;
  try {
    const session = await openSession({
      ...location,
      id: input.id,
      system: dreamSystem,
      tools,
      layers: [createToolResultsLayer(), createMicrocompactLayer()],
      hooks: noHooks,
      // Everything its tools can reach is a copy, or only read.
      mode: "bypass",
    });
    try {
      const budget = { tokens: maxTokens, timeMs: maxMs };
      const directive = directiveOf(input, numbers, shell !== undefined);
      let end: RunEnd | undefined;
      for await (const event of session.run(directive, { signal, maxTurns, budget })) {
        if (event.type === "response-end") input.report({ kind: "turn", turn: toTurn(event) });
        if (event.type === "run-end") end = event;
      }
      return end ? ok(end) : fail("aborted", "The dream was stopped.");
    } finally {
      await session.close();
    }
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) return { ok: false, error: cause };
    throw cause;
  }
}

function directiveOf(
  { snapshot, formats, at, previousMs }: DreamInput,
  numbers: DreamNumbers,
  hasShell: boolean,
): string {
  const since = previousMs === null ? null : new Date(previousMs).toISOString().slice(0, 10);
  const logs = snapshot
    .map(({ path }) => path)
    .filter((path) => isDailyLog(path) && path.slice(-13, -3) >= (since ?? ""));
  return dreamDirective({
    index: indexWords(fileOf(snapshot, indexPath)?.text ?? ""),
    handMade: handMadeFiles(snapshot, formats.format.parse),
    logs,
    today: at.slice(0, 10),
    since,
    hasShell,
    maxTurns: numbers.maxTurns,
    maxIndexLines: memoryNumbers.maxIndexLines,
    indexLineChars: memoryNumbers.indexLineChars,
  });
}

function toTurn({ content }: Extract<LoopEvent, { readonly type: "response-end" }>): DreamTurn {
  const calls: Record<string, number> = {};
  for (const block of content) {
    if (isBlock(block, "tool_use")) calls[block.name] = (calls[block.name] ?? 0) + 1;
  }
  const text = content.map((block) => (isBlock(block, "text") ? block.text : "")).join("\n");
  return { text: text.trim(), calls };
}

function toWork(
  { numbers }: ModelDreamerOptions,
  { id, snapshot, formats }: DreamInput,
  copy: MemoryCopy,
  { reason, requests, dollars }: RunEnd,
): DreamWork {
  const { after, doubtful } = assignOrigins({
    id,
    before: snapshot,
    left: copy.texts,
    parse: formats.format.parse,
    nearPercent: numbers.nearPercent,
  });
  const cost = `${requests} requests, $${dollars.toFixed(4)}, prompt ${dreamPromptVersion}`;
  return {
    after,
    reasonOf: copy.reasonOf,
    doubts: doubtful.map(({ path, reason: why }) => ({
      guard: "quarantine",
      path,
      message: `${path}: ${why}`,
    })),
    message: reason === "done" ? cost : `${cost}; stopped by its budget (${reason})`,
  };
}

const usualHits = 10;
const mostHits = 30;

/** Finds words in past sessions, of any size. What dreams said about memory is not among them. */
function createSessionsSearchTool(recall: Pick<Recall, "search" | "update">): Tool {
  let updated: Promise<unknown> | undefined;
  return {
    name: "sessions_search",
    description:
      "Finds passages of past sessions by words, best first: what the user and the assistant said, and notes. Give a few rare words, not a sentence.",
    input_schema: {
      type: "object",
      properties: {
        query: { type: "string", description: "Words." },
        limit: { type: "integer", minimum: 1, maximum: mostHits, description: `Default ${usualHits}.` },
        since: { type: "string", description: "Nothing older than this date, as 2026-01-31." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    isReadOnly: true,
    async run(input, { signal }) {
      const {
        query,
        limit = usualHits,
        since = "",
      } = input as {
        readonly query: string;
        readonly limit?: number;
        readonly since?: string;
      };
      updated ??= recall.update(signal);
      await updated;
      const sinceMs = Date.parse(since);
      const found = await recall.search(query, {
        limit: 2 * limit,
        kinds: ["message", "notes"],
        signal,
        ...(Number.isNaN(sinceMs) ? {} : { sinceMs }),
      });
      if (!found.ok) return { content: found.error.message, isError: true };
      const hits = found.value.hits.filter(({ session = "" }) => !isDreamSession(session)).slice(0, limit);
      return { content: hits.length === 0 ? "Nothing was found." : hits.map(toPassage).join("\n\n") };
    },
  };
}

function toPassage({ session = "", entry = "", kind, at, snippet }: RecallHit): string {
  return `${at.slice(0, 10)} ${session} ${kind} ${entry}\n${snippet}`;
}
