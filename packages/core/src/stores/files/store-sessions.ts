import {
  type Clock,
  type Disk,
  fail,
  type LeaseStore,
  ok,
  type Processes,
  type Result,
  type StoreSessions,
} from "../../spec/index.ts";
import type { Layout } from "../shared/layout.ts";
import { judgeHolder, leasePatienceMs } from "../shared/leases.ts";
import { agentsOf } from "./agent-records.ts";
import { listLog } from "./log/log-listing.ts";
import { footprintBytes, sessionFiles } from "./upkeep/session-files.ts";
import { absentSession, readTombstone } from "./upkeep/tombstone.ts";

interface FileSessionsOptions {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly leases: LeaseStore;
}

const logSuffix = ".jsonl";

const chunkBytes = 1024 * 1024;

export function createFileSessions(options: FileSessionsOptions): StoreSessions {
  const { disk, layout, clock, processes, leases } = options;

  async function* lines(session: string, signal?: AbortSignal): AsyncGenerator<Result<Uint8Array>> {
    const path = layout.log(session);
    if (!path.ok) return yield path;
    const opened = await disk.open(path.value, "read");
    if (!opened.ok)
      return yield opened.error.code === "not-found" ? absentSession(disk, layout, session) : opened;
    try {
      for (let position = 0; ; ) {
        if (signal?.aborted) return yield fail("aborted", `Reading ${path.value} was interrupted.`);
        const chunk = Buffer.allocUnsafe(chunkBytes);
        const read = await opened.value.read(position, chunk);
        if (!read.ok) return yield read;
        if (read.value === 0) return;
        position += read.value;
        yield ok(chunk.subarray(0, read.value));
      }
    } finally {
      await opened.value.close();
    }
  }

  return {
    lines,
    async ids(prefix = "") {
      const names = await disk.list(layout.sessions);
      if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
      const logs = names.value.filter((name) => name.endsWith(logSuffix));
      const ids = logs.map((name) => name.slice(0, -logSuffix.length));
      return ok(ids.filter((id) => id.startsWith(prefix)).sort());
    },
    agentsOf: (session) => agentsOf(disk, layout, session),
    async listing(session) {
      const path = layout.log(session);
      if (path.ok) return listLog(disk, path.value, session);
      return { session, bytes: 0, modifiedAt: new Date(0).toISOString(), problem: path.error.message };
    },
    async stamp(session) {
      const path = layout.log(session);
      if (!path.ok) return path;
      const stat = await disk.stat(path.value);
      if (!stat.ok) return stat.error.code === "not-found" ? absentSession(disk, layout, session) : stat;
      const { identity, bytes, modifiedMs } = stat.value;
      return ok({ identity, end: bytes, bytes, modifiedAt: new Date(modifiedMs).toISOString() });
    },
    tombstone: (session) => readTombstone(disk, layout, session),
    async footprint(session) {
      const files = await sessionFiles(disk, layout, session);
      if (!files.ok) return files;
      const parts = files.value.map(({ kind, path, bytes }) => ({ kind, address: path, bytes }));
      return ok({ parts, bytes: footprintBytes(files.value) });
    },
    async holder(session) {
      const held = await leases.holder(session);
      if (!held.ok || held.value === null) return held.ok ? ok(null) : held;
      const holder = held.value;
      const state = await judgeHolder(holder, await processes.self(), processes.look);
      return ok({ holder, state, isRecent: clock.now() - holder.heartbeatMs < leasePatienceMs });
    },
    address(session) {
      const path = layout.log(session);
      return path.ok ? path.value : layout.sessions;
    },
  };
}
