import { describe, expect, it } from "vitest";
import { must, refused } from "../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../testing/src/virtual-disk.ts";
import { type Durability, fail, ok } from "../spec/index.ts";
import { createAppendQueue, relaxedFlushBytes, relaxedFlushMs } from "./append-queue.ts";

async function setUp(durability: Durability, options: { contested?: boolean } = {}) {
  const clock = createVirtualClock();
  const disk = createVirtualDisk({ clock });
  const file = must(await disk.open("/log", "create"));
  let verdict = ok() as ReturnType<typeof fail> | ReturnType<typeof ok>;
  const queue = createAppendQueue({
    file,
    size: 0,
    durability,
    clock,
    contested: options.contested ?? false,
    mayWrite: async () => verdict as never,
  });
  return {
    clock,
    disk,
    queue,
    append: (text: string) => queue.append(Buffer.from(text)),
    text: () => Buffer.from(disk.readWhole("/log")).toString(),
    named: (name: string) => disk.operations.filter((operation) => operation.name === name).length,
    forbid: () => {
      verdict = fail("fenced", "taken");
    },
  };
}

describe("append queue", () => {
  it("acknowledges at process when the lines are written, and syncs nothing", async () => {
    const { append, text, named } = await setUp("process");
    expect(must(await append("a\n"))).toBe(0);
    expect(must(await append("bb\n"))).toBe(2);
    expect([text(), named("sync")]).toEqual(["a\nbb\n", 0]);
  });

  it("acknowledges at fsync when the lines are synced", async () => {
    const { append, disk } = await setUp("fsync");
    must(await append("a\n"));
    expect(disk.operations.map(({ name }) => name).slice(-2)).toEqual(["append", "sync"]);
  });

  it("writes what came during a write together, in order, with one sync", async () => {
    const { append, text, named } = await setUp("fsync");
    const places = await Promise.all(Array.from({ length: 10 }, (_, index) => append(`${index}\n`)));
    expect(places.map(must)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
    expect(text()).toBe("0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    expect([named("append"), named("sync")]).toEqual([2, 2]);
  });

  it("acknowledges at relaxed at once and writes after its time", async () => {
    const { append, clock, text, named } = await setUp("relaxed");
    expect(must(await append("a\n"))).toBe(0);
    expect(must(await append("b\n"))).toBe(2);
    await clock.advance(relaxedFlushMs - 1);
    expect(text()).toBe("");
    await clock.advance(1);
    expect([text(), named("append")]).toEqual(["a\nb\n", 1]);
  });

  it("never lets more than its bytes wait at relaxed", async () => {
    const { append, text } = await setUp("relaxed");
    const line = `${"x".repeat(999)}\n`;
    let accepted = 0;
    for (let count = 0; count < 500; count += 1) {
      must(await append(line));
      accepted += line.length;
      expect(accepted - text().length).toBeLessThan(relaxedFlushBytes);
    }
  });

  it("writes everything on flush and on close", async () => {
    const { append, queue, text } = await setUp("relaxed");
    must(await append("a\n"));
    must(await queue.flush());
    expect(text()).toBe("a\n");
    must(await append("b\n"));
    must(await queue.close());
    expect(text()).toBe("a\nb\n");
    expect(refused(await append("c\n"))).toBe("closed");
  });

  it("takes a half-written batch back when the disk is full, and goes on when there is room", async () => {
    const { append, disk, text } = await setUp("process");
    must(await append("first\n"));
    disk.setCapacity(10);
    expect(refused(await append("second line\n"))).toBe("disk-full");
    expect(text()).toBe("first\n");
    disk.setCapacity(1000);
    expect(must(await append("third\n"))).toBe(6);
    expect(text()).toBe("first\nthird\n");
  });

  it("refuses everything once it cannot take a half-written batch back", async () => {
    const { append, disk, queue, text } = await setUp("process");
    disk.setCapacity(4);
    disk.failWhen(({ name }) => name === "truncate", "io");
    expect(refused(await append("first\n"))).toBe("disk-full");
    disk.setCapacity(1000);
    expect(refused(await append("second\n"))).toBe("disk-full");
    expect(refused(await queue.close())).toBe("disk-full");
    expect(text()).toBe("firs");
  });

  it("never trusts a file again whose sync has failed", async () => {
    const { append, disk } = await setUp("fsync");
    disk.failAt(disk.operations.length + 1, "io");
    expect(refused(await append("a\n"))).toBe("io");
    expect(refused(await append("b\n"))).toBe("io");
  });

  it("tells a relaxed caller of lost lines at the next call, for good", async () => {
    const { append, clock, disk, queue } = await setUp("relaxed");
    disk.setCapacity(1);
    must(await append("lost\n"));
    await clock.advance(relaxedFlushMs);
    disk.setCapacity(1000);
    expect(refused(await append("next\n"))).toBe("disk-full");
    expect(refused(await queue.flush())).toBe("disk-full");
  });

  it("tells a relaxed caller too when it may no longer write", async () => {
    const { append, clock, forbid, queue, text } = await setUp("relaxed");
    must(await append("lost\n"));
    forbid();
    await clock.advance(relaxedFlushMs);
    expect([refused(await append("next\n")), refused(await queue.close()), text()]).toEqual([
      "fenced",
      "fenced",
      "",
    ]);
  });

  it("asks before it writes", async () => {
    const { append, forbid, text } = await setUp("process");
    must(await append("mine\n"));
    forbid();
    expect(refused(await append("not mine\n"))).toBe("fenced");
    expect(text()).toBe("mine\n");
  });

  it("starts every batch on a line of its own where another process may still write", async () => {
    const { append, disk, text } = await setUp("process", { contested: true });
    const other = must(await disk.open("/log", "append"));
    must(await other.append(Buffer.from("half a li")));
    expect(must(await append("mine\n"))).toBe(10);
    must(await other.append(Buffer.from("ne\n")));
    expect(must(await append("mine too\n"))).toBe(19);
    expect(text()).toBe("half a li\nmine\nne\n\nmine too\n");
  });
});
