import { describe, it } from "vitest";
import { recallIndexConformance } from "../../../testing/conformance/recall-index.ts";
import { createVirtualDisk } from "../../../testing/virtual-disk.ts";
import { createVirtualIds } from "../../../testing/virtual-ids.ts";
import { createFileRecallIndex } from "./create-file-recall-index.ts";

describe("the recall index in files", () => {
  const cases = recallIndexConformance(async () => {
    const disk = createVirtualDisk();
    const open = (ids: string) =>
      createFileRecallIndex({ disk, folder: "/recall", ids: createVirtualIds(ids) });
    return { first: open("a-"), second: open("b-") };
  });
  for (const { name, run } of cases) it(name, run);
});
