import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionHandle } from "../../packages/core/src/session/loop-port.ts";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { Session, SessionStatistics, Store, View } from "../../packages/core/src/spec/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { watching } from "../support/acting-layer.ts";
import { amount } from "../support/amount.ts";
import { createVirtualStore, logPath } from "../support/virtual-store.ts";
import { createTold, forkSteps, openForkable, sentBy, stateOf, takeStep } from "./fork-support.ts";

/** A parent that something was done with, on a disk that can be looked at. */
async function begin() {
  const disk = createVirtualDisk();
  const store = createVirtualStore({ disk });
  const told = createTold();
  const parent = await openForkable({ store, layers: [told.layer], system: "Be brief." });
  const bytes = () => Buffer.from(disk.readWhole(logPath("one"))).toString("utf8");
  return { disk, store, told, parent, bytes };
}

/** A fork's view begins with the very items of its parent's. */
function expectShared(fork: SessionHandle, parent: SessionHandle): void {
  const { items } = parent.view();
  const forked = fork.view().items;
  expect(forked.length).toBeGreaterThanOrEqual(items.length);
  expect(items.findIndex((item, at) => forked[at] !== item)).toBe(-1);
}

/** What layers know of a session besides what it sends. */
function knownBy({ ledgers, settledResults, sparedResults }: View, statistics: SessionStatistics): string {
  return JSON.stringify([ledgers, [...settledResults], [...sparedResults], statistics]);
}

/** A session that nobody has meddled with sends what its log says. */
async function expectSameAgain(session: Session, store: Store): Promise<void> {
  const sent = await sentBy(session);
  await session.close();
  const options = { store, clock: createVirtualClock(), layers: [], resume: true };
  const again = await openSession({ ...options, id: session.id });
  expect(await sentBy(again)).toBe(sent);
  await again.close();
}

describe("forks, whatever is done to them and to their parent", () => {
  it("change nothing of the parent, of each other, and are not changed (invariant 8)", async () => {
    await fc.assert(
      fc.asyncProperty(
        forkSteps(12),
        forkSteps(6),
        forkSteps(6),
        forkSteps(6),
        async (before, ofParent, ofOne, ofTwo) => {
          const { parent, told, bytes, store } = await begin();
          await parent.session.add({ role: "user", content: "Hello." });
          for (const step of before) await takeStep(parent.session, told, step);
          const handle = await parent.handle();
          const [one, two] = [await parent.fork("notes"), await parent.fork("agent")];
          expectShared(one, handle);
          const [logBefore, parentBefore, twoBefore] = [bytes(), stateOf(handle), stateOf(two)];
          for (const step of ofOne) await takeStep(one.session, told, step);
          expect(bytes()).toBe(logBefore);
          expect(stateOf(handle)).toBe(parentBefore);
          expect(stateOf(two)).toBe(twoBefore);
          const oneBefore = stateOf(one);
          for (const step of ofParent) await takeStep(parent.session, told, step);
          for (const step of ofTwo) await takeStep(two.session, told, step);
          expect(stateOf(one)).toBe(oneBefore);
          for (const session of [one.session, two.session, parent.session])
            await expectSameAgain(session, store);
        },
      ),
      { numRuns: amount({ quick: 30, slow: 80 }) },
    );
  });

  it("send the same once they are opened again, whatever their parent did meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(forkSteps(12), forkSteps(6), forkSteps(5), async (before, ofFork, ofParent) => {
        const { parent, told, store } = await begin();
        await parent.session.add({ role: "user", content: "Hello." });
        for (const step of before) await takeStep(parent.session, told, step);
        const fork = await parent.fork();
        await fork.session.add({ role: "user", content: "Sum it up." });
        for (const step of ofFork) await takeStep(fork.session, told, step);
        for (const step of ofParent) await takeStep(parent.session, told, step);
        const sent = await sentBy(fork.session);
        const known = knownBy(fork.view(), fork.statistics());
        await fork.session.close();
        const options = { store, clock: createVirtualClock(), id: fork.session.id, layers: [] };
        const reader = await openForkable({ ...options, readOnly: true });
        expect(await sentBy(reader.session)).toBe(sent);
        await reader.session.close();
        let seen = "";
        const layer = watching(["before-request"], (view, _, facts) => {
          seen = knownBy(view, facts.statistics);
        });
        const again = await openSession({ ...options, resume: true, layers: [layer] });
        expect(await sentBy(again)).toBe(sent);
        expect(seen).toBe(known);
        await again.close();
        await parent.session.close();
      }),
      { numRuns: amount({ quick: 30, slow: 80 }) },
    );
  });
});
