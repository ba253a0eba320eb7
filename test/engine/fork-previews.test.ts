import { describe, expect, it } from "vitest";
import { createToolResultsLayer } from "../../packages/core/src/layers/1-tool-results/index.ts";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { Session } from "../../packages/core/src/spec/index.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { assistant, call, result, user } from "../support/session-messages.ts";
import { sentResults } from "../support/tool-rounds.ts";
import { createVirtualStore } from "../support/virtual-store.ts";
import { openForkable } from "./fork-support.ts";

const large = (words: string) => `${words} `.repeat(8_000);
const layers = [createToolResultsLayer()];

const resultsIn = async (session: Session) => sentResults((await session.prepare()).request);

/** A parent with a large result for which no choice is frozen yet, and a fork of it. */
async function begin() {
  const store = createVirtualStore();
  const parent = await openForkable({ store, layers });
  await parent.session.add(user("Read it."));
  await parent.session.add(assistant([call("t1", { command: "one" }, "Bash")], { id: "m1" }));
  await parent.session.add(user([result("t1", large("a large result"))]));
  const fork = await parent.fork("agent");
  await fork.session.add(user("Sum it up."));
  return { store, parent: parent.session, fork: fork.session };
}

describe("the preview of a result that a fork has from its parent", () => {
  it.each(["fork", "parent"])(
    "is the parent's byte for byte, whoever decides first: the %s",
    async (first) => {
      const { parent, fork } = await begin();
      const order = first === "fork" ? [fork, parent] : [parent, fork];
      const [one, other] = [await resultsIn(order[0] as Session), await resultsIn(order[1] as Session)];
      expect(one.t1).toMatch(/^<persisted-output>/);
      expect(other).toEqual(one);
    },
  );

  it("is found by its path and its id in both, and that of the fork's own results in the fork alone", async () => {
    const { store, parent, fork } = await begin();
    await resultsIn(fork);
    await fork.add(assistant([call("t2", { command: "two" }, "Bash")], { id: "m2" }));
    await fork.add(user([result("t2", large("one of the fork"))]));
    const { t1, t2 } = await resultsIn(fork);
    const pathIn = (preview: unknown) => /All of it is in (\S+)/.exec(String(preview))?.[1];
    expect(pathIn(t1)).toMatch(/\/tool-results\/one\/t1\.txt$/);
    expect(pathIn(t2)).toMatch(/\/tool-results\/one\.agents\/[^/]+\/t2\.txt$/);
    await fork.close();
    const again = await openSession({
      store,
      clock: createVirtualClock(),
      layers,
      id: fork.id,
      resume: true,
    });
    expect(await resultsIn(again)).toEqual({ t1, t2 });
    const { totalChars } = await again.recall("t1", { limit: 1 });
    expect(totalChars).toBeGreaterThan(large("a large result").length);
    await again.close();
    await parent.close();
  });
});
