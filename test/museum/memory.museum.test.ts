import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linkedPath } from "../../packages/core/src/memory/build-index.ts";
import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import { PalimpsestError } from "../../packages/core/src/spec/index.ts";
import { markRecalled } from "../../packages/core/src/view/trust/index.ts";
import { memoryText } from "../support/memory-texts.ts";
import { failure, openMemoryFolder } from "../support/open-memory-folder.ts";
import { readFixture, readJsonFixture } from "./read-fixture.ts";

const count = readFixture("22-count.md").toString();
const numbered = (value: number) => count.replaceAll("{number}", `${value}`);

/** Raises a number by compare-and-swap: a stale write is planned again on what stands there. */
async function raise(dir: string, times: number): Promise<void> {
  const memory = await openMemory({ dir, durable: false });
  for (let done = 0; done < times; ) {
    const { memory: seen } = await memory.read("count.md");
    try {
      await memory.write("count.md", numbered(Number(seen?.body) + 1), { expect: seen?.version ?? 0 });
      done += 1;
    } catch (cause) {
      if (!PalimpsestError.isInstance(cause) || cause.code !== "conflict") throw cause;
    }
  }
  await memory.close();
}

describe("museum: memory", () => {
  it("22: sessions that write one memory and its index at once lose nothing of each other", async () => {
    const { dir, memory } = await openMemoryFolder();
    await memory.write("count.md", numbered(0));
    const other = await openMemory({ dir, durable: false });
    const own = async (name: string) => {
      for (let at = 0; at < 5; at += 1) await other.write(`${name}-${at}.md`, memoryText({ name }));
    };
    await Promise.all([raise(dir, 10), raise(dir, 10), raise(dir, 10), own("one"), own("two")]);
    expect((await memory.read("count.md")).memory?.body).toBe("30\n");
    expect(await memory.history("count.md")).toHaveLength(31);
    const { text } = await memory.read("MEMORY.md");
    expect(text).toContain("at 30");
    expect(text.split("\n").flatMap((line) => linkedPath(line) ?? [])).toHaveLength(11);
  });

  it("22: a stale write is refused, with what stands there now", async () => {
    const { memory } = await openMemoryFolder();
    const { version } = await memory.write("count.md", numbered(1));
    await memory.write("count.md", numbered(2));
    expect(await failure(memory.write("count.md", numbered(9), { expect: version.version }))).toMatchObject({
      code: "conflict",
      facts: { version: 2, text: expect.stringContaining("at 2") },
    });
    expect((await memory.read("count.md")).memory?.body).toBe("2\n");
  });

  it("25: a folder full of what was recalled and kept again is told by its rates", async () => {
    const { dir, memory } = await openMemoryFolder({ maskSecrets: false });
    await mkdir(dir, { recursive: true });
    const { memories, original, recalled } = readJsonFixture<{
      memories: number;
      original: string;
      recalled: string;
    }>("25-kept-again.json");
    for (let at = 0; at < memories; at += 1) {
      const copy = () => markRecalled(recalled.replace("{number}", `${at}`), "tea.md");
      const body = at === 0 ? original : copy();
      await writeFile(join(dir, `m${at}.md`), memoryText({ name: `M${at}`, body }));
    }
    const { rates } = await memory.doctor();
    expect(rates["recall-loop"]).toEqual({
      count: memories - 1,
      of: memories,
      rate: (memories - 1) / memories,
    });
  });

  it("26: an index that overflows refuses what is new, and what is loaded has the newest correction", async () => {
    const { dir, clock, memory } = await openMemoryFolder();
    await mkdir(dir, { recursive: true });
    const { memories, corrected, used } = readJsonFixture<{
      memories: number;
      corrected: string;
      used: string;
    }>("26-overflowing-index.json");
    for (let at = 0; at < memories; at += 1)
      await writeFile(join(dir, `m${at}.md`), memoryText({ name: `M${at}`, body: `Fact ${at}.` }));
    await memory.list();
    expect(await failure(memory.write("new.md", memoryText({ name: "New" })))).toMatchObject({
      code: "too-large",
      fix: expect.stringContaining("Remove or merge"),
    });
    await clock.advance(60_000);
    await memory.write(corrected, memoryText({ name: "M99", body: "Corrected." }));
    memory.use(used);
    await memory.close();
    const again = await openMemory({ dir, durable: false, clock });
    const { text, leftOut } = await again.loadIndex();
    const kept = text.split("\n").flatMap((line) => linkedPath(line) ?? []);
    expect(kept).toEqual(expect.arrayContaining([used, corrected]));
    expect(kept.length + leftOut).toBe(memories);
    expect(text).toContain(`${leftOut} memories are not shown`);
  });
});
