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
import { judgeHolder } from "../../shared/leases/holder-judgement.ts";
import { held, leasePatienceMs } from "../../shared/leases/lease-rules.ts";
import { createHeldLease } from "./held-lease.ts";
import { claimEpoch, type LeaseRecord, listEpochs, readRecord, removeRecord } from "./lease-file.ts";

/** Rounds lost to other processes before giving up: each one means that somebody else won. */
const maxRounds = 50;

export interface FileLeaseStoreOptions {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
}

type Judged =
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

  async function judge(name: string, holder: LeaseHolder | null, takeOver: boolean): Promise<Judged> {
    if (holder === null) return { free: true, takenOver: false };
    const state = await judgeHolder(holder, await processes.self(), processes.look);
    if (state === "dead") return { free: true, takenOver: false };
    const ageMs = clock.now() - holder.heartbeatMs;
    if (state === "unsure" && takeOver && ageMs > leasePatienceMs) return { free: true, takenOver: true };
    return { free: false, refusal: held(name, holder, state, ageMs) };
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
