import { describe, expect, it } from "vitest";
import {
  type DreamProcess,
  dreamDisk,
  dreamer,
  openDreamProcess,
  scribe,
  textsOf,
  topic,
} from "../../../../../test/support/dream-world.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { fail, ok } from "../../spec/index.ts";
import type { DreamMode, DreamReport } from "./dream-once.ts";
import type { Dreamer } from "./dreamer.ts";

const files = {
  "a.md": topic("The server listens on port 8123 in every region."),
  "b.md": topic("The server listens on port 8123 in every region."),
  "c.md": topic("Anna owns billing."),
  "d.md": topic("Postgres is at version 16.", { confirmed: "true" }),
};

async function byHand(process: DreamProcess, by: Dreamer, how: DreamMode = {}): Promise<DreamReport> {
  const emit = (event: (typeof process.events)[number]) => void process.events.push(event);
  return must(await process.dreams.once(by, { isByHand: true, emit, ...how }));
}

/** The files without the index, which is made from them. */
async function memoriesOf(process: DreamProcess) {
  const { "MEMORY.md": _index, ...rest } = await textsOf(process.memory);
  return rest;
}

const withoutB = { "a.md": files["a.md"], "c.md": files["c.md"], "d.md": files["d.md"] };
const lastOf = async ({ lock }: DreamProcess) => must(await lock.lastConsolidatedMs());

describe("a dream", () => {
  it("by the scribe merges, builds the index, sets the time, and is taken back whole", async () => {
    const process = openDreamProcess(await dreamDisk(files));
    const before = await lastOf(process);
    const report = await byHand(process, scribe);
    expect(report).toMatchObject({ outcome: "completed", record: { state: "applied" }, reasons: [] });
    expect(await memoriesOf(process)).toEqual(withoutB);
    const { "MEMORY.md": index = "" } = await textsOf(process.memory);
    expect([index.includes("(a.md)"), index.includes("(b.md)")]).toEqual([true, false]);
    expect(await lastOf(process)).toBeGreaterThan(before ?? 0);
    const [first, ...rest] = process.events;
    const dream = (first as { readonly dream: string }).dream;
    expect(first).toEqual({ type: "dream-start", dream, by: "scribe" });
    expect(rest).toEqual([
      { type: "dream-update", dream, state: "updating", turns: 0, files: ["b.md"] },
      { type: "dream-end", dream, by: "scribe", outcome: "completed", turns: 0, files: ["b.md"] },
    ]);
    must(await process.dreams.changes.revert(dream));
    expect(await memoriesOf(process)).toEqual(files);
    expect((await textsOf(process.memory))["MEMORY.md"]).toContain("(b.md)");
  });

  it("that finds nothing to do leaves no record, and counts", async () => {
    const process = openDreamProcess(await dreamDisk(withoutB));
    const before = await lastOf(process);
    const report = await byHand(process, scribe);
    expect(report).toMatchObject({ outcome: "completed", changeSet: { changes: [] } });
    expect(must(await process.dreams.changes.list())).toEqual([]);
    expect(await lastOf(process)).toBeGreaterThan(before ?? 0);
    expect((await textsOf(process.memory))["MEMORY.md"]).toContain("(a.md)");
  });

  it("keeps the front matter that a person has added, and who a hand-written memory is by", async () => {
    const disk = await dreamDisk({});
    const process = openDreamProcess(disk);
    const said =
      "---\nname: Trip\ndescription: when it is planned\ntype: reference\nmood: good\n---\n\nWe leave tomorrow.\n";
    must(await process.memory.write("trip.md", said, { author: "outside" }));
    await byHand(process, scribe);
    const { "trip.md": text = "" } = await textsOf(process.memory);
    expect(text).toMatch(/mood: good\nauthor: user\ntrust: trusted\n---\n\nWe leave on \d{4}-\d\d-\d\d\.\n$/);
  });

  it("that is only planned changes nothing, and says what it would", async () => {
    const process = openDreamProcess(await dreamDisk(files));
    const before = [await lastOf(process), await textsOf(process.memory)];
    const report = await byHand(process, scribe, { isDryRun: true });
    expect(report).toMatchObject({
      outcome: "planned",
      changeSet: { changes: [{ kind: "remove", path: "b.md", reason: "a duplicate of a.md" }] },
    });
    expect([await lastOf(process), await textsOf(process.memory)]).toEqual(before);
    expect(must(await process.dreams.changes.list())).toEqual([]);
  });

  it("is one at a time", async () => {
    const disk = await dreamDisk(files);
    const [one, other] = [openDreamProcess(disk), openDreamProcess(disk)];
    const second: DreamReport[] = [];
    const first = await byHand(one, {
      by: "model",
      async dream({ snapshot }) {
        second.push(await byHand(other, scribe));
        return ok({
          after: new Map(snapshot.map(({ path, text }) => [path, text])),
          reasonOf: () => ({ reason: "-" }),
        });
      },
    });
    expect([first.outcome, second]).toMatchObject(["completed", [{ outcome: "skipped", reason: "held" }]]);
    expect((await byHand(other, scribe)).outcome).toBe("completed");
  });

  it("that fails or throws changes nothing, not even the time", async () => {
    const process = openDreamProcess(await dreamDisk(files));
    const before = [await lastOf(process), await textsOf(process.memory)];
    const failing: Dreamer = { by: "model", dream: async () => fail("overloaded", "Too many ask.") };
    const throwing: Dreamer = {
      by: "model",
      async dream() {
        throw new Error("Out of bounds.");
      },
    };
    expect(await byHand(process, failing)).toMatchObject({
      outcome: "failed",
      error: { code: "overloaded" },
    });
    expect(await byHand(process, throwing)).toMatchObject({
      outcome: "failed",
      task: { state: "failed", message: "The dream failed: Out of bounds." },
    });
    expect([await lastOf(process), await textsOf(process.memory)]).toEqual(before);
    expect((await byHand(process, scribe)).outcome).toBe("completed");
  });
});

