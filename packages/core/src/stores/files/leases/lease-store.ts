import {
  type AcquireOptions,
  type Clock,
  type Disk,
  fail,
  type Ids,
  type Lease,
  type LeaseHolder,
  type LeaseStore,
  ok,
  type Processes,
  type Result,
} from "../../../spec/index.ts";
import type { Layout } from "../../shared/layout.ts";
import { heartbeatMs, judgeHolder, leasePatienceMs, refuseHeld } from "../../shared/leases.ts";
import { readWholeFile, writeWholeFile } from "../disk/whole-file.ts";

/** Rounds lost to other processes before giving up: each one means that somebody else won. */
const maxRounds = 50;

interface FileLeaseStoreOptions {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
}

type LeaseVerdict =
  | { readonly free: true; readonly takenOver: boolean }
  | { readonly free: false; readonly refusal: Result<never> };

export function createFileLeaseStore(options: FileLeaseStoreOptions): LeaseStore {
  const { disk, layout, clock, ids, processes } = options;

  async function newest(folder: string): Promise<Result<LeaseRecord | null>> {
    const epochs = await listEpochs(disk, folder);
    if (!epochs.ok) return epochs;
    const highest = epochs.value.at(-1);
    if (highest === undefined) return ok(null);
    const record = await readRecord(disk, folder, highest);
    return !record.ok && record.error.code === "not-found" ? newest(folder) : record;
  }

  async function judge(name: string, holder: LeaseHolder | null, takeOver: boolean): Promise<LeaseVerdict> {
    if (holder === null) return { free: true, takenOver: false };
    const state = await judgeHolder(holder, await processes.self(), processes.look);
    if (state === "dead") return { free: true, takenOver: false };
    const ageMs = clock.now() - holder.heartbeatMs;
    if (state === "unsure" && takeOver && ageMs > leasePatienceMs) return { free: true, takenOver: true };
    return { free: false, refusal: refuseHeld(name, holder, state, ageMs) };
  }

  async function claim(name: string, folder: string, request: AcquireOptions): Promise<Result<Lease | null>> {
    const seen = await newest(folder);
    if (!seen.ok) return seen;
    const judged = await judge(name, seen.value?.holder ?? null, request.takeOver ?? false);
    if (!judged.free) return judged.refusal;
    const before = seen.value?.epoch ?? 0;
    const holder: LeaseHolder = {
      ...(await processes.self()),
      token: ids.next("lease"),
      epoch: Math.max(before, request.above ?? 0) + 1,
      heartbeatMs: clock.now(),
    };
    const claimed = await claimEpoch(disk, ids, folder, holder);
    if (!claimed.ok) return claimed.error.code === "exists" ? ok(null) : claimed;
    const epochs = await listEpochs(disk, folder);
    const isAlone = epochs.ok && epochs.value.every((epoch) => epoch <= before || epoch === holder.epoch);
    if (!isAlone) {
      await removeRecord(disk, folder, holder.epoch);
      return epochs.ok ? ok(null) : epochs;
    }
    for (const epoch of epochs.value) if (epoch < holder.epoch) await removeRecord(disk, folder, epoch);
    return ok(createHeldLease({ disk, clock, ids, folder, holder, takenOver: judged.takenOver }));
  }

  return {
    async acquire(name, request = {}) {
      const folder = layout.lease(name);
      if (!folder.ok) return folder;
      const made = await disk.makeDirectory(folder.value);
      if (!made.ok) return made;
      for (let round = 0; round < maxRounds; round += 1) {
        const claimed = await claim(name, folder.value, request);
        if (!claimed.ok) return claimed;
        if (claimed.value !== null) return ok(claimed.value);
      }
      return fail("held", `Session ${name} is being opened by others.`, { path: name, retryable: true });
    },
    async holder(name) {
      const folder = layout.lease(name);
      if (!folder.ok) return folder;
      const record = await newest(folder.value);
      return record.ok ? ok(record.value?.holder ?? null) : record;
    },
    async forget(name) {
      const folder = layout.lease(name);
      return folder.ok ? disk.removeTree(folder.value) : folder;
    },
  };
}

/**
 * A lease is a folder with one file per epoch, `<epoch>.json`; the highest is in force. Creating the next number by
 * `link` succeeds for exactly one process, so taking a lease over needs no second lock.
 */
interface LeaseRecord {
  readonly epoch: number;
  /** `null`: given back, or unreadable, which only power loss can cause since records appear whole. */
  readonly holder: LeaseHolder | null;
}

const recordName = /^(\d{12})\.json$/;

