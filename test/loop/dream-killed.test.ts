import { describe, expect, it } from "vitest";
import { dreamNumbers } from "../../packages/core/src/layers/6-dream/settings.ts";
import { openRecall } from "../../packages/core/src/session/recall-index/index.ts";
import type { Recall } from "../../packages/core/src/spec/index.ts";
import { createModelDreamer } from "../../packages/palimpsest/src/loop/dream/create-model-dreamer.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import {
  callTool,
  createVirtualClock,
  createVirtualIds,
  fault,
  type Reply,
  say,
  type VirtualDisk,
} from "../../packages/testing/src/index.ts";
import { modelAt } from "../support/agent.ts";
import { type DreamProcess, dreamDisk, openDreamProcess, textsOf, topic } from "../support/dream-world.ts";
import { emulate } from "../support/emulator.ts";
import { virtualHome, virtualProject } from "../support/virtual-store.ts";

const files = {
  "a.md": topic("The port is 8123."),
  "b.md": topic("The port is 8123. Really."),
  "c.md": topic("Anna owns billing."),
  "d.md": topic("Deploys go out on Tuesdays."),
};
const turns: readonly Reply[] = [
  [callTool("sessions_search", { query: "port" }), callTool("List")],
  [
    callTool("Write", { file_path: "e.md", content: topic("The port is 8123."), reason: "renamed" }),
    callTool("Remove", { file_path: "b.md", reason: "said elsewhere" }),
  ],
  say("Done."),
];

const timeOf = async ({ lock }: DreamProcess) => must(await lock.lastConsolidatedMs());

async function memoriesOf({ memory }: DreamProcess) {
  const { "MEMORY.md": _index, ...rest } = await textsOf(memory);
  return Object.keys(rest).join(" ");
}

interface Killing {
  /** Called at every step: a request, an answer, a call of a tool, a change that was made. */
  step?(name: string, disk: VirtualDisk): void;
  /** What the model answers in place of its turn. */
  reply?(turn: number): Reply | undefined;
  readonly signal?: AbortSignal;
}

/** A model dreams on a disk of its own. */
async function dreamOn(disk: VirtualDisk, { step = () => undefined, reply, signal }: Killing = {}) {
  let turn = 0;
  const { emulator } = await emulate({
    script: () => {
      step("request", disk);
      turn += 1;
      return reply?.(turn) ?? turns[turn - 1] ?? say("Done.");
    },
  });
  const process = openDreamProcess(disk);
  const { store } = process;
  const clock = createVirtualClock();
  const folder = `${virtualHome}/projects/${virtualProject}/recall`;
  const recall = openRecall({ store, disk, folder, clock, ids: createVirtualIds() });
  const watched: Pick<Recall, "search" | "update"> = {
    update: (...given) => recall.update(...given),
    search(...given) {
      step("search", disk);
      return recall.search(...given);
    },
  };
  const dreamer = createModelDreamer({
    session: { store, clock, model: modelAt(emulator) },
    numbers: dreamNumbers,
    recall: watched,
  });
  const report = await process.dreams.once(dreamer, {
    isByHand: true,
    emit: ({ type }) => step(type, disk),
    ...(signal && { signal }),
  });
  await emulator.close();
  return { process, report };
}

async function createScene() {
  const start = await dreamDisk(files);
  const steps: string[] = [];
  const disk = start.afterProcessCrash();
  const first = openDreamProcess(disk);
  const [timeBefore, before] = [await timeOf(first), await memoriesOf(first)];
  const { process, report } = await dreamOn(disk, { step: (name) => void steps.push(name) });
  expect(must(report)).toMatchObject({ outcome: "completed", record: { state: "applied" } });
  const after = await memoriesOf(process);
  expect([before, after]).toEqual(["a.md b.md c.md d.md", "a.md c.md d.md e.md"]);
  const at = (number: number, act: (disk: VirtualDisk) => void) => {
    let count = 0;
    return (_name: string, on: VirtualDisk) => {
      if (count === number) act(on);
      count += 1;
    };
  };
  return { start, timeBefore, before, after, steps, at };
}

describe("a model's dream that is killed at any of its steps", () => {
  it("by its signal leaves time and memory as before, or says that all was done", async () => {
    const { start, timeBefore, before, after, steps, at } = await createScene();
    for (const number of steps.keys()) {
      const killing = new AbortController();
      const disk = start.afterProcessCrash();
      const step = at(number, () => killing.abort());
      const { process, report } = await dreamOn(disk, { step, signal: killing.signal });
      const done = must(report);
      const isDone = done.outcome === "killed" && done.error.message.includes("after its changes were made");
      const isLast = number === steps.length - 1;
      expect(done.outcome, steps[number]).toBe(isLast ? "completed" : "killed");
      expect(await memoriesOf(process)).toBe(isDone || isLast ? after : before);
      expect((await timeOf(process)) !== timeBefore).toBe(isLast);
      expect(must(await process.lock.restore())).toBe("free");
    }
    expect(steps.slice(0, 4)).toEqual(["dream-start", "request", "dream-update", "search"]);
    expect(steps.filter((name) => name === "request")).toHaveLength(turns.length);
  });

  it("with its process leaves the time as before, and memory as before or as after", async () => {
    const { start, timeBefore, before, after, steps, at } = await createScene();
    const found = new Set<string>();
    for (const number of steps.keys()) {
      const disk = start.afterProcessCrash();
      const step = at(number, (on) => on.crash());
      const { process } = await dreamOn(disk, { step });
      process.exit();
      const next = openDreamProcess(disk.afterProcessCrash());
      const isLast = number === steps.length - 1;
      expect((await timeOf(next)) !== timeBefore, steps[number]).toBe(isLast);
      must(await next.dreams.changes.recover());
      const memories = await memoriesOf(next);
      expect([before, after]).toContain(memories);
      found.add(memories);
      expect(["free", "restored"]).toContain(must(await next.lock.restore()));
    }
    expect([...found]).toEqual([before, after]);
  });

  it("by a failure of its model leaves time and memory as before", async () => {
    const { start, timeBefore, before } = await createScene();
    for (const failing of turns.keys()) {
      const disk = start.afterProcessCrash();
      const refusal = fault.error({ status: 401, type: "authentication_error", message: "No such key." });
      const { process, report } = await dreamOn(disk, {
        reply: (turn) => (turn === failing + 1 ? refusal : undefined),
      });
      expect(must(report)).toMatchObject({ outcome: "failed", error: { code: "unauthenticated" } });
      expect([await memoriesOf(process), await timeOf(process)]).toEqual([before, timeBefore]);
      expect(must(await process.dreams.changes.list())).toEqual([]);
    }
  });
});
