import { parseJson } from "../../../json/json-values.ts";
import {
  type Clock,
  type Disk,
  type Ids,
  ok,
  type Processes,
  type ProcessIdentity,
  type Result,
} from "../../../spec/index.ts";
import { judgeHolder } from "../../shared/leases.ts";
import { readerPatienceMs } from "../../shared/mailbox.ts";
import { readWholeFile, writeWholeFile } from "../disk/whole-file.ts";

const renewMs = 60 * 1000;
const maxRecordBytes = 16 * 1024;

interface ReaderRecord extends ProcessIdentity {
  readonly heartbeatMs: number;
}

/** Who takes mail: a record per reader, in `readers/`, which is there before the reader takes anything. */
export interface MailReaders {
  /** Writes this reader's record where it is absent or old. */
  announce(folder: string): Promise<Result<void>>;
  withdraw(folder: string): Promise<Result<void>>;
  /** Whether what that reader has taken may be offered again. */
  isOver(folder: string, reader: string): Promise<Result<boolean>>;
  /** Removes records of readers that are dead and have nothing. */
  sweep(folder: string, busy: ReadonlySet<string>): Promise<Result<void>>;
}

export interface MailReadersOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  /** This reader's id. */
  readonly self: string;
}

export function createMailReaders({ disk, clock, ids, processes, self }: MailReadersOptions): MailReaders {
  const announcedMs = new Map<string, number>();
  const pathOf = (folder: string, reader: string) => `${folder}/readers/${reader}.json`;

  async function isOver(folder: string, reader: string): Promise<Result<boolean>> {
    if (reader === self) return ok(false);
    const bytes = await readWholeFile(disk, pathOf(folder, reader), maxRecordBytes);
    if (!bytes.ok) return bytes.error.code === "not-found" ? ok(true) : bytes;
    const record = parseRecord(Buffer.from(bytes.value).toString("utf8"));
    if (record === null) return ok(true);
    const state = await judgeHolder(record, await processes.self(), processes.look);
    const isOld = Math.abs(clock.now() - record.heartbeatMs) > readerPatienceMs;
    return ok(state === "dead" || (state === "unsure" && isOld));
  }

  return {
    async announce(folder) {
      const last = announcedMs.get(folder);
      const heartbeatMs = clock.now();
      if (last !== undefined && Math.abs(heartbeatMs - last) < renewMs) return ok();
      const bytes = Buffer.from(`${JSON.stringify({ ...(await processes.self()), heartbeatMs })}\n`);
      const temporary = `${folder}/tmp/${ids.next("tmp")}`;
      const written = await writeWholeFile(disk, pathOf(folder, self), bytes, {
        temporary,
        durable: false,
        when: "replace",
      });
      if (written.ok) announcedMs.set(folder, heartbeatMs);
      return written;
    },
    async withdraw(folder) {
      announcedMs.delete(folder);
      const removed = await disk.remove(pathOf(folder, self));
      return removed.ok || removed.error.code === "not-found" ? ok() : removed;
    },
    isOver,
    async sweep(folder, busy) {
      const names = await disk.list(`${folder}/readers`);
      if (!names.ok) return names;
      for (const name of names.value) {
        const [, reader] = /^(.+)\.json$/.exec(name) ?? [];
        if (reader === undefined || busy.has(reader)) continue;
        const over = await isOver(folder, reader);
        if (over.ok && over.value) await disk.remove(`${folder}/readers/${name}`);
      }
      return ok();
    },
  };
}

function parseRecord(text: string): ReaderRecord | null {
  const value = (parseJson(text) ?? {}) as Partial<ReaderRecord>;
  const { pid, startTime, bootId, host, pidNamespace, heartbeatMs } = value;
  const isNamed = [startTime, bootId, host, pidNamespace].every((one) => typeof one === "string");
  return isNamed && Number.isSafeInteger(pid) && typeof heartbeatMs === "number"
    ? (value as ReaderRecord)
    : null;
}
