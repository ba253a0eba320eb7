import {
  createRulesSource,
  createUnconfirmedRules,
  findProjectRoot,
  firstChars,
  parseRulesHeader,
  type RulesHeader,
  readAttachmentText,
  rulesNames,
  systemShell,
} from "@palimpsest/core/internal";
import { isBlock, type Notice, type NoticeSource, ok, type Tool, type View } from "@palimpsest/core/spec";
import { nodeFileSystem, readToolName } from "../../tools/files/index.ts";
import { walkFolder } from "../../tools/files/walking/walk-folder.ts";
import type { McpClients } from "../../tools/mcp/index.ts";
import type { ShellTasks } from "../../tools/shell/index.ts";
import { createSkillListing } from "../../tools/skills/index.ts";
import type { NoticeContext } from "../open-session.ts";
import type { AgentLocation } from "./agent-location.ts";
import { createSurroundingsSource, toLocalDay } from "./surroundings-notice.ts";

interface AgentNoticeOptions {
  readonly location: AgentLocation;
  readonly tasks: ShellTasks;
  readonly mcp: McpClients;
  /** Tools of MCP servers that are not sent. */
  readonly deferred: readonly Tool[];
  /** Without rules files. */
  readonly isRuleless: boolean;
  /** Who tells of memory. */
  readonly memory: (context: NoticeContext) => readonly NoticeSource[];
  /** Who tells of messages from other agents; absent: nobody. */
  readonly mail?: (context: NoticeContext) => NoticeSource;
  /** Who tells how agents have ended; absent: nobody. */
  readonly agents?: (context: NoticeContext) => readonly NoticeSource[];
  readonly warn: (text: string) => void;
  /** Takes what is to be done before the session is closed; absent: nothing is. */
  readonly onClose?: (close: () => Promise<unknown>) => void;
}

/** Who has something to tell the model, the most lasting first. */
export function createAgentNotices(
  options: AgentNoticeOptions,
  context: NoticeContext,
): readonly NoticeSource[] {
  const { location, tasks, mcp, deferred, warn, isRuleless, memory } = options;
  const { disk, runtime, clock, cwd, projectFolder, skillRoots } = location;
  const { environment, platform } = runtime;
  const told =
    (...subtypes: readonly string[]) =>
    () =>
      subtypes.flatMap((subtype) => attachedTexts(context.handle.view(), subtype));
  return [
    createSurroundingsSource({
      shell: systemShell,
      clock,
      cwd,
      platform,
      environment,
      workspace: [projectFolder],
      today: () => toLocalDay(clock.now()),
      told: told("surroundings"),
    }),
    ...(isRuleless ? [] : [rulesSource(options, context, told("rules"))]),
    ...memory(context),
    createSkillListing({ disk, roots: skillRoots, warn }),
    createServedSource({ mcp, deferred, told: told("tools", "mcp-instructions") }),
    createModeSource(told("mode")),
    tasks,
    ...(options.agents?.(context) ?? []),
    ...(options.mail ? [options.mail(context)] : []),
  ];
}

/** Rules of the user and the project, as far as no rule for permissions denies reading them. */
function rulesSource(
  { location, tasks, warn, onClose }: AgentNoticeOptions,
  { judge, resolve, handle }: NoticeContext,
  told: () => readonly string[],
): NoticeSource {
  const { disk, home, clock, cwd, runtime } = location;
  const { homeFolder, ids } = runtime;
  const mayRead = async (path: string) => {
    const { subjects } = await resolve([{ kind: "path", value: path, access: "read" }]);
    return (
      judge({ tool: readToolName, subjects, isReadOnly: true, mode: "default", rules: {} }).behavior !==
      "deny"
    );
  };
  const given = () =>
    told().flatMap((text): readonly RulesHeader[] => {
      const header = parseRulesHeader(text);
      return header ? [header] : [];
    });
  let source: Promise<NoticeSource> | null = null;
  const dictation = createDictation(handle, tasks);
  const openedMs = runtime.clock.now();
  const unconfirmed = createUnconfirmedRules({ disk, home, clock, ids });
  const open = async () => {
    const projectRoot = await findProjectRoot(disk, cwd);
    const locations = { disk, home, homeFolder, projectRoot, cwd };
    const { isDictated } = dictation;
    return createRulesSource({
      ...locations,
      mayRead,
      given,
      unconfirmed,
      isDictated,
      openedMs,
      onNote: warn,
    });
  };
  // Files written where nobody looked are remembered too, before nobody looks any more.
  onClose?.(async () => {
    if (!source || !dictation.end()) return;
    const { signal } = new AbortController();
    const touched = await writtenRules(await findProjectRoot(disk, cwd), openedMs, signal);
    await (await source).take({ kind: "turn-start", touched, signal });
  });
  return {
    name: "rules",
    remembers: true,
    async take(moment) {
      source ??= open();
      return (await source).take(moment);
    },
  };
}

