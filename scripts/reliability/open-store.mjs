import { createRuntime } from "../../packages/core/build/runtime.js";
import { createFileStore, createNodeDisk } from "../../packages/core/build/stores/files/index.js";

/** Where everything of the reliability suite keeps what it writes: the one place that knows of kinds of stores. */
export const project = "reliability-00000000";

/** Whether an address is a database's: such a store has no disk of its own here, and no bytes to count. */
export const isDatabase = (address) => /^postgres(ql)?:\/\//.test(address);

/** An address as it may be printed. */
export const shownAddress = (address) => address.replace(/(:\/\/[^:@/]*):[^@/]*@/, "$1:…@");

const databases = new Map();

/** One pool of connections a process. */
async function openDatabaseStore(url, of) {
  const { openStores } = await import("../../packages/core/build/stores/open-stores.js");
  if (!databases.has(url)) databases.set(url, openStores({ store: url }));
  const opened = await databases.get(url);
  if (!opened.ok) throw opened.error;
  return opened.value.store(of);
}

/** Gives back the connections to a database that is about to end. */
export async function closeDatabase(url) {
  const opened = await databases.get(url);
  databases.delete(url);
  if (opened?.ok) await opened.value.close();
}

/**
 * Opens the store that an address names: a folder, or a database. `watchDisk` is handed the disk of a store of files, and
 * gives the one that is used.
 */
export async function openStore(address, watchDisk = (disk) => disk, of = project) {
  if (isDatabase(address)) return openDatabaseStore(address, of);
  if (/^\w+:\/\//.test(address)) {
    throw new Error(
      `${address.split(":")[0]}: is no store that this suite can open. Name a folder, or postgres://….`,
    );
  }
  const runtime = createRuntime();
  const { pid, host } = await runtime.processes.self();
  const disk = watchDisk(createNodeDisk());
  return createFileStore({
    ...runtime,
    home: address,
    project: of,
    disk,
    writer: { pid, host, version: "0.0.0" },
  });
}
