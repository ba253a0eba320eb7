import { describe, expect, it } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import { type BackgroundWork, ok, type WorkKind } from "../../packages/core/src/spec/index.ts";
import { openFileStore } from "../../packages/core/src/stores/files/index.ts";
import { openAgentLocation } from "../../packages/palimpsest/src/loop/agent/agent-location.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { fault, say } from "../../packages/testing/src/index.ts";
import { createVirtualWork } from "../support/virtual-work.ts";
import { answers } from "./agent-memory-support.ts";
import { type Project, run, useProject } from "./agent-project.ts";

const { clock } = createRuntime();

/** A queue with a worker that stands ready for these kinds, and never comes to do them. */
function queueFor(...kinds: readonly WorkKind[]): BackgroundWork {
  return { ...createVirtualWork(clock), workers: async (kind) => ok(kinds.includes(kind) ? 1 : 0) };
}

/** An agent whose extraction never ends; what it leaves to others is queued. */
async function closeInTheMiddle(work: BackgroundWork, signal?: AbortSignal) {
  const project: Project = await useProject({
    hasExtraction: true,
    script: answers([say("Fine.")], [fault.stall()]),
  });
  const waits: string[] = [];
  const session = await project.open({
    work,
    isLongLived: false,
    grace: { ...(signal && { signal }), onWait: () => void waits.push("waits") },
  });
  await run(session, "Use pnpm here, please.");
  await session.close();
  const { project: slug } = await openAgentLocation(project);
  return { waits, left: must(await work.list()), slug };
}

describe("an agent that is closed while it extracts", () => {
  it("leaves it to a worker where one is there, and does not wait", async () => {
    const { left, waits, slug } = await closeInTheMiddle(queueFor("extraction"));
    expect(waits).toEqual([]);
    expect(left).toMatchObject([{ key: `${slug}/one/extraction`, state: "waiting" }]);
  });

  it("waits where none is there, and queues what is left when the wait is ended", async () => {
    const { left, slug } = await closeInTheMiddle(queueFor("dream"), AbortSignal.abort());
    expect(left).toMatchObject([{ key: `${slug}/one/extraction`, state: "waiting" }]);
  });
});

describe("an agent for which it may be time to dream", () => {
  async function openWith(work: BackgroundWork, minSessions = 1) {
    const project = await useProject({ settings: { dream: { minSessions } } });
    const { cwd, home } = project;
    const store = must(await openFileStore({ home, cwd }));
    const header = { id: "before", project: "test", cwd };
    must(await must(await store.logs.create({ kind: "session", session: header })).close());
    const session = await project.open({ work });
    await expect
      .poll(() => project.events.some((event) => event.type === "task-end" && event.layer === "dream"), {
        timeout: 60_000,
      })
      .toBe(true);
    await session.close();
    const { project: slug } = await openAgentLocation(project);
    return { keys: must(await work.list()).map(({ key }) => key), slug };
  }

  it("leaves the dream to a worker where one is there", async () => {
    const { keys, slug } = await openWith(queueFor("dream"));
    expect(keys).toEqual([`${slug}/dream`]);
  });

  it("queues nothing before it is time", async () => {
    expect((await openWith(queueFor("dream"), 2)).keys).toEqual([]);
  });

  it("looks itself where none is there, and queues nothing", async () => {
    expect((await openWith(queueFor("extraction"))).keys).toEqual([]);
  });
});
