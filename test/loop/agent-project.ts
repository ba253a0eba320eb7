import { existsSync } from "node:fs";
import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import { loadSettings, toFileContent, trust } from "../../packages/core/src/session/settings/index.ts";
import type { Entry, Event, LoopEvent, RunOptions, Session } from "../../packages/core/src/spec/index.ts";
import { createNodeDisk } from "../../packages/core/src/stores/files/index.ts";
import { type OpenAgentOptions, openAgent } from "../../packages/palimpsest/src/loop/agent/open-agent.ts";
import { loadProjectAgents } from "../../packages/palimpsest/src/loop/agents/agent-prompt.ts";
import {
  createVirtualClock,
  type Emulator,
  type RecordedRequest,
  type Reply,
  type Script,
} from "../../packages/testing/src/index.ts";
import { collect, entriesOf, modelAt, type Provider } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

export interface ProjectOptions {
  readonly provider?: Provider;
  readonly script?: Script;
  /** By path from the project's folder on. */
  readonly files?: Readonly<Record<string, string>>;
  /** The user's own settings. */
  readonly settings?: unknown;
  /** Whether memories are extracted at the end of a turn: a request more than the script is asked for. */
  readonly hasExtraction?: boolean;
  /** The project's settings, which nobody has trusted. */
  readonly projectSettings?: unknown;
}

export interface Project {
  readonly emulator: Emulator;
  readonly cwd: string;
  readonly home: string;
  /** What was said to the person while agents were opened. */
  readonly warnings: string[];
  readonly events: Event[];
  path(name: string): string;
  read(name: string): Promise<string>;
  write(name: string, text: string): Promise<void>;
  has(name: string): boolean;
  /** An agent in the project, for which time stands still; closed when the test is over. */
  open(options?: OpenAgentOptions): Promise<Session>;
  /** What a person does who trusts the project's settings. */
  trustSettings(): Promise<void>;
  /** The same for the project's agents. */
  trustAgents(): Promise<void>;
}

/** A project in a folder of its own, with a home of its own, and a model that follows a script. */
export async function useProject(options: ProjectOptions = {}): Promise<Project> {
  const { provider = "anthropic", files = {}, script } = options;
  const { emulator } = await emulate(script === undefined ? {} : { script });
  const folder = await realpath(await temporaryFolder());
  const [cwd, home] = [join(folder, "project"), join(folder, "home")];
  await Promise.all([mkdir(cwd), mkdir(home)]);
  const put = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  const { settings, projectSettings, hasExtraction = false } = options;
  for (const [name, text] of Object.entries(files)) await put(join(cwd, name), text);
  if (settings !== undefined) await put(join(home, "settings.json"), JSON.stringify(settings));
  if (projectSettings !== undefined)
    await put(join(cwd, ".palimpsest/settings.json"), JSON.stringify(projectSettings));
  const warnings: string[] = [];
  const events: Event[] = [];
  return {
    emulator,
    cwd,
    home,
    warnings,
    events,
    path: (name) => join(cwd, name),
    read: (name) => readFile(join(cwd, name), "utf8"),
    write: (name, text) => put(join(cwd, name), text),
    has: (name) => existsSync(join(cwd, name)),
    async open(more = {}) {
      const session = await openAgent({
        cwd,
        home,
        id: "one",
        model: modelAt(emulator, provider),
        clock: createVirtualClock(),
        onWarning: (text) => warnings.push(text),
        onEvent: (event) => events.push(event),
        ...more,
        settings: {
          ...more.settings,
          flags: { "memory-extraction": hasExtraction, ...more.settings?.flags },
        },
      });
      onTestFinished(() => session.close());
      return session;
    },
    async trustSettings() {
      const disk = createNodeDisk();
      const { clock, ids } = createRuntime();
      const loaded = await loadSettings({ disk, home, project: cwd });
      if (!loaded.ok) throw loaded.error;
      for (const { content } of loaded.value.untrusted) await trust({ disk, home, clock, ids }, content);
    },
    async trustAgents() {
      const disk = createNodeDisk();
      const { restricted } = await loadProjectAgents({ disk, home, cwd });
      for (const { path, bytes } of restricted)
        await trust({ disk, home, ...createRuntime() }, toFileContent(path, bytes));
    },
  };
}

