import { describe, expect, it } from "vitest";
import { openAgentLocation } from "../../packages/palimpsest/src/loop/agent/agent-location.ts";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { entriesOf } from "../support/agent.ts";
import {
  answers,
  extract,
  isExtraction,
  keep,
  memoriesOf,
  memoryFile,
  newestOf,
  requestsOf,
  saidIn,
} from "./agent-memory-support.ts";
import { brokenPrefixes, noticesOf, resultsOf, run, useProject } from "./agent-project.ts";

const push = memoryFile("feedback", "pushing to main", "Never push to main.");

describe("an agent with memory", () => {
  it("keeps what the user asks to remember, and knows it in the next session, at its start and when it matters", async () => {
    const script = answers([say("Noted.")], [extract("push.md", push), say("done")]);
    const project = await useProject({ script, hasExtraction: true });
    const first = await project.open();
    await run(first, "Please remember: never push to main.");
    await first.close();
    const memories = await memoriesOf(project);
    expect(await memories.list()).toMatchObject([
      { path: "push.md", type: "feedback", author: "agent", session: "one", trust: "trusted" },
    ]);
    const line = "- [pushing to main](push.md): pushing to main, in one line";
    expect(await memories.index()).toContain(line);

    const second = await project.open({ id: "two" });
    const events = await run(second, "May I push to main today?");
    const told = noticesOf(events).filter(({ subtype }) => subtype === "memory");
    expect(told.map(({ text }) => text.split("\n")[0])).toEqual([
      '<memory path="MEMORY.md" type="index" trust="trusted">',
      expect.stringMatching(/^<memory path="push\.md" .*trust="trusted" confirmed="no" session="one"/),
    ]);
    expect(told[0]?.text).toContain(line);
    expect(told[1]?.text).toContain("Never push to main.");
    const again = await run(second, "And to main tomorrow?");
    expect(noticesOf(again).filter(({ subtype }) => subtype === "memory")).toEqual([]);
    const asked = requestsOf(
      project,
      (request) => saidIn(request).includes("today") && !isExtraction(request),
    );
    expect([asked.length, brokenPrefixes({ requests: asked })]).toEqual([2, []]);
    await second.close();
    await memories.close();
    expect((await (await memoriesOf(project)).loadIndex()).leftOut).toBe(0);
  });

  it("keeps the user's own words also where no model can be asked", async () => {
    const project = await useProject({ hasExtraction: true });
    const session = await project.open({ model: "a-model-nobody-serves" });
    await session.add({ role: "user", content: "Never push to main." });
    await session.add({ role: "assistant", content: "Fine." });
    await session.close();
    const memories = await memoriesOf(project);
    expect(await memories.list()).toMatchObject([{ path: "feedback-never-push-main.md", trust: "trusted" }]);
  });

  it("writes by its own tool without asking, and extracts nothing where it did", async () => {
    const script = answers([keep("push.md", push), say("Kept.")]);
    const project = await useProject({ script, hasExtraction: true });
    const session = await project.open();
    const events = await run(session, "Never push to main.");
    expect(resultsOf(events)).toEqual([
      { tool: "memory", isError: false, text: "File created successfully at: /memories/push.md" },
    ]);
    await session.close();
    expect(requestsOf(project, isExtraction)).toEqual([]);
    expect(await (await memoriesOf(project)).list()).toMatchObject([{ path: "push.md", trust: "trusted" }]);
    const resumed = await project.open({ resume: true });
    const notes = (await entriesOf(resumed)).flatMap((entry) =>
      entry.kind === "note" && entry.note.topic === "extraction" ? [entry.note.skipped] : [],
    );
    expect(notes).toEqual([
      [{ what: "everything", why: "the agent has written memory itself since the last extraction" }],
    ]);
  });

  it("has the tool of the API where the model's API defines one, and one of its own elsewhere", async () => {
    const toolsOf = async (provider: "anthropic" | "openai") => {
      const project = await useProject({ provider, script: answers([]) });
      await run(await project.open());
      return JSON.stringify([...project.emulator.requests].at(-1)?.whole?.tools);
    };
    expect(await toolsOf("anthropic")).toContain('{"type":"memory_20250818","name":"memory"}');
    expect(await toolsOf("openai")).toContain('{"name":"memory","description":"Keeps what');
  });

  it("can look at memory in plan mode, and not change it", async () => {
    const view = callTool("memory", { command: "view", path: "/memories" });
    const project = await useProject({ script: answers([[view, keep("push.md", push)], say("A plan.")]) });
    const results = resultsOf(await run(await project.open({ mode: "plan" })));
    expect(results).toEqual([
      { tool: "memory", isError: false, text: expect.stringContaining("Here're the files") },
      { tool: "memory", isError: true, text: expect.stringContaining("Plan mode: nothing is changed") },
    ]);
  });

  it.each(["default", "bypass"] as const)("changes memory with no other tool in mode %s", async (mode) => {
    const project = await useProject();
    const { memoryFolder } = await openAgentLocation(project);
    const other = await useProject({
      script: answers([
        callTool("Write", { file_path: `${memoryFolder}/evil.md`, content: push }),
        callTool("Write", { file_path: `${memoryFolder}/quarantine/../MEMORY.md`, content: "Always." }),
        say("No."),
      ]),
    });
    const events = await run(await other.open({ mode, cwd: project.cwd, home: project.home, id: "two" }));
    const refusal =
      "Write was not allowed to run: Memories are changed with the memory tool only (path /memories/…), so that they are looked at before they are kept.";
    expect(resultsOf(events).map(({ text }) => text)).toEqual([refusal, refusal]);
    expect(await (await memoriesOf(project)).survey()).toMatchObject({ memories: [], invalid: [] });
  });

  it("tells what others write meanwhile behind what it told, and leaves the prefix as it is", async () => {
    const project = await useProject({ script: answers([]) });
    const memories = await memoriesOf(project);
    await memories.write("one.md", memoryFile("reference", "One", "The tracker is at the office."));
    const session = await project.open();
    await run(session, "Hello.");
    await memories.write("two.md", memoryFile("reference", "Two", "The wiki is on paper."));
    await memories.remove("one.md");
    const events = await run(session, "Again.");
    expect(noticesOf(events)).toEqual([
      {
        subtype: "memory",
        text: '<memory path="MEMORY.md" type="index" trust="trusted">\nMemories have changed since the index above was written.\n- [Two](two.md): Two, in one line\nNo longer there: one.md\n</memory>',
      },
    ]);
    expect(noticesOf(await run(session, "Once more."))).toEqual([]);
    expect(brokenPrefixes(project.emulator)).toEqual([]);
    await session.close();
    const resumed = await project.open({ resume: true });
    expect(noticesOf(await run(resumed, "Back."))).toEqual([]);
    expect(newestOf(project)).toContain("two.md");
  });

  it("is given index and relevant memories by the compaction itself", async () => {
    const project = await useProject({
      script: answers([say("word ".repeat(4_000)), say("more ".repeat(4_000))]),
    });
    const memories = await memoriesOf(project);
    await memories.write("tea.md", memoryFile("reference", "Tea", "The tea is in the blue cupboard."));
    const session = await project.open();
    for (const question of ["Hello.", "What else?", "Where is the tea?"]) await run(session, question);
    await session.compact();
    const made = (await entriesOf(session)).findLast((entry) => entry.kind === "decision");
    const attached =
      made?.kind === "decision" && made.decision.type === "compact" ? made.decision.attachments : [];
    const texts = attached.filter(({ subtype }) => subtype === "memory").map(({ content }) => content);
    expect(texts).toEqual([
      expect.stringContaining("[Tea](tea.md)"),
      expect.stringContaining("blue cupboard"),
    ]);
    expect(
      noticesOf(await run(session, "And the tea?")).filter(({ subtype }) => subtype === "memory"),
    ).toEqual([]);
    expect(newestOf(project)).toContain("blue cupboard");
    await session.close();
  });

  it("loses nothing where two sessions write at once", async () => {
    const project = await useProject({
      script: ({ whole }) => {
        const text = JSON.stringify(whole?.messages ?? []);
        const who = text.includes("I am a.") ? "a" : "b";
        const done = text.split("File created").length - 1 + text.split("already exists").length - 1;
        if (done === 0)
          return [1, 2, 3, 4].map((number) =>
            keep(`${who}${number}.md`, memoryFile("reference", `${who} ${number}`, "A fact.")),
          );
        if (done === 4) return keep("both.md", memoryFile("reference", "both", `It is ${who}.`));
        return say("Done.");
      },
    });
    const sessions = await Promise.all(["a", "b"].map((id) => project.open({ id })));
    const events = await Promise.all(sessions.map((session) => run(session, `I am ${session.id}.`)));
    const failed = events.flatMap(resultsOf).filter(({ isError }) => isError);
    expect(failed).toEqual([
      { tool: "memory", isError: true, text: "File /memories/both.md already exists" },
    ]);
    const memories = await memoriesOf(project);
    const paths = ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4", "both"].map((name) => `${name}.md`);
    expect((await memories.list()).map(({ path }) => path)).toEqual(paths);
    const index = await memories.read("MEMORY.md");
    for (const path of paths) expect(index.text).toContain(`(${path})`);
  });
});
