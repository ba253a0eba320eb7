import { describe, expect, it } from "vitest";
import { messageDraft, sessionDraft } from "../../../../../../test/support/entries.ts";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { createVirtualStore, logPath } from "../../../../../../test/support/virtual-store.ts";
import { logStoreConformance } from "../../../../../testing/src/conformance/log-store.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import type { LeaseStore } from "../../../spec/index.ts";
import { openFileStore } from "../index.ts";
import { createFileLogStore } from "./log-store.ts";

describe("file log store on a virtual disk", () => {
  for (const { name, run } of logStoreConformance(async () => createVirtualStore().logs)) it(name, run);
});

describe("file log store", () => {
  it("writes to the file that is there once it has the lease, not to one it opened before", async () => {
    const disk = createVirtualDisk();
    const store = createVirtualStore({ disk });
    must(await must(await store.logs.create(sessionDraft("one"))).close());
    const replaceFirst: LeaseStore = {
      ...store.leases,
      async acquire(name, options) {
        disk.writeWhole(`${logPath("one")}.new`, disk.readWhole(logPath("one")));
        must(await disk.rename(`${logPath("one")}.new`, logPath("one")));
        return store.leases.acquire(name, options);
      },
    };
    const parts = {
      disk,
      clock: createVirtualClock(),
      ids: createVirtualIds("b"),
      blobs: store.blobs,
      layout: store.layout,
    };
    const logs = createFileLogStore({
      ...parts,
      leases: replaceFirst,
      writer: { pid: 1, host: "here", version: "0" },
    });
    const writer = must(await logs.open("one", () => undefined));
    const [added] = must(await writer.append([messageDraft("acknowledged")]));
    must(await writer.close());
    const ids: string[] = [];
    must(await store.logs.scan("one", ({ id }) => ids.push(id)));
    expect(ids.at(-1)).toBe(added?.entry.id);
  });

  it("leaves no lease behind for a session that is not there", async () => {
    const disk = createVirtualDisk();
    const { logs } = createVirtualStore({ disk });
    expect(refused(await logs.open("nowhere", () => undefined))).toBe("not-found");
    expect([...disk.snapshot().keys()]).toEqual([]);
  });
});

describe("file log store on the real disk", () => {
  const create = async () => {
    const opened = await openFileStore({ home: await temporaryFolder(), project: "test-00000000" });
    if (!opened.ok) throw opened.error;
    return opened.value.logs;
  };
  for (const { name, run } of logStoreConformance(create)) it(name, run);
});
