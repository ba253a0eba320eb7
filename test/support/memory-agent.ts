import { parse, stringify } from "yaml";
import {
  createMemoryLayer,
  type MemoryCodec,
  type MemoryLayerPorts,
} from "../../packages/core/src/layers/5-memory/index.ts";
import type { MemoryContent } from "../../packages/core/src/layers/5-memory/rules/index.ts";
import type { Event, FileTree, NoteEntry, Session } from "../../packages/core/src/spec/index.ts";
import { createFileTools } from "../../packages/palimpsest/src/tools/files/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import {
  type Emulator,
  type RecordedRequest,
  type ScriptFunction,
  say,
} from "../../packages/testing/src/index.ts";
import { collect, endOf, entriesOf, modelAt, openAgent } from "./agent.ts";
import { emulate } from "./emulator.ts";
import { createVirtualStore } from "./virtual-store.ts";

export const memoryFolder = "/home/agent/memory";

/** Front matter of the keys that memories have. */
export const memoryCodec: MemoryCodec = {
  read(_, text) {
    const [, matter, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    if (matter === undefined || body === undefined) return undefined;
    const { name, description, type, author = "agent", trust = "trusted", ...rest } = parse(matter) ?? {};
    if (!name || !description || !["user", "feedback", "project", "reference"].includes(type))
      return undefined;
    return { name, description, type, body, author, trust, ...rest } as MemoryContent;
  },
  write: ({ body, ...matter }) => `---\n${stringify(matter)}---\n${body}`,
};

export const memoryText = (name: string, type: string, body: string, more = "") =>
  `---\nname: ${name}\ndescription: ${name}, in one line\ntype: ${type}\n${more}---\n${body}\n`;

/** Whether a request is an extraction's: nobody else is told to keep something. */
export function isExtraction(request: RecordedRequest): boolean {
  return JSON.stringify(request.whole?.messages ?? []).includes(
    "keep what should be known in later sessions",
  );
}

export interface MemoryAgent {
  readonly session: Session;
  readonly emulator: Emulator;
  readonly tree: FileTree;
  readonly events: readonly Event[];
  ask(prompt: string): Promise<string>;
  /** So many extractions in the background have ended, and what they brought is in the log. */
  extracted(count: number): Promise<void>;
  /** What memory says, by path. */
  memories(): Promise<Readonly<Record<string, MemoryContent | undefined>>>;
  notes(): Promise<readonly object[]>;
}

type Options = Parameters<typeof openAgent>[0];

export interface MemoryAgentOptions extends Partial<Options> {
  readonly ports?: Partial<MemoryLayerPorts>;
  readonly main?: ScriptFunction;
  readonly files?: Readonly<Record<string, string>>;
}

/** An agent with file tools and memory; `extract` answers the requests of extractions, everybody else hears “Fine.”. */
export async function openMemoryAgent(
  extract: ScriptFunction,
  { ports, main = () => say("Fine."), files = {}, onEvent, ...rest }: MemoryAgentOptions = {},
): Promise<MemoryAgent> {
  const { emulator } = await emulate({
    script: (request, state) => (isExtraction(request) ? extract(request, state) : main(request, state)),
  });
  const store = rest.store ?? createVirtualStore();
  const tree = store.tree("memory");
  for (const [path, text] of Object.entries(files)) must(await tree.write(path, text, { author: "user" }));
  const events: Event[] = [];
  const waiting: { readonly count: number; readonly done: () => void }[] = [];
  const ended = () => events.filter((event) => event.type === "task-end" && event.layer === "memory").length;
  const session = await openAgent({
    model: modelAt(emulator),
    tools: createFileTools(),
    layers: [createMemoryLayer({ folder: memoryFolder, codec: memoryCodec, ...ports })],
    onEvent(event) {
      events.push(event);
      onEvent?.(event);
      for (const one of waiting) if (ended() >= one.count) one.done();
    },
    ...rest,
    store,
  });
  return {
    session,
    emulator,
    tree,
    events,
    ask: async (prompt) => endOf(await collect(session.run(prompt))).text,
    async extracted(count) {
      if (ended() < count) await new Promise<void>((done) => waiting.push({ count, done }));
    },
    async memories() {
      const all = must(await tree.list()).map(async ({ path }) => {
        const { text } = must(await tree.read(path));
        return [path, memoryCodec.read(path, text)] as const;
      });
      return Object.fromEntries(await Promise.all(all));
    },
    async notes() {
      const isNote = (entry: object): entry is NoteEntry => (entry as NoteEntry).kind === "note";
      return (await entriesOf(session))
        .filter(isNote)
        .flatMap(({ note }) => (note.topic === "extraction" ? [note] : []));
    },
  };
}
