import { expect, it } from "vitest";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { createSeededRandom, type Reply } from "../../packages/testing/src/index.ts";
import { describeOnPostgres } from "../support/postgres/use-postgres.ts";
import {
  createGate,
  createWorkerWorld,
  extracts,
  outcomes,
  patiently,
} from "../support/postgres/worker-world.ts";
import { reach } from "../support/reach.ts";
import { seed } from "../support/seed.ts";

const never = () => new Promise<Reply>(() => undefined);
const random = createSeededRandom(seed);

describeOnPostgres("worker processes that are killed", () => {
  it("lose no extraction and do none twice, whichever request they are killed at", async () => {
    let asked = 0;
    let killAt = 0;
    let kill = createGate();
    const world = await createWorkerWorld((request) => {
      asked += 1;
      if (asked !== killAt) return extracts(request);
      kill.open();
      return never();
    });
    const { start, leave, work, notes, versions, skipTime } = world;
    await reach({ name: "workers killed", minimum: 3, plenty: 200, share: 0.05 }, async (done) => {
      const sessions = ["a", "b", "c"].map((name) => `${name}${done}`);
      [asked, killAt, kill] = [0, 1 + random.below(2 * sessions.length), createGate()];
      for (const session of sessions) await leave(session);
      const first = start({}, ["--jobs", "3"]);
      await kill.opened;
      await first.kill();
      await skipTime();
      const second = start({}, ["--jobs", "3"]);
      await expect.poll(async () => must(await work.list()).length, patiently).toBe(0);
      second.terminate();
      expect(await second.ended()).toEqual({ code: 0, stderr: "" });
      expect(await Promise.all(sessions.map(notes))).toEqual([1, 1, 1]);
      expect(await Promise.all(sessions.map(versions))).toEqual([1, 1, 1]);
      return 1;
    });
  });

  it("that are told to end give back what does not end in time", async () => {
    const asked = createGate();
    const { start, leave, work, notes } = await createWorkerWorld(() => {
      asked.open();
      return never();
    });
    await leave("one");
    const worker = start();
    await asked.opened;
    worker.terminate();
    expect(await worker.ended()).toEqual({ code: 0, stderr: "" });
    expect(outcomes(worker.events)).toEqual(["again"]);
    expect(must(await work.list())).toMatchObject([{ state: "waiting", attempts: 0 }]);
    expect(await notes("one")).toBe(0);
  });
});
