import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linkedPath } from "../../src/context/memory/index-line.ts";
import { markRecalled } from "../../src/context/trust/index.ts";
import { openMemory } from "../../src/engine/memory/open-memory.ts";
import { PalimpsestError } from "../../src/spec/index.ts";
import { memoryText } from "../support/memory-texts.ts";
import { failure, openMemoryFolder } from "../support/open-memory-folder.ts";

const numbered = (value: number) =>
  memoryText({ name: "Count", description: `at ${value}`, body: `${value}` });

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
    for (let at = 0; at < 45; at += 1) {
      const body =
        at === 0 ? "The tea is in the blue cupboard." : markRecalled(`Copy ${at} of the tea.`, "tea.md");
      await writeFile(join(dir, `m${at}.md`), memoryText({ name: `M${at}`, body }));
    }
    const { rates } = await memory.doctor();
    expect(rates["recall-loop"]).toEqual({ count: 44, of: 45, rate: 44 / 45 });
  });

  it("26: an index that overflows refuses what is new, and what is loaded has the newest correction", async () => {
    const { dir, clock, memory } = await openMemoryFolder();
    await mkdir(dir, { recursive: true });
    for (let at = 0; at < 230; at += 1)
      await writeFile(join(dir, `m${at}.md`), memoryText({ name: `M${at}`, body: `Fact ${at}.` }));
    await memory.list();
    expect(await failure(memory.write("new.md", memoryText({ name: "New" })))).toMatchObject({
      code: "too-large",
      fix: expect.stringContaining("Remove or merge"),
    });
    await clock.advance(60_000);
    await memory.write("m99.md", memoryText({ name: "M99", body: "Corrected." }));
    memory.use("m7.md");
    await memory.close();
    const again = await openMemory({ dir, durable: false, clock });
    const { text, leftOut } = await again.loadIndex();
    const kept = text.split("\n").flatMap((line) => linkedPath(line) ?? []);
    expect(kept).toEqual(expect.arrayContaining(["m7.md", "m99.md"]));
    expect(kept.length + leftOut).toBe(230);
    expect(text).toContain(`${leftOut} memories are not shown`);
  });
});
