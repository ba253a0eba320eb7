import { describe, expect, it } from "vitest";
import { createVirtualDisk } from "../../../../testing/src/index.ts";
import { createFileDayBook } from "./create-agents.ts";
import { createDaySpend } from "./tree-meter.ts";

function spend(disk = createVirtualDisk(), day = { now: "2026-01-01" }) {
  const warnings: string[] = [];
  const made = createDaySpend({
    book: createFileDayBook({ disk, folder: "/data/agent-spend" }),
    today: () => day.now,
    warn: (text) => warnings.push(text),
  });
  return { ...made, disk, day, warnings };
}

describe("what agents spend in a day", () => {
  it("is counted over all sessions, and begins anew with the day", async () => {
    const day = { now: "2026-01-01" };
    const one = spend(createVirtualDisk(), day);
    const other = spend(one.disk, day);
    one.add(1.5);
    one.add(2);
    other.add(4);
    await Promise.all([one.settle(), other.settle()]);
    await one.load();
    expect(one.dollars()).toBe(7.5);
    day.now = "2026-01-02";
    await one.load();
    expect(one.dollars()).toBe(0);
    one.add(1);
    expect(one.dollars()).toBe(1);
    expect([...one.warnings, ...other.warnings]).toEqual([]);
  });

  it("takes lines that nobody can read for nothing", async () => {
    const { disk, load, dollars } = spend();
    await disk.makeDirectory("/data/agent-spend");
    const file = await disk.open("/data/agent-spend/2026-01-01.jsonl", "create");
    const lines = [
      '{"dollars":2}',
      "{",
      "null",
      '{"dollars":-9}',
      '{"dollars":"x"}',
      '{"dollars":1}',
      '{"dol',
    ];
    if (file.ok) await file.value.append(new TextEncoder().encode(lines.join("\n")));
    await load();
    expect(dollars()).toBe(3);
  });
});
