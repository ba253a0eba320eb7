import { describe, expect, it, onTestFinished } from "vitest";
import { openSession as openContext } from "../../packages/core/src/session/open-session.ts";
import type { Event } from "../../packages/core/src/spec/index.ts";
import { say } from "../../packages/testing/src/index.ts";
import { collect, endOf, entriesOf, modelAt, openAgent } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { createVirtualStore } from "../support/virtual-store.ts";
import {
  asksForSummary,
  eventsOf,
  expectValid,
  growing,
  lastMessage,
  openCompacting,
  summarised,
} from "./compacting-agent.ts";

describe("what a person may choose", () => {
  it("is the prompt: no tool may be called all the same, and instructions stand behind it", async () => {
    const agent = await openCompacting({
      main: growing(2, 12_000),
      settings: { compaction: { prompt: "Write a ballad about it. The context is about to be compacted." } },
    });
    await agent.run("Grow it.");
    const report = await agent.session.compact({ instructions: "In four lines." });
    expect(report.strategy).toBe("prefix");
    const asked = lastMessage(agent.summaries()[0] as never);
    expect(asked).toContain("Write a ballad about it.");
    expect(asked).toContain("Do not call any tool");
    expect(asked).not.toContain("nine sections");
    expect(asked.indexOf("In four lines.")).toBeGreaterThan(asked.indexOf("Do not call any tool"));
  });

  it("is the model, which gets a plain transcript and is paid for", async () => {
    const { emulator } = await emulate({
      script: (request) =>
        asksForSummary(request) ? summarised("8. By another.") : say(`Yes. ${"So it is. ".repeat(3_000)}`),
    });
    const haiku = modelAt(emulator, "anthropic", "claude-haiku-4-5");
    const events: Event[] = [];
    const session = await openAgent({
      model: modelAt(emulator),
      fallbackModel: haiku,
      layers: (await import("../../packages/core/src/session/default-layers.ts")).defaultLayers(),
      settings: { sessionNotesEnabled: false, compaction: { model: "claude-haiku-4-5" } },
      onEvent: (event) => events.push(event),
    });
    expect(endOf(await collect(session.run("Say a lot.")))).toMatchObject({ reason: "done" });
    const report = await session.compact();
    expect(report).toMatchObject({ strategy: "plain", summary: expect.stringContaining("8. By another.") });
    const asked = [...emulator.requests].filter(asksForSummary);
    expect(asked.map(({ model }) => model)).toEqual(["claude-haiku-4-5-20251001"]);
    expect(asked[0]?.whole?.tools).toBeUndefined();
    expect(eventsOf(events, "compaction-end")[0]?.usage).toMatchObject({ output: expect.any(Number) });
    const notes = [];
    for await (const entry of session.entries())
      if (entry.kind === "note" && entry.note.topic === "usage") notes.push(entry.note);
    expect(notes).toMatchObject([{ dollars: expect.any(Number) }]);
  });

  it("is the template of the notes, and what the scribe has to say goes under its headings", async () => {
    const template = "## Title\n> Which session.\n## Learnings\n> What to keep to.\n";
    const session = await openContext({
      store: createVirtualStore(),
      id: "one",
      settings: { sessionNotes: { template } },
    });
    onTestFinished(() => session.close());
    await session.add({ role: "user", content: "Never use a large brush." });
    await session.add({ role: "assistant", content: `Yes. ${"So it is. ".repeat(6_000)}` });
    const written = (await entriesOf(session)).flatMap((entry) =>
      entry.kind === "note" && entry.note.topic === "notes" ? entry.note.text : [],
    );
    expect(written).toHaveLength(1);
    const headings = written[0]?.split("\n").filter((line) => line.startsWith("## "));
    expect(headings).toEqual(["## Title", "## Learnings"]);
    expect(written[0]).toMatch(/## Learnings\n> What to keep to\.[\s\S]*Never use a large brush\./);
  });
});

describe("a hook that refuses", () => {
  it("keeps an automatic compaction away until enough is new, and not one by hand", async () => {
    let refusals = 0;
    const agent = await openCompacting({
      main: growing(6, 20_000),
      hooks: {
        PreCompact: [
          ({ trigger }) => {
            if (trigger === "manual") return undefined;
            refusals += 1;
            return { block: "Not now." };
          },
        ],
      },
    });
    await agent.run("Grow it.");
    expect(refusals).toBe(1);
    expect(eventsOf(agent.events, "compaction-failed")).toMatchObject([
      { reason: "vetoed", message: "Not now." },
    ]);
    expect(await agent.boundaries()).toEqual([]);
    expect(await agent.session.compact()).toMatchObject({ strategy: "prefix" });
    expectValid(agent);
  });

  it("that throws is named, and the compaction is done", async () => {
    const agent = await openCompacting({
      main: growing(6, 20_000),
      hooks: {
        PreCompact: [
          () => {
            throw new Error("I am broken.");
          },
        ],
      },
    });
    expect(endOf(await agent.run("Grow it."))).toMatchObject({ reason: "done" });
    expect(await agent.boundaries()).toHaveLength(1);
  });
});