function recordPath(folder: string, epoch: number): string {
  return `${folder}/${String(epoch).padStart(12, "0")}.json`;
}

async function listEpochs(disk: Disk, folder: string): Promise<Result<readonly number[]>> {
  const names = await disk.list(folder);
  if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
  return ok(names.value.flatMap((name) => recordName.exec(name)?.[1] ?? []).map(Number));
}

async function readRecord(disk: Disk, folder: string, epoch: number): Promise<Result<LeaseRecord>> {
  const bytes = await readWholeFile(disk, recordPath(folder, epoch));
  if (!bytes.ok) return bytes;
  try {
    const value = JSON.parse(Buffer.from(bytes.value).toString("utf8")) as LeaseHolder & {
      released?: boolean;
    };
    const isHolder =
      typeof value.pid === "number" && typeof value.token === "string" && value.released !== true;
    return ok({ epoch, holder: isHolder ? value : null });
  } catch {
    return ok({ epoch, holder: null });
  }
}

/** `exists` when another process was first. */
function claimEpoch(disk: Disk, ids: Ids, folder: string, holder: LeaseHolder): Promise<Result<void>> {
  return put(disk, ids, folder, holder.epoch, holder, "absent");
}

function renewRecord(disk: Disk, ids: Ids, folder: string, holder: LeaseHolder): Promise<Result<void>> {
  return put(disk, ids, folder, holder.epoch, holder, "replace");
}

/** Leaves the record in place, marked, so that epochs never start again. */
function releaseRecord(disk: Disk, ids: Ids, folder: string, holder: LeaseHolder): Promise<Result<void>> {
  return put(disk, ids, folder, holder.epoch, { ...holder, released: true }, "replace");
}

async function removeRecord(disk: Disk, folder: string, epoch: number): Promise<Result<void>> {
  return disk.remove(recordPath(folder, epoch));
}

function put(
  disk: Disk,
  ids: Ids,
  folder: string,
  epoch: number,
  record: object,
  when: "absent" | "replace",
): Promise<Result<void>> {
  const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
  const temporary = `${folder}/${ids.next("tmp")}`;
  return writeWholeFile(disk, recordPath(folder, epoch), bytes, { temporary, durable: false, when });
}

interface HeldLeaseOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly folder: string;
  readonly holder: LeaseHolder;
  readonly takenOver: boolean;
}

/** A lease just taken, with its heartbeat running. */
function createHeldLease(options: HeldLeaseOptions): Lease {
  const { disk, clock, ids, folder, takenOver } = options;
  const stopping = new AbortController();
  let holder = options.holder;
  let lost = false;
  let checkedAtMs = clock.monotonic();
  let released: Promise<Result<void>> | null = null;

  function fenced(): Result<never> {
    return fail("fenced", "Another process has taken this session over.", {
      fix: "Open the session again; entries acknowledged before are in it.",
      facts: { epoch: holder.epoch },
    });
  }

  async function verify(): Promise<Result<void>> {
    const epochs = await listEpochs(disk, folder);
    if (!epochs.ok) return epochs;
    lost ||= epochs.value.some((epoch) => epoch > holder.epoch);
    if (lost) return fenced();
    checkedAtMs = clock.monotonic();
    return ok();
  }

  async function beat(): Promise<void> {
    for (;;) {
      await clock.sleep(heartbeatMs, stopping.signal);
      if (stopping.signal.aborted || !(await verify()).ok) {
        if (lost || stopping.signal.aborted) return;
        continue;
      }
      holder = { ...holder, heartbeatMs: clock.now() };
      await renewRecord(disk, ids, folder, holder);
    }
  }

  async function giveBack(): Promise<Result<void>> {
    stopping.abort();
    await beating;
    const mine = await verify();
    if (!mine.ok) return lost ? ok() : mine;
    return releaseRecord(disk, ids, folder, holder);
  }

  const beating = beat();

  return {
    get epoch() {
      return holder.epoch;
    },
    token: holder.token,
    get lost() {
      return lost;
    },
    takenOver,
    async check() {
      if (lost || released) return fenced();
      return clock.monotonic() - checkedAtMs < heartbeatMs ? ok() : verify();
    },
    async raise(above) {
      const former = holder.epoch;
      const raised = { ...holder, epoch: Math.max(above, former) + 1, heartbeatMs: clock.now() };
      const claimed = await claimEpoch(disk, ids, folder, raised);
      if (!claimed.ok) return claimed;
      holder = raised;
      return removeRecord(disk, folder, former);
    },
    release() {
      released ??= giveBack();
      return released;
    },
  };
}
