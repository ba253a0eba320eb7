import { describe, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createRuntime } from "../../runtime.ts";
import { blobStoreConformance } from "../../testing/conformance/blob-store.ts";
import { createVirtualDisk } from "../../testing/virtual-disk.ts";
import { createVirtualIds } from "../../testing/virtual-ids.ts";
import { createFileBlobStore } from "./blob-store.ts";
import { createLayout } from "./layout.ts";
import { createNodeDisk } from "./node-disk.ts";

describe("file blob store on the real disk", () => {
  const create = async () => {
    const layout = createLayout(await temporaryFolder(), "project");
    const open = () => createFileBlobStore({ disk: createNodeDisk(), layout, ids: createRuntime().ids });
    return { first: open(), second: open() };
  };
  for (const { name, run } of blobStoreConformance(create)) it(name, run);
});

describe("file blob store on a virtual disk", () => {
  const create = async () => {
    const disk = createVirtualDisk();
    const layout = createLayout("/home", "project");
    const open = (label: string) =>
      createFileBlobStore({ disk: disk.attach(), layout, ids: createVirtualIds(label) });
    return { first: open("a"), second: open("b") };
  };
  for (const { name, run } of blobStoreConformance(create)) it(name, run);
});
