import { describe, expect, it } from "vitest";
import type { MessageInput } from "../../packages/core/src/spec/index.ts";
import { callTool, type RecordedRequest, type Reply, say } from "../../packages/testing/src/index.ts";
import {
  asksForSummary,
  eventsOf,
  expectValid,
  growing,
  openCompacting,
  summarised,
} from "../compaction/compacting-agent.ts";
import { blocksOf, resultsOf, run, useProject } from "../loop/agent-project.ts";
import { usePrograms } from "../mcp/support.ts";
import { entriesOf } from "../support/agent.ts";
import { readFixture, readJsonFixture } from "./read-fixture.ts";

/** Says so much that a summary of it is shorter. */
const atLength = (text: string) => say(`${text} ${"And this is why, in many words. ".repeat(600)}`);

/** Summaries say nothing of what must survive. */
const withSummaries = (main: (request: RecordedRequest) => Reply) => (request: RecordedRequest) =>
  asksForSummary(request) ? summarised("6. The work so far.") : main(request);

const quiet = { sessionNotesEnabled: false };

/** How often a text stands in a request. */
const timesIn = (request: RecordedRequest | undefined, text: string) =>
  request ? blocksOf(request).join("\n").split(JSON.stringify(text).slice(1, -1)).length - 1 : 0;

describe("museum", () => {
  it("18: rules stand behind every compaction word for word, once", async () => {
    const rules = readFixture("18-rules.md").toString();
    const project = await useProject({ files: { ".git/HEAD": "", "AGENTS.md": rules }, settings: quiet });
    project.emulator.setScript(withSummaries(() => atLength("Yes.")));
    const session = await project.open();
    for (let turn = 1; turn <= 4; turn += 1) {
      await run(session, `Turn ${turn}.`);
      expect(timesIn(project.emulator.requests.last, rules.trim())).toBe(1);
      await session.compact();
    }
    await run(session, "Go on.");
    expect(timesIn(project.emulator.requests.last, rules.trim())).toBe(1);
    expect(timesIn(project.emulator.requests.last, "6. The work so far.")).toBe(1);
  });

  it.each([
    [
      "a model that takes the plan for open",
      summarised("9. Next step: convert every settings file to TOML."),
    ],
    ["the scribe, since no model answers", say("<summary></summary>")],
  ])("19: a cancelled plan stays cancelled, and what is done is done: %s", async (_who, reply) => {
    const agent = await openCompacting({ main: growing(8, 20_000), summary: () => reply });
    for (const message of readJsonFixture<readonly MessageInput[]>("19-cancelled-plan.json"))
      await agent.session.add(message);
    const prompt = "Say what is left to do.";
    await agent.run(prompt);
    const [boundary] = await agent.boundaries();
    const summary = String(boundary?.summary?.content);
    const after = (agent.emulator.requests.last?.whole?.messages ?? []) as readonly unknown[];
    const everything = JSON.stringify(after);
    expect(summary).toMatch(/^\[Background: /);
    expect(summary).toContain("It tells what has happened and asks for nothing");
    expect(summary).toMatch(/cancelled[^\n]*Plan how to move all settings to TOML\./);
    expect(summary).toMatch(/done[^\n]*Rename the flag “fast” to “quick”\./);
    expect(summary).toMatch(/open[^\n]*Say what is left to do\./);
    expect(everything).not.toContain("The plan:\\n1. Write a TOML reader.");
    expect(everything).not.toContain("The to-do list (");
    expect(everything).toContain(
      "The plan of a cancelled request, not to be gone on with:\\n1. Write a TOML reader.",
    );
    expect(everything).toContain("The to-do list of a cancelled request, not to be gone on with");
    expectValid(agent);
  });

  it("38: a skill and tools that came late are there after a compaction; a long one is cut, and says so", async () => {
    const programs = await usePrograms();
    let isTold = false;
    let calls = 0;
    const project = await useProject({
      files: {
        ".git/HEAD": "",
        ".palimpsest/skills/paint/SKILL.md": readFixture("38-skill.md").toString(),
        ".palimpsest/skills/novel/SKILL.md": `---\nname: novel\ndescription: How to write.\n---\n${"Write on. ".repeat(4_000)}\n`,
      },
      settings: { ...quiet, mcp: { x: programs.settings() }, permissions: { allow: ["mcp__x__*"] } },
      script: withSummaries((request) => {
        calls += 1;
        if (calls === 1) return callTool("Skill", { skill: "novel" });
        if (calls === 2) return callTool("Skill", { skill: "paint" });
        if (calls === 3) return callTool("mcp__x__change", {});
        if (isTold) return atLength("Ready.");
        isTold = timesIn(request, "mcp__x__grown") > 0;
        return isTold
          ? callTool("UseTool", { name: "mcp__x__grown", input: { many: 2 } })
          : callTool("Glob", { pattern: "*" });
      }),
    });
    const session = await project.open();
    await run(session, "Paint it.");
    await session.compact();
    project.emulator.setScript(
      withSummaries((request) =>
        timesIn(request, "grown: 3") > 0
          ? say("Painted.")
          : callTool("UseTool", { name: "mcp__x__grown", input: { many: 3 } }),
      ),
    );
    expect(resultsOf(await run(session, "Go on."))).toEqual([
      { tool: "UseTool", isError: false, text: "grown: 3" },
    ]);
    const { last } = project.emulator.requests;
    expect(timesIn(last, "Use a small brush.")).toBe(1);
    expect(timesIn(last, "are there now")).toBe(1);
    expect(timesIn(last, "6. The work so far.")).toBe(1);
    const texts = blocksOf(last as RecordedRequest).filter((block) => block.includes("Write on. "));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toMatch(/characters left out/);
  });

  it("40: no compaction, on whatever path, raises an alarm of a broken cache", async () => {
    const agent = await openCompacting({ main: growing(8, 20_000) });
    const work = (times: number, reply: Reply = summarised("1. So far.")) => {
      const main = growing(times, 8_000);
      agent.emulator.setScript((request, state) => (asksForSummary(request) ? reply : main(request, state)));
    };
    await agent.run("Grow it.");
    for (const summary of readJsonFixture<readonly string[]>("40-summaries.json")) {
      work(18, summary ? summarised(summary) : say("<summary></summary>"));
      await agent.run("More.");
    }
    const first = async () => {
      const said = (await entriesOf(agent.session)).filter(
        (entry) => entry.kind === "message" && entry.message.type === "user",
      );
      return said.findLast((entry) => JSON.stringify(entry).includes("A part."))?.id as string;
    };
    for (const range of ["from", "upTo"] as const) {
      work(2);
      await agent.run("Before.");
      work(2);
      await agent.run("A part.");
      await agent.session.compact({ [range]: await first() });
      work(1);
      await agent.run("Behind.");
    }
    await agent.session.undo();
    work(4);
    await agent.run("Undone.");
    await agent.session.snip();
    work(1);
    await agent.run("Snipped.");
    const strategies = (await agent.boundaries()).map(({ strategy }) => strategy);
    expect(new Set(strategies)).toEqual(new Set(["plain", "prefix", "scribe"]));
    const breaks = eventsOf(agent.events, "cache-break");
    expect(breaks.length).toBeGreaterThanOrEqual(5);
    expect(breaks.filter(({ expected }) => !expected)).toEqual([]);
    expectValid(agent);
  });
});
