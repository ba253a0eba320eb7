import { appendFile, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { spendingLedgerConformance } from "../../../../../testing/src/conformance/spending-ledger.ts";
import { createVirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { createRuntime } from "../../../runtime.ts";
import { createNodeDisk } from "../disk/node-disk.ts";
import { createFileSpendingLedger } from "./spending-ledger.ts";

const { clock, ids } = createRuntime();
const day = "2026-01-31";
const claim = (dollars: number) => ({ scope: "all", day, dollars, limit: 10 });

async function onRealDisk(options: { readonly heldMs?: number } = {}) {
  const home = await temporaryFolder();
  const open = () => createFileSpendingLedger({ home, disk: createNodeDisk(), clock, ids, ...options });
  return { home, open, first: open(), second: open() };
}

describe("file spending ledger", () => {
  for (const { name, run } of spendingLedgerConformance(onRealDisk, () => onRealDisk({ heldMs: 0 })))
    it(name, run);

  it("never passes the limit with 20 handles and 50 reservations each", async () => {
    const { home, open } = await onRealDisk();
    const work = Array.from({ length: 20 }, async () => {
      const ledger = open();
      for (let index = 0; index < 50; index += 1) {
        const token = await ledger.reserve(claim(0.02));
        if (token.ok) must(await ledger.settle(token.value, 0.015));
      }
    });
    await Promise.all(work);
    const { dollars, reserved } = must(await open().spent("all", day));
    expect(reserved).toBe(0);
    expect(dollars).toBeLessThanOrEqual(10);
    expect(dollars).toBeGreaterThan(9.98 - 20 * 0.02);
    const lines = (await readFile(`${home}/spending/${day}.jsonl`, "utf8")).split("\n").filter(Boolean);
    expect(lines.filter((line) => line.startsWith('{"reserve"'))).toHaveLength(1000);
  });

  it("goes on behind half a line and behind lines that say nothing", async () => {
    const { home, first, second } = await onRealDisk();
    must(await first.reserve(claim(4)));
    const path = `${home}/spending/${day}.jsonl`;
    for (const text of [
      '{"reserve":"x","sco',
      "\nnull\n",
      '\n{"settle":"y","scope":"all","amount":-5,"atMs":0}\n',
    ])
      await appendFile(path, text);
    must(await first.reserve(claim(6)));
    expect(refused(await second.reserve(claim(1)))).toBe("over-budget");
  });

  it("gives nothing where nothing can be written down", async () => {
    const disk = createVirtualDisk();
    const ledger = createFileSpendingLedger({ home: "/home", disk, clock, ids });
    must(await ledger.reserve(claim(1)));
    disk.setCapacity(0);
    expect(refused(await ledger.reserve(claim(1)))).toBe("disk-full");
  });
});
