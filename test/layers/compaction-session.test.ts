import { describe, expect, it } from "vitest";
import { createCompactionLayer } from "../../packages/core/src/layers/4-compaction/index.ts";
import { fail, ok, type Session } from "../../packages/core/src/spec/index.ts";
import { withoutControl } from "../support/session-messages.ts";
import { addRound, openToolSession } from "../support/tool-rounds.ts";
import { testPorts } from "./compaction-support.ts";

const settings = { autoCompactWindow: 32_000 };

/** A session whose next request is over the threshold. */
async function fill(session: Session, rounds = 14): Promise<void> {
  await session.add({ role: "user", content: "Build the thing." });
  for (let round = 0; round < rounds; round += 1)
    await addRound(session, [{ id: `t${round}`, content: `${round} `.repeat(3_000) }]);
}

function open(ports: Parameters<typeof testPorts>[0] = {}) {
  return openToolSession({ layers: [createCompactionLayer(testPorts(ports))], settings });
}

const textsOf = (request: Parameters<typeof withoutControl>[0]) => JSON.stringify(withoutControl(request));

describe("compaction in a session", () => {
  it("stays away below the threshold", async () => {
    const { session } = await open();
    await session.add({ role: "user", content: "Hello." });
    const { report } = await session.prepare();
    expect(report.layers).toMatchObject([{ layer: "compaction", outcome: "skip" }]);
    await session.close();
  });

  it("lands below the threshold, in a valid request, and is the same after a restart", async () => {
    const askPlain = async () => ok({ text: "<summary>1. All of it</summary>", stopReason: "end_turn" });
    const opened = await open({ askPlain });
    await fill(opened.session);
    const { request, report } = await opened.session.prepare();
    const { thresholds } = opened.session.usage();
    expect(report.layers).toMatchObject([{ outcome: "act" }]);
    expect(report.count.tokens).toBeLessThan(thresholds.auto);
    expect(report.repairs).toEqual([]);
    expect(textsOf(request)).toContain("1. All of it");
    const again = await opened.resume({ layers: [createCompactionLayer(testPorts())], settings });
    expect(textsOf((await again.session.prepare()).request)).toBe(textsOf(request));
    await again.session.close();
  });

  it("is written by the scribe where the model fails, and everything can be recalled", async () => {
    const { session, events } = await open({ askPlain: async () => fail("overloaded", "busy") });
    await fill(session);
    await session.prepare();
    expect(events.filter(({ type }) => type === "compaction-end")).toMatchObject([{ strategy: "scribe" }]);
    expect((await session.recall("t0")).text).toContain("0 0 0");
    await session.close();
  });

  it("can be undone where the former view fits, and says so where it does not", async () => {
    const { session } = await open();
    await fill(session, 11);
    const { tokens } = session.usage().count;
    await session.prepare();
    expect(session.usage().count.tokens).toBeLessThan(tokens / 2);
    expect(await session.undo()).toMatchObject({ tokensAfter: tokens });
    await session.close();
    const { session: larger } = await open();
    await fill(larger, 14);
    await larger.prepare();
    await expect(larger.undo()).rejects.toMatchObject({ code: "too-large" });
    await larger.close();
  });

  it("leaves a call by hand for clearing alone", async () => {
    const { session } = await open();
    await fill(session);
    expect(await session.clear()).toMatchObject([{ outcome: "skip", reason: "only clearing was asked for" }]);
    await session.close();
  });
});
