import {
  entryText,
  memoryPathKind,
  pageOf,
  type RecallNoticeOptions,
  type RecallPorts,
  renderMemory,
  withinTime,
} from "@palimpsest/core/internal";
import {
  type Clock,
  type Entry,
  type MemoryFolder,
  ok,
  PalimpsestError,
  type Recall,
  type Result,
  type Store,
} from "@palimpsest/core/spec";

export interface AgentRecallOptions {
  readonly open: (usesOf: (path: string) => number) => Recall;
  readonly folder: Pick<MemoryFolder, "read" | "use" | "uses">;
  readonly store: Pick<Store, "logs" | "blobs">;
  readonly clock: Clock;
}

/** The search over everything the project remembers, as the agent uses it. */
export interface AgentRecall {
  /** Takes in what is new, in the background. */
  refresh(): void;
  /** For notices: whole memories, within their time. */
  readonly searchMemories: RecallNoticeOptions["search"];
  /** For the Recall tool. */
  readonly ports: Required<RecallPorts>;
  close(): Promise<void>;
}

/** The part of its time that a search waits for what is new to be taken in. */
const refreshShare = 0.6;

export function createAgentRecall({ open, folder, store, clock }: AgentRecallOptions): AgentRecall {
  let uses: ReadonlyMap<string, number> = new Map();
  const recall = open((path) => uses.get(path) ?? 0);
  const closing = new AbortController();
  let refreshing: Promise<unknown> | null = null;

  /** Errors of the index are reported by searches. */
  function refresh(): Promise<unknown> {
    refreshing ??= takeIn().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  async function takeIn(): Promise<void> {
    uses = await folder.uses();
    await recall.update(closing.signal);
  }

  async function readMemory(path: string) {
    try {
      return await folder.read(path);
    } catch (cause) {
      if (PalimpsestError.isInstance(cause) && cause.code === "not-found") return undefined;
      throw cause;
    }
  }

  async function keptText(
    id: string,
  ): Promise<Result<{ readonly kind: string; readonly text: string } | undefined>> {
    if (id.endsWith(".md") && memoryPathKind(id) === "memory") {
      const file = await readMemory(id);
      if (file) folder.use(id);
      return ok(file && { kind: "memory", text: file.text });
    }
    const [, session, entry] = /^(.+):([^:]+)$/.exec(id) ?? [];
    if (session === undefined || entry === undefined) return ok(undefined);
    let found: Entry | undefined;
    const scanned = await store.logs.scan(session, (one) => {
      if (one.id === entry) found = one;
    });
    if (!scanned.ok) return scanned.error.code === "not-found" ? ok(undefined) : scanned;
    const text = found ? await entryText(found, session, store.blobs) : "";
    return ok(text === "" ? undefined : { kind: "earlier session", text });
  }

  return {
    refresh: () => void refresh(),
    async searchMemories(query, { limit, maxMs }) {
      await withinTime(refresh(), maxMs * refreshShare, clock);
      const found = await recall.search(query, { kinds: ["memory"], limit, maxMs });
      if (!found.ok) return found;
      const hits = await Promise.all(
        found.value.hits.map(async ({ id: path, score }) => {
          const memory = (await readMemory(path))?.memory;
          return memory ? [{ kind: "memory", score, path, text: renderMemory(memory) }] : [];
        }),
      );
      return ok(hits.flat());
    },
    ports: {
      async search(query, options) {
        await refresh();
        const found = await recall.search(query, options);
        return found.ok ? ok(found.value.hits) : found;
      },
      async read(id, { offset = 0, limit }) {
        const kept = await keptText(id);
        if (!kept.ok || !kept.value) return kept.ok ? ok(undefined) : kept;
        const { kind, text } = kept.value;
        const page = pageOf(text, offset, limit);
        return page.ok ? ok({ id, kind, ...page.value }) : page;
      },
    },
    async close() {
      closing.abort();
      await refreshing;
    },
  };
}
