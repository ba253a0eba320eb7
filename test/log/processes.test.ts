import { spawnSync } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import type { Clock } from "../../packages/core/src/spec/index.ts";
import {
  createFileStore,
  createNodeDisk,
  openFileStore,
} from "../../packages/core/src/stores/files/index.ts";
import { leasePatienceMs } from "../../packages/core/src/stores/shared/leases.ts";
import { must, refused } from "../../packages/testing/src/conformance/outcomes.ts";
import { startChild } from "../support/child.ts";
import { messageDraft } from "../support/entries.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const project = "test-00000000";
const nothing = () => undefined;

async function startWriter(home: string, command: readonly string[] = []) {
  const child = startChild("log-writer.mjs", [home, "one", "process", "7"], command);
  onTestFinished(() => child.kill());
  await child.printed(20);
  return child;
}

async function logsIn(home: string, clock?: Clock) {
  if (!clock) return must(await openFileStore({ home, project })).logs;
  const writer = { pid: process.pid, host: "here", version: "0.0.0" };
  return createFileStore({ ...createRuntime(), clock, home, project, disk: createNodeDisk(), writer }).logs;
}

describe("two processes on one session", () => {
  it("lets the second read and not write, while the first goes on", async () => {
    const home = await temporaryFolder();
    const child = await startWriter(home);
    const logs = await logsIn(home);
    for (let round = 0; round < 20; round += 1) {
      await child.printed(20 + round * 5);
      expect(refused(await logs.open("one", nothing))).toBe("held");
      let last = 0;
      const report = must(await logs.scan("one", ({ seq }) => (last = seq)));
      expect(report).toMatchObject({ corruptLines: 0, fencedLines: 0, salvaged: 0, lastSeq: last });
    }
    await child.kill();
    const acknowledged = child
      .lines()
      .flatMap((line) => (line.startsWith("open") ? [] : [line.split(" ")[1]]));
    const found = new Set<string>();
    const writer = must(await logs.open("one", ({ id }) => found.add(id)));
    expect(acknowledged.filter((id) => !found.has(id ?? ""))).toEqual([]);
    must(await writer.append([messageDraft("mine")]));
    must(await writer.close());
  });

  it("leaves a paused holder its session", async () => {
    const home = await temporaryFolder();
    const child = await startWriter(home);
    child.process.kill("SIGSTOP");
    const later: Clock = { ...createRuntime().clock, now: () => Date.now() + 10 * leasePatienceMs };
    const logs = await logsIn(home, later);
    expect(refused(await logs.open("one", nothing, { takeOver: true }))).toBe("held");
    child.process.kill("SIGCONT");
    const before = child.lines().length;
    await child.printed(before + 5);
    await child.kill();
    must(await must(await logs.open("one", nothing)).close());
  });

  const canUnshare = spawnSync("unshare", ["--pid", "--fork", "true"]).status === 0;

  it.skipIf(!canUnshare)("does not judge a holder in another pid namespace by its pid", async () => {
    const home = await temporaryFolder();
    const child = await startWriter(home, ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]);
    const now = await logsIn(home);
    const held = await now.open("one", nothing, { takeOver: true });
    expect(held).toMatchObject({ ok: false, error: { code: "held", facts: { state: "unsure" } } });
    await child.kill();
    expect(refused(await now.open("one", nothing))).toBe("held");
    const later = await logsIn(home, {
      ...createRuntime().clock,
      now: () => Date.now() + 2 * leasePatienceMs,
    });
    expect(refused(await later.open("one", nothing))).toBe("held");
    const writer = must(await later.open("one", nothing, { takeOver: true }));
    must(await writer.append([messageDraft("mine")]));
    must(await writer.close());
  });
});