export const planModeOn =
  "Plan mode is on: nothing may be changed. Look around, ask what you must know, and make a plan; when it is complete, show it with ExitPlanMode. If you are only asked a question, answer it.";
export const planModeOff = "Plan mode is off: changes are allowed again, as far as permission goes.";

/** Tells when plan mode begins and ends. `told` is what the model has before its eyes of this. */
export function createModeSource(told: () => readonly string[]): NoticeSource {
  return {
    name: "mode",
    remembers: true,
    async take({ mode }) {
      const isOn = mode === "plan";
      const wasOn = told().at(-1) === planModeOn;
      return isOn === wasOn ? [] : [{ subtype: "mode", text: isOn ? planModeOn : planModeOff }];
    },
  };
}

interface ServedOptions {
  readonly mcp: Pick<McpClients, "notices" | "currentNotices">;
  /** Tools that are known from the beginning and not sent. */
  readonly deferred: readonly Tool[];
  /** The earlier notices in the model's view. */
  readonly told: () => readonly string[];
}

const maxNamesChars = 4_000;

/** Tells what MCP servers have besides the tools that are sent: each once, and all of it again once it has left the view. */
export function createServedSource({ mcp, deferred, told }: ServedOptions): NoticeSource {
  let hasTold = false;
  return {
    name: "mcp",
    async take(moment) {
      const isLost = hasTold && told().length === 0;
      const news = await mcp.notices.take(moment);
      const begin = hasTold && !isLost ? [] : deferredNotice(deferred);
      const notices = [...begin, ...(isLost ? mcp.currentNotices() : news)];
      hasTold ||= notices.length > 0;
      return notices;
    },
    restore: async () => (hasTold ? [...deferredNotice(deferred), ...mcp.currentNotices()] : []),
  };
}

function deferredNotice(deferred: readonly Tool[]): readonly Notice[] {
  if (deferred.length === 0) return [];
  const names = deferred.map(({ name }) => name).join(", ");
  const shown = firstChars(names, maxNamesChars);
  const text = `${deferred.length} tools of MCP servers are not in your list. ToolSearch finds them and says what they take, UseTool calls them: ${shown}${shown === names ? "" : "…"}`;
  return [{ subtype: "tools", text }];
}

interface Dictation {
  /**
   * Whether the model may have written something since it was asked last, with untrusted text before its eyes: by a call,
   * also one that was interrupted, or by a command in the background. Else a person has.
   */
  readonly isDictated: () => boolean;
  /** Whether it ever may have; from here on it is said to. */
  readonly end: () => boolean;
}

function createDictation(handle: NoticeContext["handle"], tasks: ShellTasks): Dictation {
  let lastCall: string | undefined;
  let wasRunning = false;
  let wasDictated = false;
  let isEnding = false;
  const isDictated = () => {
    const { items, taint } = handle.view();
    const call = items.findLast(({ block }) => block.type === "tool_use")?.block;
    const id = call && isBlock(call, "tool_use") ? call.id : undefined;
    const isRunning = tasks.tasks().some((task) => task.isRunning);
    const mayHaveWritten = id !== lastCall || isRunning || wasRunning;
    lastCall = id;
    wasRunning = isRunning;
    const isNow = mayHaveWritten && taint?.trust === "untrusted";
    wasDictated ||= isNow;
    return isNow || isEnding;
  };
  return {
    isDictated,
    end() {
      isDictated();
      isEnding = wasDictated;
      return wasDictated;
    },
  };
}

/** So many names are looked at for rules files. */
const maxWalkedNames = 50_000;

/** Rules files of a project that were written since then, but for those in folders that version control ignores. */
async function writtenRules(root: string, sinceMs: number, signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = [];
  const options = { root, showsHidden: true, obeysIgnoreFiles: true, maxNames: maxWalkedNames, signal };
  await walkFolder(nodeFileSystem, options, async ({ path, name, kind }) => {
    if (kind !== "folder" && rulesNames.includes(name)) {
      const facts = await nodeFileSystem.stat(path);
      if (!facts.ok || facts.value.modifiedMs >= sinceMs) found.push(path);
    }
    return ok("go-on");
  });
  return found;
}

/** The attachments of one kind that are still in the model's view, the oldest first. */
export function attachedTexts({ items }: Pick<View, "items">, subtype: string): readonly string[] {
  return items.flatMap(({ block }) => {
    const attached = isBlock(block, "text") ? readAttachmentText(block.text) : undefined;
    return attached?.subtype === subtype ? [attached.text] : [];
  });
}
