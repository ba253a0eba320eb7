import { describe, expect, it } from "vitest";
import type { Entry, LogWriter } from "../../packages/core/src/spec/index.ts";
import { leasePatienceMs } from "../../packages/core/src/stores/shared/leases.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../packages/testing/src/virtual-processes.ts";
import { messageDraft, sessionDraft } from "../support/entries.ts";
import { createVirtualStore, logPath } from "../support/virtual-store.ts";

/** A writer on one host that was paused, and a store on another host whose clock has gone on. */
async function createRivals() {
  const disk = createVirtualDisk();
  const processes = createVirtualProcesses();
  const paused = createVirtualStore({ disk: disk.attach(), clock: createVirtualClock(), processes });
  const writer = must(await paused.logs.create(sessionDraft("one")));
  must(await writer.append([messageDraft("before")]));
  const clock = createVirtualClock();
  clock.jump(leasePatienceMs + 1);
  const rival = createVirtualStore({
    disk: disk.attach(),
    clock,
    processes: processes.spawn({ host: "host-2" }),
  });
  return { disk, writer, rival };
}

async function microtasks(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await Promise.resolve();
}

const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id);

async function writtenBy(writer: LogWriter, text: string): Promise<string> {
  const [added] = must(await writer.append([messageDraft(text)]));
  return added?.entry.id ?? "";
}

describe("a writer that was taken over", () => {
  it("cannot interleave: its late lines are fenced, reported and kept aside", async () => {
    const { disk, writer, rival } = await createRivals();
    const taken = must(await rival.logs.open("one", () => undefined, { takeOver: true }));
    const late = await writtenBy(writer, "too late");
    const mine = await writtenBy(taken, "mine");
    const entries: Entry[] = [];
    const report = must(await rival.logs.scan("one", (entry) => entries.push(entry)));
    expect(report.fencedLines).toBe(1);
    expect([idsOf(entries).includes(late), idsOf(entries).includes(mine)]).toEqual([false, true]);
    must(await taken.close());
    const again = must(await rival.logs.open("one", () => undefined));
    expect(again.report.asides).toEqual([`${logPath("one")}.fenced`]);
    expect(Buffer.from(disk.readWhole(`${logPath("one")}.fenced`)).toString()).toContain("too late");
  });

  it("gives back nothing that is not its own when it closes", async () => {
    const { writer, rival } = await createRivals();
    must(await rival.logs.open("one", () => undefined, { takeOver: true }));
    const closed = await writer.close();
    expect(closed.ok).toBe(true);
    expect(must(await rival.leases.holder("one"))?.host).toBe("host-2");
  });

  it("never makes the new writer believe another history than every reader sees, whenever it writes", async () => {
    let late = 0;
    for (let delay = 0; delay < 160; delay += 1) {
      const { disk, writer, rival } = await createRivals();
      const shown: Entry[] = [];
      const opening = rival.logs.open("one", (entry) => shown.push(entry), { takeOver: true });
      await microtasks(delay);
      const rivalling = writer.append([messageDraft("rivalling"), messageDraft("still rivalling")]);
      const taken = must(await opening);
      await rivalling;
      const mine = await writtenBy(taken, "mine");
      const seen: Entry[] = [];
      const report = must(await createVirtualStore({ disk }).logs.scan("one", (entry) => seen.push(entry)));
      expect(report.corruptLines, `delay ${delay}`).toBe(0);
      const others = seen.filter(({ epoch }) => epoch < taken.epoch);
      expect(idsOf(shown), `delay ${delay}`).toEqual(idsOf(others));
      expect(idsOf(seen).at(-1)).toBe(mine);
      if (shown.length > 2) late += 1;
    }
    expect(late).toBeGreaterThan(10);
  });
});
