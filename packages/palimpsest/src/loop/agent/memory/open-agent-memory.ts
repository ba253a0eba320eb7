import { createMemoryLayer, openMemory, openRecall } from "@palimpsest/core";
import {
  createRecallNotices,
  extractionSource,
  indexMarker,
  isImperativePath,
  memoryPathKind,
  parseMemory,
  type RecallPorts,
} from "@palimpsest/core/internal";
import {
  type FileTree,
  type Layer,
  type MemoryFolder,
  type NoticeSource,
  ok,
  type Store,
  type Taint,
  type Tool,
} from "@palimpsest/core/spec";
import { createMemoryTool, type WriteText } from "../../../tools/memory/index.ts";
import type { NoticeContext } from "../../open-session.ts";
import type { AgentLocation } from "../agent-location.ts";
import { attachedTexts } from "../agent-notices.ts";
import { createAgentRecall } from "./create-agent-recall.ts";
import { createIndexSource, writeJudged } from "./index-source.ts";

export interface AgentMemoryOptions {
  readonly location: AgentLocation;
  readonly store: Store;
  /** The API of the session's model does not know the memory tool. */
  readonly isCustomTool: boolean;
  readonly warn: (text: string) => void;
}

/** An agent's memory: all of it on one folder, and every write of a model's judged. */
export interface AgentMemory {
  readonly tool: Tool;
  readonly layer: Layer;
  readonly recall: RecallPorts;
  notices(context: NoticeContext): readonly NoticeSource[];
  close(): Promise<void>;
}

export async function openAgentMemory(options: AgentMemoryOptions): Promise<AgentMemory> {
  const { location, store, isCustomTool, warn } = options;
  const { clock, disk, cwd, project, memoryFolder, recallFolder } = location;
  const { ids } = location.runtime;
  const tree = store.tree("memory");
  const onProblem = ({ message }: Error) => warn(`Memory: ${message}`);
  const folder = await openMemory({ store, project, clock, cwd, ids, onProblem, search: false });
  /** A store of a program's own may have none. */
  const index = store.recallIndex ? {} : { disk, folder: recallFolder };
  const recall = createAgentRecall({
    open: (usesOf) => openRecall({ store, ...index, clock, ids, usesOf }),
    folder,
    store,
    clock,
  });
  return {
    recall: recall.ports,
    tool: createMemoryTool({
      tree,
      indexMarker,
      folder: memoryFolder,
      isCustom: isCustomTool,
      write: toolWriter(tree, folder),
      refusePath,
      refuseName,
      onView: (path) => folder.use(path),
      onMove: async () => void (await folder.reindex()),
    }),
    layer: createMemoryLayer({
      folder: memoryFolder,
      cwd,
      trustOf: ({ taint }) => taint?.trust ?? "untrusted",
      async write(_tree, { path, text, content, expect, messages, because }) {
        const { author, session, entries, trust } = content;
        const source = extractionSource(content);
        const evidence = { taint: { trust, because }, userMessages: messages };
        const by = { author, session, entries, trust, expect, source, evidence };
        const written = await writeJudged(folder, path, text, by);
        return written.ok ? ok({ path: written.value.memory.path }) : written;
      },
    }),
    notices({ handle }) {
      recall.refresh();
      const told = () => attachedTexts(handle.view(), "memory");
      return [
        createIndexSource({ folder, told }),
        createRecallNotices({
          search: recall.searchMemories,
          render: ({ text }) => text,
          view: handle.view,
          clock,
          isOn: () => handle.config().flags.values["memory-recall"] !== false,
          onAttach: ({ path }) => folder.use(path),
        }),
      ];
    },
    async close() {
      await recall.close();
      await folder.close();
    },
  };
}

const unknown: Taint = { trust: "untrusted", because: [] };

/** Memories based on something untrusted that nobody has confirmed stay so. */
function toolWriter(tree: FileTree, folder: MemoryFolder): WriteText {
  return async ({ path, text, author: _author, session, source, expect, view }) => {
    const seen = view?.();
    const taint = seen?.taint ?? unknown;
    const read = await tree.read(path);
    const former = read.ok ? parseMemory(read.value.text, read.value.version) : null;
    const isKept = former?.ok && former.value.trust === "untrusted" && !former.value.isConfirmed;
    const trust = isKept ? "untrusted" : taint.trust;
    const evidence = { taint, userMessages: seen?.ledgers.userMessages ?? [] };
    const by = { author: "agent", session, source, expect, trust, evidence } as const;
    const written = await writeJudged(folder, path, text, by);
    if (!written.ok) return written;
    const { version, quarantined } = written.value;
    return ok({ version: version.version, ...(quarantined !== undefined && { quarantined }) });
  };
}

/** A name is listed in the index: nobody judges it again when a file gets another one. */
function refuseName(path: string, view?: Parameters<WriteText>[0]["view"]): string | undefined {
  const { trust } = view?.().taint ?? unknown;
  return trust === "untrusted" && isImperativePath(path)
    ? "its name asks for something, and untrusted content is in view; name it after its topic."
    : undefined;
}

function refusePath(path: string): string | undefined {
  switch (memoryPathKind(path)) {
    case "memory":
      return undefined;
    case "index":
      return "lines above its marker are the user's own, those below are made from the memories.";
    case "log":
      return "logs are kept by the program.";
    default:
      return "memories are files that end with .md, such as /memories/topic.md.";
  }
}
