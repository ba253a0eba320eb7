import { describe, it } from "vitest";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { fileTreeConformance } from "../../../../../testing/src/conformance/file-tree.ts";
import { createVirtualClock, createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { createRuntime } from "../../../runtime.ts";
import { createNodeDisk } from "../disk/node-disk.ts";
import { createFileTree } from "./file-tree.ts";

for (const durable of [true, false]) {
  describe(`file tree on the real disk, durable ${durable}`, () => {
    const create = async () => {
      const folder = `${await temporaryFolder()}/memory`;
      const open = () => createFileTree({ ...createRuntime(), disk: createNodeDisk(), folder, durable });
      return { first: open(), second: open() };
    };
    for (const { name, run } of fileTreeConformance(create)) it(name, run);
  });

  describe(`file tree on a virtual disk, durable ${durable}`, () => {
    const create = async () => {
      const disk = createVirtualDisk();
      const clock = createVirtualClock();
      const open = (label: string) =>
        createFileTree({
          disk: disk.attach(),
          folder: "/home/memory",
          clock,
          ids: createVirtualIds(label),
          durable,
        });
      return { first: open("a"), second: open("b") };
    };
    for (const { name, run } of fileTreeConformance(create)) it(name, run);
  });
}
