import { describe, expect, it } from "vitest";
import { openAgentPlace } from "../../src/loop/agent/agent-place.ts";
import { createLocalWork } from "../../src/loop/work/create-local-work.ts";
import { createRuntime } from "../../src/runtime.ts";
import { ok, type WorkHandlers, type WorkOrder } from "../../src/spec/index.ts";
import { must } from "../../src/testing/conformance/outcomes.ts";
import { fault, say } from "../../src/testing/index.ts";
import { answers } from "./agent-memory-support.ts";
import { type Project, run, useProject } from "./agent-project.ts";

const { clock, ids } = createRuntime();

/** An agent whose extraction never ends; what it leaves to others is written down. */
async function closeInTheMiddle(kinds: readonly (keyof WorkHandlers)[], signal?: AbortSignal) {
  const orders: WorkOrder[] = [];
  const note = async (order: WorkOrder) => {
    orders.push(order);
    return ok({ message: "" });
  };
  const work = createLocalWork({
    handlers: Object.fromEntries(kinds.map((kind) => [kind, note])),
    clock,
    ids,
  });
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
  await work.idle();
  const { project: slug } = await openAgentPlace(project);
  return { orders, waits, left: must(await work.list()), slug, cwd: project.cwd };
}

describe("an agent that is closed while it extracts", () => {
  it("leaves it to a worker where one is there, and does not wait", async () => {
    const { orders, waits, slug, cwd } = await closeInTheMiddle(["extraction"]);
    expect(waits).toEqual([]);
    expect(orders.at(-1)).toEqual({ kind: "extraction", project: slug, session: "one", cwd });
  });

  it("waits where none is there, and queues what is left when the wait is ended", async () => {
    const { orders, left, slug } = await closeInTheMiddle(["dream"], AbortSignal.abort());
    expect(orders).toEqual([]);
    expect(left).toMatchObject([{ key: `${slug}/one/extraction`, state: "waiting" }]);
  });
});
