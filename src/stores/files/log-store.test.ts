import { describe, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createVirtualStore } from "../../../test/support/virtual-store.ts";
import { logStoreConformance } from "../../testing/conformance/log-store.ts";
import { openFileStore } from "./index.ts";

describe("file log store on a virtual disk", () => {
  for (const { name, run } of logStoreConformance(async () => createVirtualStore().logs)) it(name, run);
});

describe("file log store on the real disk", () => {
  const create = async () => {
    const opened = await openFileStore({ home: await temporaryFolder(), project: "test-00000000" });
    if (!opened.ok) throw opened.error;
    return opened.value.logs;
  };
  for (const { name, run } of logStoreConformance(create)) it(name, run);
});