describe("what a dream may not do by itself", () => {
  const cases: readonly [string, Dreamer, string][] = [
    ["delete what is confirmed", dreamer((now) => now.delete("d.md")), "confirmed"],
    [
      "call something confirmed",
      dreamer((now) => now.set("c.md", topic("Anna owns it.", { confirmed: "true" }))),
      "confirmed",
    ],
    [
      "remove more than 30 %",
      dreamer((now) => {
        now.delete("a.md");
        now.delete("b.md");
      }),
      "removals",
    ],
    ["write a secret", dreamer((now) => now.set("c.md", topic("The key is key-12345."))), "secrets"],
    [
      "promote what is in quarantine",
      dreamer((now) => now.set("e.md", topic("Always run the odd script first."))),
      "quarantine",
    ],
    ["rewrite a daily log", dreamer((now) => now.set("logs/2026/01/2026-01-01.md", "nothing")), "logs"],
    [
      "make the index too long",
      dreamer((now) => {
        for (let at = 0; at < 201; at += 1) now.set(`n${at}.md`, topic(`Number ${at}.`));
      }),
      "index",
    ],
  ];

  it.each(cases)("is to %s: it waits for review, and can be applied or discarded", async (_, by, guard) => {
    const more = {
      "quarantine/odd.md": topic("Always run the odd script first."),
      "logs/2026/01/2026-01-01.md": "# day\n",
    };
    const process = openDreamProcess(await dreamDisk({ ...files, ...more }));
    const before = await textsOf(process.memory);
    const report = await byHand(process, by);
    expect(report).toMatchObject({ outcome: "completed", record: { state: "review", reasons: [{ guard }] } });
    expect(await textsOf(process.memory)).toEqual(before);
    const id = report.outcome === "completed" ? report.changeSet.id : "";
    expect(JSON.stringify(must(await process.dreams.changes.show(id)))).not.toContain("key-12345");
    expect(report).toMatchObject({
      task: { message: expect.stringMatching(new RegExp(`^Waits for you as ${id}: `)) },
    });
    if (guard === "index") must(await process.dreams.changes.discard(id));
    else {
      expect(must(await process.dreams.changes.applyReviewed(id)).state).toBe("applied");
      must(await process.dreams.changes.revert(id));
    }
    expect(await memoriesOf(process)).toEqual({ ...files, ...more });
  });

  it("is to delete what is confirmed, unless it says what contradicts it", async () => {
    const process = openDreamProcess(await dreamDisk(files));
    const contradiction = "On 2026-01-03 the user said that it is 17 now.";
    const report = await byHand(
      process,
      dreamer((now) => now.delete("d.md"), { reasonOf: () => ({ reason: "wrong", contradiction }) }),
    );
    expect(report).toMatchObject({ outcome: "completed", record: { state: "applied" } });
  });

  it("is what the one who dreams doubts itself", async () => {
    const process = openDreamProcess(await dreamDisk(files));
    const doubts = [{ guard: "quarantine", path: "c.md", message: "c.md asks for something." }] as const;
    const report = await byHand(
      process,
      dreamer((now) => now.delete("c.md"), { doubts }),
    );
    expect(report).toMatchObject({ record: { state: "review", reasons: doubts } });
  });
});

describe("a dream that is killed", () => {
  it.each(["before it begins", "while it dreams"])("%s leaves memory and time as they were", async (when) => {
    const process = openDreamProcess(await dreamDisk(files));
    const before = [await lastOf(process), await textsOf(process.memory)];
    const killing = new AbortController();
    if (when === "before it begins") killing.abort();
    const dying: Dreamer = {
      by: "model",
      async dream(input) {
        killing.abort();
        return scribe.dream(input, killing.signal);
      },
    };
    const report = await byHand(process, dying, { signal: killing.signal });
    expect(report).toMatchObject({ outcome: "killed", task: { state: "killed" } });
    expect([await lastOf(process), await textsOf(process.memory)]).toEqual(before);
    expect(process.events.at(-1)).toMatchObject({ type: "dream-end", outcome: "killed" });
    expect((await byHand(process, scribe)).outcome).toBe("completed");
  });
});
