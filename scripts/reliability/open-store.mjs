import { createRuntime } from "../../dist/runtime.js";
import { createFileStore, createNodeDisk } from "../../dist/stores/files/index.js";

/** Where everything of the reliability suite keeps what it writes: the one place that knows of kinds of stores. */
export const project = "reliability-00000000";

/**
 * Opens the store that an address names: a folder. `watchDisk` is handed the disk of a store of files, and gives the one
 * that is used.
 */
export async function openStore(address, watchDisk = (disk) => disk) {
  if (/^\w+:\/\//.test(address)) {
    throw new Error(`${address.split(":")[0]}: is no store that this suite can open. Name a folder.`);
  }
  const runtime = createRuntime();
  const { pid, host } = await runtime.processes.self();
  const disk = watchDisk(createNodeDisk());
  return createFileStore({
    ...runtime,
    home: address,
    project,
    disk,
    writer: { pid, host, version: "0.0.0" },
  });
}
