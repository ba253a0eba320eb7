import { join } from "node:path";
import { openMemory } from "@palimpsest/core";
import {
  createFileMaskKey,
  createFileTree,
  createMemoryMask,
  indexMarker,
  memoryPathKind,
} from "@palimpsest/core/internal";
import {
  type AgentMemoryScope,
  type Disk,
  type NoticeSource,
  ok,
  type Result,
  type Tool,
} from "@palimpsest/core/spec";
import { createMemoryTool, type WriteText } from "../../tools/memory/index.ts";
import { withRealPaths } from "../../tools/permissions/index.ts";
import type { AgentPlace } from "../agent/agent-place.ts";
import { attachedTexts } from "../agent/attached-texts.ts";
import { createIndexSource } from "../agent/memory/index-source.ts";
import { writeJudged } from "../agent/memory/write-judged.ts";
import type { NoticeScene } from "../open-session.ts";

export interface AgentMemoryRequest {
  readonly place: AgentPlace;
  readonly agent: string;
  readonly scope: AgentMemoryScope;
  readonly isCustomTool: boolean;
  /** What whoever wrote the agent's prompt had before its eyes was trusted. */
  readonly isTrusted: boolean;
  readonly warn: (text: string) => void;
}

/** What one kind of agent remembers. */
export interface OwnMemory {
  readonly tool: Tool;
  /** A real path. */
  readonly folder: string;
  notices(scene: NoticeScene): readonly NoticeSource[];
  close(): Promise<void>;
}

/** Where the memory of a kind of agent is. */
export function agentMemoryFolder(
  { home, cwd }: Pick<AgentPlace, "home" | "cwd">,
  scope: AgentMemoryScope,
  agent: string,
): string {
  if (scope === "user") return join(home, "agent-memory", agent);
  return join(cwd, ".palimpsest", scope === "project" ? "agent-memory" : "agent-memory-local", agent);
}

/** What git should not see: all of a checkout's own memory, and of the shared one what only this machine needs. */
const ignored: Readonly<Record<AgentMemoryScope, string | undefined>> = {
  user: undefined,
  project: ".history/\n.palimpsest/\nquarantine/\n.gitignore\n",
  local: "*\n",
};

/** Opens what a kind of agent remembers. Throws where its folder cannot be made. */
export async function openOwnMemory(request: AgentMemoryRequest): Promise<OwnMemory> {
  const { place, agent, scope, isCustomTool, isTrusted, warn } = request;
  const { clock, disk } = place;
  const { ids } = place.runtime;
  const dir = agentMemoryFolder(place, scope, agent);
  const ready = await makeFolder(disk, dir, ignored[scope]);
  if (!ready.ok) throw ready.error;
  const [{ realPath } = { realPath: null }] = await withRealPaths(disk, [
    { kind: "path", value: dir, access: "write" },
  ]);
  const { mask } = createMemoryMask(createFileMaskKey({ disk, path: join(place.home, "mask-key"), ids }));
  const folder = await openMemory({
    dir,
    clock,
    ids,
    maskSecrets: mask,
    onProblem: ({ message }) => warn(`Memory of ${agent}: ${message}`),
  });
  const write: WriteText = async ({ path, text, session, source, expect, view }) => {
    const taint = view?.().taint ?? { trust: "untrusted" as const, because: [] };
    const trust = isTrusted ? taint.trust : "untrusted";
    const evidence = { taint, userMessages: [] };
    const by = { author: "agent", session, source, expect, trust, evidence } as const;
    const written = await writeJudged(folder, path, text, by);
    if (!written.ok) return written;
    const { version, quarantined } = written.value;
    return ok({ version: version.version, ...(quarantined !== undefined && { quarantined }) });
  };
  return {
    folder: realPath ?? dir,
    tool: createMemoryTool({
      tree: createFileTree({ disk, folder: dir, clock, ids, durable: true }),
      indexMarker,
      folder: realPath ?? dir,
      isCustom: isCustomTool,
      write,
      refusePath: (path) =>
        memoryPathKind(path) === "memory"
          ? undefined
          : "memories are files that end with .md, such as /memories/topic.md.",
      onMove: async () => void (await folder.reindex()),
    }),
    notices: ({ handle }) => [
      createIndexSource({ folder, told: () => attachedTexts(handle.view(), "memory") }),
    ],
    close: () => folder.close(),
  };
}

async function makeFolder(disk: Disk, dir: string, ignore: string | undefined): Promise<Result<void>> {
  const made = await disk.makeDirectory(dir);
  if (!made.ok || ignore === undefined) return made;
  const created = await disk.open(join(dir, ".gitignore"), "create");
  if (!created.ok) return created.error.code === "exists" ? ok() : created;
  const written = await created.value.append(new TextEncoder().encode(ignore));
  await created.value.close();
  return written;
}
