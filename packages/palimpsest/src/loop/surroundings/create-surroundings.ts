import { isAbsolute, resolve } from "node:path";
import type { SessionHandle } from "@palimpsest/core";
import {
  contentText,
  missingKeyIsNoModel,
  parseRulesHeader,
  readAttachmentText,
  withoutLongSuffix,
} from "@palimpsest/core/internal";
import {
  fail,
  isBlock,
  type LayerHooks,
  type LoopEvent,
  type ModelRequest,
  type Notice,
  ok,
  type PermissionMode,
  type RestorePort,
  type Result,
  type Surroundings,
  type View,
} from "@palimpsest/core/spec";
import { readTextFile, readToolName } from "../../tools/files/index.ts";
import type { LoopSetup } from "../run.ts";

export interface SurroundingsOptions {
  readonly handle: SessionHandle;
  readonly setup: LoopSetup;
  /** The session's current mode. */
  readonly mode: () => PermissionMode;
  /** Tells whoever follows the run that goes on; nobody where none does. */
  readonly tell: (event: LoopEvent) => void;
  /** Of the run that goes on: its end ends what is done for the layers too. */
  readonly signal: () => AbortSignal | null;
}

/** The program's abilities for the layers of a session. */
export function createSurroundings(options: SurroundingsOptions): Surroundings {
  const { handle, setup, tell, signal: current } = options;
  const withRun = (signal: AbortSignal) => {
    const run = current();
    return run ? AbortSignal.any([signal, run]) : signal;
  };
  const askPlain = createAskPlain(handle, setup);
  return {
    hooks: layerHooks(options, withRun),
    askPlain: (input, signal) => askPlain(input, withRun(signal)),
    restore: createRestorePort(handle, setup),
    show: (text) => tell({ type: "message-show", level: "info", text }),
  };
}

function layerHooks(
  { handle, setup, mode }: SurroundingsOptions,
  withRun: (signal: AbortSignal) => AbortSignal,
): LayerHooks {
  const { session, cwd } = handle;
  const { hooks } = setup;
  return {
    has: (name) => hooks.has(name),
    run: (name, input, signal) =>
      hooks.run(name, { ...input, session: session.id, cwd, mode: mode() }, withRun(signal)),
  };
}

/** Asks a model in one message of the user's, without system, tools and thinking. */
function createAskPlain(
  handle: SessionHandle,
  setup: Pick<LoopSetup, "modelFor">,
): NonNullable<Surroundings["askPlain"]> {
  return async ({ text, maxOutputTokens, model: wanted = handle.head().model, onChars }, signal) => {
    const found = await setup.modelFor(wanted);
    if (!found.ok) return found;
    const { maxOutput } = handle.config().catalog.capabilities(wanted).value;
    const request: ModelRequest = {
      model: withoutLongSuffix(found.value.name),
      max_tokens: Math.min(maxOutput, maxOutputTokens),
      messages: [{ role: "user", content: [{ type: "text", text }] }],
    };
    let chars = 0;
    for await (const event of found.value.stream(request, signal)) {
      if (!event.ok) return { ok: false, error: missingKeyIsNoModel(event.error) };
      const { value } = event;
      if (value.type === "block-delta" && value.delta.type === "text") {
        chars += value.delta.text.length;
        onChars(chars);
      }
      if (value.type !== "response-end") continue;
      const { content, stopReason, usage, billed = usage, model } = value;
      const said = content.flatMap((block) => (isBlock(block, "text") ? block.text : [])).join("\n");
      const dollars = handle.dollars(billed, model, wanted);
      return ok({ text: said, content, stopReason, usage: billed, dollars });
    }
    return fail("disconnected", "The answer ended before it was whole.", { retryable: true });
  };
}

/** Reads what a compaction brings back: files that may be read without asking, and what was told and still holds. */
function createRestorePort(handle: SessionHandle, setup: LoopSetup): RestorePort {
  const { cwd } = handle;
  return {
    async readFile(path, signal) {
      const allowed = await mayRead(path, setup);
      if (!allowed.ok) return allowed;
      return readTextFile(resolve(cwd, path), signal);
    },
    isExcluded: (path) => setup.isOwnFile?.(isAbsolute(path) ? path : resolve(cwd, path)) ?? false,
    async others(signal) {
      const told = await Promise.all(setup.notices.map((source) => source.restore?.(signal) ?? []));
      const notices = told.flat();
      const view = handle.view();
      const { rules, others } = lastingNotices(view);
      const isTask = ({ subtype }: Notice) => subtype === "task";
      return {
        tasks: notices.filter(isTask),
        skills: invokedSkills(view),
        tools: [...others, ...notices.filter((notice) => !isTask(notice))],
        rules,
      };
    },
  };
}

async function mayRead(path: string, { resolve: resolveSubjects, judge }: LoopSetup): Promise<Result<void>> {
  const { subjects } = await resolveSubjects([{ kind: "path", value: path, access: "read" }]);
  const verdict = judge({ tool: readToolName, subjects, isReadOnly: true, mode: "default", rules: {} });
  return verdict.behavior === "allow" ? ok() : fail("denied", "it may not be read without asking");
}

/** Of each of these the newest still holds. */
const lastingSubtypes: ReadonlySet<string> = new Set(["surroundings", "mode"]);

/** Notices in this view that the model must not lose: rules files as they were given, where it is, and its mode. */
function lastingNotices({ items }: Pick<View, "items">): {
  readonly rules: readonly Notice[];
  readonly others: readonly Notice[];
} {
  const rules = new Map<string, Notice>();
  const others = new Map<string, Notice>();
  for (const { block } of items) {
    const notice = isBlock(block, "text") ? readAttachmentText(block.text) : undefined;
    if (!notice) continue;
    const { subtype, text } = notice;
    if (subtype === "rules") {
      const header = parseRulesHeader(text);
      const key = header?.path ?? text;
      rules.delete(key);
      if (header?.sha256 !== "") rules.set(key, { subtype, text });
    } else if (lastingSubtypes.has(subtype)) others.set(subtype, { subtype, text });
  }
  return { rules: [...rules.values()], others: [...others.values()] };
}

const skillTool = "Skill";
/** How an invoked skill is brought back. */
const skillSubtype = "skill";

/** The skills whose text stands in the view, as it was given: each once, the newest first. */
function invokedSkills({ items }: Pick<View, "items">): readonly Notice[] {
  const calls = new Set<string>();
  const texts = new Map<string, Notice>();
  const keep = (text: string) => {
    const name = /<skill name="([^"]*)">/.exec(text)?.[1];
    if (name === undefined) return;
    texts.delete(name);
    texts.set(name, { subtype: skillSubtype, text });
  };
  for (const { block } of items) {
    if (isBlock(block, "tool_use") && block.name === skillTool) calls.add(block.id);
    else if (isBlock(block, "tool_result") && calls.has(block.tool_use_id) && !block.is_error)
      keep(contentText(block.content));
    else if (isBlock(block, "text")) {
      const attached = readAttachmentText(block.text);
      if (attached?.subtype === skillSubtype) keep(attached.text);
    }
  }
  return [...texts.values()].toReversed();
}