/** Lets the agent work and gives what happened. */
export const run = (session: Session, prompt = "Do it.", options: RunOptions = {}) =>
  collect(session.run(prompt, options));

/** What tools gave back, in order. */
export function resultsOf(events: readonly LoopEvent[]) {
  return events.flatMap((event) =>
    event.type === "tool-end"
      ? [{ tool: event.tool, isError: event.isError, text: textOf(event.content) }]
      : [],
  );
}

export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return (content as readonly { readonly text?: string }[]).map(({ text = "" }) => text).join("\n");
}

/** What was attached for the model, as `kind: text`. */
export function noticesOf(events: readonly LoopEvent[]): readonly { subtype: string; text: string }[] {
  return events.flatMap((event) =>
    event.type === "notice-add" ? [{ subtype: event.subtype, text: event.text }] : [],
  );
}

export const kindsOf = (events: readonly LoopEvent[]) => noticesOf(events).map(({ subtype }) => subtype);

/** A script that is one reply after the other, each made when it is asked for. */
export function inTurn(
  ...replies: readonly (Reply | ((request: RecordedRequest) => Reply | Promise<Reply>))[]
): Script {
  let at = 0;
  return async (request) => {
    const reply = replies[at] as Reply | ((request: RecordedRequest) => Reply | Promise<Reply>);
    at += 1;
    if (reply === undefined) throw new Error(`nobody expected request ${at}`);
    return typeof reply === "function" ? reply(request) : reply;
  };
}

interface WholeRequest {
  readonly tools?: readonly object[];
  readonly system?: unknown;
  readonly messages: readonly { readonly role: string; readonly content: string | readonly object[] }[];
}

/** The bytes of a request: tools, system and blocks with their roles, without cache markers. */
export function blocksOf({ whole }: RecordedRequest): readonly string[] {
  const { tools = [], system = [], messages } = whole as unknown as WholeRequest;
  const plain = (value: unknown) =>
    JSON.stringify(value, (key, inside) => (key === "cache_control" ? undefined : inside));
  return [
    ...tools.map((tool) => `tool ${plain(tool)}`),
    `system ${plain(system)}`,
    ...messages.flatMap(({ role, content }) =>
      typeof content === "string"
        ? [`${role} ${plain({ type: "text", text: content })}`]
        : content.map((block) => `${role} ${plain(block)}`),
    ),
  ];
}

/** Requests whose bytes do not begin with those of the request before them, by number. */
export function brokenPrefixes({
  requests,
}: {
  readonly requests: Iterable<RecordedRequest>;
}): readonly number[] {
  const all = [...requests];
  return all.slice(1).flatMap((request, index) => {
    const before = blocksOf(all[index] as RecordedRequest);
    const after = blocksOf(request).slice(0, before.length);
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [request.number];
  });
}

/** What the guard said of each response, the first left out: nothing is cached before it. */
export const cacheKinds = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === "request-end" && event.cache ? [event.cache.kind] : [])).slice(1);

export const cacheReads = ({ requests }: Emulator) =>
  [...requests].map(
    ({ usage }) => (usage as { cache_read_input_tokens?: number } | undefined)?.cache_read_input_tokens ?? 0,
  );

/** The newest result of a tool in a request, as the model sees it. */
export function lastResult({ whole }: RecordedRequest): string {
  const { messages } = whole as unknown as WholeRequest;
  const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const result = blocks.findLast((block) => (block as { type?: string }).type === "tool_result");
  return textOf((result as { content?: unknown } | undefined)?.content ?? "");
}

/** Everything in the log that a person would read: roles, tools and texts, short. */
export async function transcriptOf(session: Session): Promise<readonly string[]> {
  const entries = await entriesOf(session);
  return entries.flatMap((entry: Entry) => {
    if (entry.kind !== "message") return [];
    const { type, subtype, content } = entry.message;
    if (type === "attachment") return [`attachment ${subtype}`];
    if (typeof content === "string") return [`${type} ${content}`];
    return content.map((block) => {
      const { name, text, is_error: isError } = block as { name?: string; text?: string; is_error?: boolean };
      return [type, block.type, name ?? text, isError && "failed"].filter(Boolean).join(" ");
    });
  });
}
