import {
  type Clock,
  type Disk,
  fail,
  type Ids,
  type Lease,
  type LeaseHolder,
  ok,
  type Result,
} from "../../../spec/index.ts";
import { heartbeatMs } from "../../shared/leases/lease-rules.ts";
import { claimEpoch, listEpochs, releaseRecord, removeRecord, renewRecord } from "./lease-file.ts";

export interface HeldLeaseOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly folder: string;
  readonly holder: LeaseHolder;
  readonly takenOver: boolean;
}

/** A lease just taken, with its heartbeat running. */
export function createHeldLease(options: HeldLeaseOptions): Lease {
  const { disk, clock, ids, folder, takenOver } = options;
  const stopping = new AbortController();
  let holder = options.holder;
  let lost = false;
  let checkedAtMs = clock.monotonic();
  let released: Promise<Result<void>> | null = null;

  function fenced(): Result<never> {
    return fail("fenced", "Another process has taken this session over.", {
      fix: "Open the session again; what was acknowledged before is in it.",
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
