import { createHash } from "node:crypto";
import { parseJson } from "../../json/json-values.ts";
import {
  type AgentRecord,
  type AgentRecords,
  type Clock,
  type Disk,
  fail,
  type Ids,
  type Lease,
  type LeaseStore,
  ok,
  type Processes,
  type Result,
} from "../../spec/index.ts";
import { createLayout, type Layout } from "../shared/layout.ts";
import { judgeHolder } from "../shared/leases.ts";
import { checkConfined, readWholeFile, writeWholeFile } from "./disk/whole-file.ts";
import { createFileLeaseStore } from "./leases/lease-store.ts";

interface FileAgentRecordsOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  /** The project's folder. */
  readonly root: string;
}

const maxRecordBytes = 16 * 1024;
/** Names that are looked at each time one is added. */
const maxSwept = 500;
const maxRounds = 20;
const goneSuffix = ".gone";
const leaseName = (hash: string) => `${hash}.lease`;

/** A lease for each name, and beside it who has it. What dead processes left goes when somebody is added. */
export function createFileAgentRecords(options: FileAgentRecordsOptions): AgentRecords {
  const { disk, ids, processes, root } = options;
  const folder = `${root}/agents`;
  const layout = { ...createLayout("", ""), lease: (name: string) => ok(`${folder}/${name}`) };
  const leases: LeaseStore = createFileLeaseStore({ ...options, layout });

  /** Whoever cleans may have moved the lease away between two steps: then it is made anew. */
  async function acquire(lease: string): Promise<Result<Lease>> {
    for (let round = 1; ; round += 1) {
      const acquired = await leases.acquire(lease);
      if (acquired.ok || acquired.error.code !== "not-found" || round === maxRounds) return acquired;
    }
  }

  async function write(record: AgentRecord, lease: Lease): Promise<Result<() => Promise<void>>> {
    const path = `${folder}/${hashOf(record.name)}.json`;
    const bytes = Buffer.from(`${JSON.stringify({ v: 1, ...record, token: lease.token })}\n`);
    const temporary = `${folder}/${ids.next("tmp")}`;
    const written = await writeWholeFile(disk, path, bytes, { temporary, durable: false, when: "replace" });
    if (!written.ok) {
      await lease.release();
      return written;
    }
    return ok(async () => {
      const holder = await leases.holder(leaseName(hashOf(record.name)));
      if (holder.ok && holder.value?.token === lease.token) await disk.remove(path);
      await lease.release();
      await clean(hashOf(record.name));
    });
  }

  /** Whether a lease is nobody's: its process is dead, or has given it back. */
  async function isFree(lease: string): Promise<boolean> {
    const holder = await leases.holder(lease);
    if (!holder.ok) return false;
    if (holder.value === null) return true;
    return (await judgeHolder(holder.value, await processes.self(), processes.look)) === "dead";
  }

  /**
   * Removes what is left of a name that is nobody's. Its lease is moved away first, whole: whoever takes the name
   * meanwhile makes a new one. Where it was taken just before, it goes back.
   */
  async function clean(hash: string): Promise<void> {
    const gone = `${ids.next("gone")}${goneSuffix}`;
    if (!(await isFree(leaseName(hash)))) return;
    const moved = await disk.rename(`${folder}/${leaseName(hash)}`, `${folder}/${gone}`);
    if (!moved.ok) return;
    if (!(await isFree(gone))) {
      await disk.rename(`${folder}/${gone}`, `${folder}/${leaseName(hash)}`);
      return;
    }
    await removeRecord(hash, `${folder}/${gone}.json`);
    await disk.removeTree(`${folder}/${gone}`);
  }

  /** A record that somebody has written just now goes back. */
  async function removeRecord(hash: string, aside: string): Promise<void> {
    const path = `${folder}/${hash}.json`;
    const moved = await disk.rename(path, aside);
    if (!moved.ok) return;
    const bytes = await readWholeFile(disk, aside, maxRecordBytes);
    const found = bytes.ok ? parseRecord(Buffer.from(bytes.value).toString("utf8")) : null;
    const holder = await leases.holder(leaseName(hash));
    const isTaken = holder.ok && holder.value !== null && holder.value.token === found?.token;
    await (isTaken ? disk.rename(aside, path) : disk.remove(aside));
  }

  /** Removes what dead processes have left, so that the folder does not grow with every session there ever was. */
  async function sweep(): Promise<void> {
    const names = await disk.list(folder);
    if (!names.ok) return;
    for (const gone of names.value.filter((name) => name.endsWith(goneSuffix)))
      if (await isFree(gone)) await disk.removeTree(`${folder}/${gone}`);
    const hashes = names.value.flatMap((name) => /^([0-9a-f]{32})\.lease$/.exec(name)?.[1] ?? []);
    for (const hash of hashes.slice(0, maxSwept)) await clean(hash);
  }

  /** `null` where nobody has it any more. */
  async function read(name: string): Promise<AgentRecord | null> {
    const bytes = await readWholeFile(disk, `${folder}/${name}`, maxRecordBytes);
    const found = bytes.ok ? parseRecord(Buffer.from(bytes.value).toString("utf8")) : null;
    if (!found || name !== `${hashOf(found.record.name)}.json`) return null;
    const holder = await leases.holder(leaseName(hashOf(found.record.name)));
    if (!holder.ok || holder.value?.token !== found.token) return null;
    const state = await judgeHolder(holder.value, await processes.self(), processes.look);
    return state === "dead" ? null : found.record;
  }

  return {
    async add(record) {
      const confined = await checkConfined(disk, root, ["agents"]);
      if (!confined.ok) return confined;
      const made = await disk.makeDirectory(folder);
      if (!made.ok) return made;
      const lease = await acquire(leaseName(hashOf(record.name)));
      if (lease.ok) {
        const written = await write(record, lease.value);
        await sweep();
        return written;
      }
      if (lease.error.code !== "held") return lease;
      return fail("exists", `An agent is called “${record.name}” already.`, {
        path: record.name,
        fix: "Give it another name.",
      });
    },
    async list() {
      const confined = await checkConfined(disk, root, ["agents"]);
      if (!confined.ok) return confined;
      const names = confined.value ? await disk.list(folder) : ok([]);
      if (!names.ok) return names;
      const records: AgentRecord[] = [];
      for (const name of names.value.filter((one) => /^[0-9a-f]{32}\.json$/.test(one))) {
        const record = await read(name);
        if (record) records.push(record);
      }
      return ok(records.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
    },
  };
}

const hashOf = (name: string) => createHash("sha256").update(name).digest("hex").slice(0, 32);

function parseRecord(text: string): { readonly record: AgentRecord; readonly token: string } | null {
  const { id, name, socket, token } = (parseJson(text) ?? {}) as Partial<
    Record<"id" | "name" | "socket" | "token", unknown>
  >;
  if (typeof id !== "string" || typeof name !== "string" || typeof token !== "string") return null;
  return { record: { id, name, ...(typeof socket === "string" && { socket }) }, token };
}

const logSuffix = ".jsonl";

/** The forks that live inside a session, as session ids. */
export async function agentsOf(
  disk: Disk,
  layout: Layout,
  session: string,
): Promise<Result<readonly string[]>> {
  if (session.includes("/")) return ok([]);
  const names = await disk.list(`${layout.sessions}/${session}.agents`);
  if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
  const logs = names.value.filter((name) => name.endsWith(logSuffix));
  return ok(logs.map((name) => `${session}/${name.slice(0, -logSuffix.length)}`));
}
