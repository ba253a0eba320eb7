import { describe, expect, it, onTestFinished } from "vitest";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import { createVirtualProcesses, type VirtualDisk } from "../../packages/testing/src/index.ts";
import { unmarked } from "../loop/stage.ts";
import { entriesOf } from "../support/agent.ts";
import { createVirtualStore } from "../support/virtual-store.ts";
import { type CompactingOptions, grow, growing, openCompacting, summarised } from "./compacting-agent.ts";

/** What the next process finds, as it would send it. */
async function found(disk: VirtualDisk) {
  const processes = createVirtualProcesses({ bootId: "next boot" });
  const session = await openSession({
    store: createVirtualStore({ disk, processes }),
    id: "one",
    resume: true,
    layers: [],
    tools: [grow],
    model: "claude-opus-4-5",
  });
  onTestFinished(() => session.close());
  const boundaries = (await entriesOf(session)).filter(
    (entry) => entry.kind === "decision" && entry.decision.type === "compact",
  ).length;
  const { request } = await session.prepare();
  await session.close();
  return { boundaries, messages: unmarked(request.messages) };
}

/** The disk as it is before each operation of a compaction, and behind the last: a process may be killed at each. */
async function killedAnywhere(options: CompactingOptions) {
  const agent = await openCompacting({ main: growing(2, 12_000), ...options });
  await agent.run("Grow it.");
  const disks = [agent.disk.afterProcessCrash()];
  const mend = agent.disk.failWhen(() => {
    disks.push(agent.disk.afterProcessCrash());
    return false;
  }, "io");
  await agent.session.compact();
  mend();
  disks.push(agent.disk.afterProcessCrash());
  return disks;
}

describe("a process that is killed in the middle of a compaction", () => {
  it.each<[string, CompactingOptions]>([
    ["behind the prefix", {}],
    [
      "as a transcript",
      { summary: () => summarised("7. Plain."), settings: { flags: { "compact-prefix": false } } },
    ],
  ])("leaves the session as it was, or compacted, and never in between: %s", async (_name, options) => {
    const disks = await killedAnywhere(options);
    const states: { readonly boundaries: number; readonly messages: string }[] = [];
    for (const disk of disks) states.push(await found(disk));
    const [before, after] = [states[0], states.at(-1)];
    expect(before?.boundaries).toBe(0);
    expect(after?.boundaries).toBe(1);
    expect(after?.messages).not.toBe(before?.messages);
    const at = states.findIndex(({ boundaries }) => boundaries === 1);
    expect(at).toBeGreaterThan(1);
    for (const [index, state] of states.entries()) expect(state).toEqual(index < at ? before : after);
  });
});
