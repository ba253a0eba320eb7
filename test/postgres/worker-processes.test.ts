import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { callTool, type Reply, say } from "../../packages/testing/src/index.ts";
import { isExtraction } from "../loop/agent-memory-support.ts";
import { runCli } from "../support/cli.ts";
import { memoryText } from "../support/memory-texts.ts";
import { startCuttingProxy } from "../support/postgres/cutting-proxy.ts";
import { describeOnPostgres } from "../support/postgres/use-postgres.ts";
import {
  createGate,
  createWorkerWorld,
  extracts,
  isWritten,
  outcomes,
  patiently,
  project,
} from "../support/postgres/worker-world.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describeOnPostgres("worker processes", () => {
  it("that are told to end let what runs come to its end, and end with 0", async () => {
    const [asked, gate] = [createGate(), createGate()];
    const { start, leave, work, notes, versions } = await createWorkerWorld(async (request) => {
      asked.open();
      await gate.opened;
      return extracts(request);
    });
    await leave("one");
    const worker = start();
    await asked.opened;
    worker.terminate();
    gate.open();
    expect(await worker.ended()).toEqual({ code: 0, stderr: "" });
    expect(outcomes(worker.events)).toEqual(["done"]);
    expect([await notes("one"), await versions("one"), must(await work.list())]).toEqual([1, 1, []]);
    expect(must(await work.workers("extraction"))).toBe(0);
  });

  it("that are killed leave their work to another, which does it once in effect", async () => {
    const asked = createGate();
    let isDead = false;
    const { start, leave, work, notes, versions, skipTime } = await createWorkerWorld((request) => {
      if (isDead || !isWritten(request)) return extracts(request);
      asked.open();
      return new Promise<Reply>(() => undefined);
    });
    await leave("one");
    const first = start();
    await asked.opened;
    await first.kill();
    isDead = true;
    expect(must(await work.list())).toMatchObject([{ key: "shop/one/extraction", state: "running" }]);
    const second = start();
    await expect.poll(async () => must(await work.workers("extraction")), patiently).toBe(2);
    await skipTime();
    await second.event("work-end");
    second.terminate();
    expect((await second.ended()).code).toBe(0);
    expect(outcomes(second.events)).toEqual(["done"]);
    expect([await notes("one"), await versions("one"), must(await work.list())]).toEqual([1, 1, []]);
  });

  it("that are killed leave a dream to another, which dreams once", async () => {
    let asked = 0;
    const kill = createGate();
    const world = await createWorkerWorld((request) => {
      asked += 1;
      if (asked === 2) {
        kill.open();
        return new Promise<Reply>(() => undefined);
      }
      return isWritten(request)
        ? say("Removed one.")
        : callTool("Remove", { file_path: "a.md", reason: "stale" });
    });
    const { start, leave, work, store, home, skipTime } = world;
    await writeFile(join(home, "settings.json"), JSON.stringify({ dream: { minSessions: 1 } }));
    const memory = store.tree("memory");
    for (const name of ["a", "b", "c", "d"])
      must(await memory.write(`${name}.md`, memoryText({ body: `All about ${name}.` }), { author: "agent" }));
    await leave("one");
    must(await work.stop(`${project}/one/extraction`));
    must(await work.enqueue({ kind: "dream", project, cwd: home }));
    const first = start();
    await kill.opened;
    await first.kill();
    await skipTime();
    const second = start();
    await second.event("work-end");
    must(await work.enqueue({ kind: "dream", project, cwd: home }));
    await expect.poll(() => outcomes(second.events), patiently).toEqual(["done", "done"]);
    second.terminate();
    expect(await second.ended()).toEqual({ code: 0, stderr: "" });
    const messages = second.events.flatMap((event) => (event.type === "work-end" ? [event.message] : []));
    expect(messages).toEqual([
      expect.stringMatching(/^Dreamt: [12] changes?/),
      expect.stringMatching(/^Not now: /),
    ]);
    expect(must(await memory.history("a.md"))).toHaveLength(2);
    expect(must(await work.list())).toEqual([]);
  });

  it("that share a queue do each order once", async () => {
    const { start, leave, work, notes, versions, emulator } = await createWorkerWorld();
    const sessions = ["a", "b", "c", "d", "e", "f"];
    for (const session of sessions) await leave(session);
    const workers = [start({}, ["--once", "--jobs", "2"]), start({}, ["--once", "--jobs", "2"])];
    for (const worker of workers) expect(await worker.ended()).toEqual({ code: 0, stderr: "" });
    const done = workers.flatMap(({ events }) => events.filter(({ type }) => type === "work-end"));
    expect(outcomes(done)).toEqual(sessions.map(() => "done"));
    expect(must(await work.list())).toEqual([]);
    expect(await Promise.all(sessions.map(notes))).toEqual(sessions.map(() => 1));
    expect(await Promise.all(sessions.map(versions))).toEqual(sessions.map(() => 1));
    expect([...emulator.requests].filter(isExtraction)).toHaveLength(2 * sessions.length);
  });

  it("begin on a machine that has nothing yet, and doctor counts what is queued", async () => {
    const { start, leave, notes, environment } = await createWorkerWorld();
    await leave("one");
    const home = join(await temporaryFolder(), "not-there-yet");
    const doctor = async () => (await runCli(["doctor"], { home, cwd: tmpdir(), environment })).stdout;
    const before = await doctor();
    expect(before).toMatch(/✓ jobs +1 waiting, 0 running, 0 failed\n! workers +none: /);
    expect(before).toMatch(/no worker runs the queued\s+jobs \(1\)/);
    const worker = start({ PALIMPSEST_HOME: home }, ["--once"]);
    expect(await worker.ended()).toEqual({ code: 0, stderr: "" });
    expect([outcomes(worker.events), await notes("one")]).toEqual([["done"], 1]);
    expect(await doctor()).toMatch(/✓ jobs +0 waiting, 0 running, 0 failed\n✓ workers +none: /);
  });

  it("wait for a server that is away, and go on when it is back", async () => {
    const { url, start, leave, work, notes } = await createWorkerWorld();
    const proxy = await startCuttingProxy(url);
    onTestFinished(() => proxy.close());
    const worker = start({ DATABASE_URL: proxy.url });
    await expect.poll(async () => must(await work.workers("dream")), patiently).toBe(1);
    proxy.setRefusing(true);
    proxy.cut();
    await worker.event("server-away");
    await leave("one");
    proxy.setRefusing(false);
    await worker.event("work-end");
    await expect.poll(async () => must(await work.list()), patiently).toEqual([]);
    proxy.setRefusing(true);
    proxy.cut();
    worker.terminate();
    expect(await worker.ended()).toEqual({ code: 0, stderr: "" });
    expect([outcomes(worker.events), await notes("one")]).toEqual([["done"], 1]);
  });
});
