import { mkdir, stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { learnedStoreConformance } from "../../../../testing/src/conformance/learned-store.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualIds } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { createRuntime } from "../../runtime.ts";
import { createNodeDisk } from "./disk/node-disk.ts";
import { createFileLearnedStore } from "./learned-store.ts";

async function onRealDisk() {
  const home = await temporaryFolder();
  const open = () => createFileLearnedStore({ home, disk: createNodeDisk(), ids: createRuntime().ids });
  return { home, first: open(), second: open() };
}

describe("file learned store on the real disk", () => {
  for (const { name, run } of learnedStoreConformance(onRealDisk)) it(name, run);

  it("is for its owner's eyes, and says when a file is damaged", async () => {
    const { home, first } = await onRealDisk();
    must(await first.write("rates", 1));
    expect((await stat(`${home}/learned/rates.json`)).mode & 0o777).toBe(0o600);
    expect((await stat(`${home}/learned`)).mode & 0o777).toBe(0o700);
    await writeFile(`${home}/learned/rates.json`, '{"a":');
    expect(refused(await first.read("rates"))).toBe("corrupt");
    await mkdir(`${home}/learned/gaps.json`);
    expect(refused(await first.read("gaps"))).not.toBe("not-found");
  });
});

describe("file learned store on a virtual disk", () => {
  let opened = 0;
  const create = async () => {
    const disk = createVirtualDisk();
    const open = () => {
      opened += 1;
      return createFileLearnedStore({ home: "/home", disk, ids: createVirtualIds(`p${opened}-`) });
    };
    return { first: open(), second: open() };
  };
  for (const { name, run } of learnedStoreConformance(create)) it(name, run);
});
