import { describe, it } from "vitest";
import { recallIndexConformance } from "../../../../../testing/src/conformance/recall-index.ts";
import { createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { createFileRecallIndex } from "./recall-index.ts";

describe("the recall index in files", () => {
  const cases = recallIndexConformance(async () => {
    const disk = createVirtualDisk();
    const open = (ids: string) =>
      createFileRecallIndex({ disk, folder: "/recall", ids: createVirtualIds(ids) });
    return { first: open("a-"), second: open("b-") };
  });
  for (const { name, run } of cases) it(name, run);
});
