import { expect, it } from "vitest";
import { openVirtualTree } from "../../../../../test/support/tree-schedules.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { readDailyLog } from "../../layers/6-dream/rules/dream-prompt.ts";
import { writeDailyLog } from "./dream-record.ts";

const at = "2026-01-05T09:07:31.000Z";
const path = "logs/2026/01/2026-01-05.md";

it("keeps the lines of several writers at once", async () => {
  const disk = createVirtualDisk();
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
  const written = await Promise.all(
    lines.map((text, index) => writeDailyLog(openVirtualTree(disk), { at, text, session: `s${index % 3}` })),
  );
  expect(written.filter(({ ok }) => !ok)).toEqual([]);
  const tree = openVirtualTree(disk);
  const log = readDailyLog(path, must(await tree.read(path)).text);
  expect(log.map(({ text }) => text).sort()).toEqual(lines.toSorted());
  expect(must(await tree.history(path))[0]).toMatchObject({
    author: "agent",
    session: expect.stringMatching(/^s/),
  });
});

it("gives refusals to the caller", async () => {
  const disk = createVirtualDisk();
  expect(refused(await writeDailyLog(openVirtualTree(disk), { at: "", text: "a" }))).toBe("invalid-input");
  expect(refused(await writeDailyLog(openVirtualTree(disk), { at, text: "" }))).toBe("invalid-input");
  disk.failWhen(() => true, "permission");
  expect(refused(await writeDailyLog(openVirtualTree(disk), { at, text: "a" }))).toBe("permission");
});
