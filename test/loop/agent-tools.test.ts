import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { PermissionQuestion } from "../../packages/core/src/spec/index.ts";
import { planModeOff, planModeOn } from "../../packages/palimpsest/src/loop/agent/agent-notices.ts";
import { callTool, type RecordedRequest, say } from "../../packages/testing/src/index.ts";
import { endOf, type Provider, typesOf } from "../support/agent.ts";
import { blocksOf, inTurn, lastResult, noticesOf, resultsOf, run, useProject } from "./agent-project.ts";

const touch = (file: string) => callTool("Bash", { command: `touch ${file}` });

describe.each<Provider>(["anthropic", "openai"])("the tools of an agent with %s", (provider) => {
  it("runs reads of one answer side by side, and tells of one that fails", async () => {
    const script = inTurn(
      [callTool("Read", { file_path: "a.txt" }), callTool("Read", { file_path: "b.txt" })],
      say("b is missing."),
    );
    const project = await useProject({ provider, script, files: { "a.txt": "one\n" } });
    const events = await run(await project.open());
    expect(typesOf(events).filter((type) => /^tool-(start|end)$/.test(type))).toEqual([
      "tool-start",
      "tool-start",
      "tool-end",
      "tool-end",
    ]);
    expect(
      resultsOf(events)
        .map(({ isError }) => isError)
        .toSorted(),
    ).toEqual([false, true]);
    expect(lastResult(project.emulator.requests.last as RecordedRequest)).toContain("b.txt");
    expect(endOf(events).reason).toBe("done");
  });

  it("runs nothing that would have to be asked for where there is nobody to ask", async () => {
    const project = await useProject({ provider, script: inTurn(touch("made"), say("No.")) });
    const events = await run(await project.open());
    expect(resultsOf(events)).toMatchObject([{ tool: "Bash", isError: true }]);
    expect(resultsOf(events)[0]?.text).toMatch(/not allowed to run: .*There is nobody to ask/);
    expect(project.has("made")).toBe(false);
  });

  it("asks once for what is then always allowed", async () => {
    const project = await useProject({
      provider,
      script: inTurn(touch("one"), touch("two"), say("Made."), touch("three"), say("Made.")),
    });
    const asked: PermissionQuestion[] = [];
    const onPermission = async (question: PermissionQuestion) => {
      asked.push(question);
      return { behavior: "allow", rules: { allow: ["Bash(touch:*)"] } } as const;
    };
    const session = await project.open();
    await run(session, "Make two.", { onPermission });
    await run(session, "Make a third.");
    expect(asked).toMatchObject([{ tool: "Bash", input: { command: "touch one" } }]);
    expect(["one", "two", "three"].filter(project.has)).toEqual(["one", "two", "three"]);
  });

  it("changes nothing in plan mode until the plan is agreed on", async () => {
    const write = callTool("Write", { file_path: "new.txt", content: "new\n" });
    const exit = callTool("ExitPlanMode", { plan: "# Plan\n\nWrite it." });
    const project = await useProject({ provider, script: inTurn(write, exit, write, say("Done.")) });
    const session = await project.open({ mode: "plan" });
    const asked: string[] = [];
    const events = await run(session, "Write it.", {
      onPermission: async ({ tool }) => {
        asked.push(tool);
        return { behavior: "allow" };
      },
    });
    expect(resultsOf(events).map(({ tool, isError }) => [tool, isError])).toEqual([
      ["Write", true],
      ["ExitPlanMode", false],
      ["Write", false],
    ]);
    expect(asked).toEqual(["ExitPlanMode"]);
    expect(
      noticesOf(events)
        .filter(({ subtype }) => subtype === "mode")
        .map(({ text }) => text),
    ).toEqual([planModeOn, planModeOff]);
    const plan = resultsOf(events)[1]?.text.split("saved in: ")[1] ?? "";
    project.emulator.setScript(inTurn(callTool("Read", { file_path: plan }), say("I see.")));
    expect(resultsOf(await run(session, "Which plan?"))).toMatchObject([{ tool: "Read", isError: false }]);
  });

  it("tells when a task in the background has ended", async () => {
    const script = inTurn(
      callTool("Bash", { command: "echo from behind", run_in_background: true, description: "Echo" }),
      ...Array.from({ length: 500 }, () => (request: RecordedRequest) => {
        const notice = blocksOf(request).find((block) => block.includes('type=\\"task\\"'));
        const id = /task_\w+/.exec(notice ?? "")?.[0];
        if (id === undefined) return callTool("Glob", { pattern: "*" });
        return blocksOf(request).at(-1)?.includes("from behind")
          ? say("It has ended.")
          : callTool("TaskOutput", { task_id: id });
      }),
    );
    const project = await useProject({ provider, script, settings: { permissions: { allow: ["Bash"] } } });
    const events = await run(await project.open());
    expect(endOf(events)).toMatchObject({ reason: "done", text: "It has ended." });
    const told = noticesOf(events).filter(({ subtype }) => subtype === "task");
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toMatch(/^The background task task_\w+ \(Echo\) has ended: /);
  });

  it("keeps the list of to-dos where the ledger finds it", async () => {
    const todos = [
      { content: "Look", status: "completed" },
      { content: "Write", status: "in_progress" },
    ];
    const project = await useProject({
      provider,
      script: inTurn(callTool("TodoWrite", { todos }), say("Listed.")),
    });
    const events = await run(await project.open());
    expect(resultsOf(events)).toEqual([
      { tool: "TodoWrite", isError: false, text: "The list is written: 1 in_progress, 1 completed." },
    ]);
  });

  it("gives a large output back by id, and lets its file be read without asking", async () => {
    const pathIn = (request: RecordedRequest) =>
      /\/\S+tool-results\/\S+?\.txt/.exec(lastResult(request))?.[0] ?? "";
    let path = "";
    const script = inTurn(
      callTool("Bash", { command: "seq 1 3000" }, "toolu_large"),
      (request) => {
        path = pathIn(request);
        return callTool("Recall", { id: "toolu_large", limit: 200 });
      },
      () => callTool("Read", { file_path: path, offset: 2_990 }),
      say("I have seen it."),
    );
    const settings = {
      toolResults: { defaultMaxChars: 2_000 },
      permissions: { allow: ["Bash(seq:*)"] },
      flags: { "session-notes": false },
    };
    const project = await useProject({ provider, script, settings });
    const events = await run(await project.open());
    const second = project.emulator.requests.get(2) as RecordedRequest;
    expect(lastResult(second)).toContain("<persisted-output");
    expect(lastResult(second).length).toBeLessThan(5_000);
    const [, recalled, read] = resultsOf(events);
    expect(recalled?.text).toContain('<recalled from="tool-use toolu_large"');
    expect(recalled?.text).toContain("\n17\n");
    expect(read).toMatchObject({ tool: "Read", isError: false });
    expect(read?.text).toContain("2999");
  });

  it("does not write over a file that has changed since it was read, or is no longer in view", async () => {
    const edit = callTool("Edit", { file_path: "a.txt", old_string: "line 1\n", new_string: "" });
    const read = (name: string) => callTool("Read", { file_path: name });
    const text = Array.from({ length: 400 }, (_, at) => `line ${at}\n`).join("");
    const names = ["b.txt", "c.txt", "d.txt", "e.txt", "f.txt"];
    const project = await useProject({
      provider,
      files: Object.fromEntries(["a.txt", ...names].map((name) => [name, text])),
      settings: { sessionNotesEnabled: false },
    });
    project.emulator.setScript(
      inTurn(
        read("a.txt"),
        async () => {
          await writeFile(project.path("a.txt"), `${text}more\n`);
          return edit;
        },
        say("It has changed."),
        [read("a.txt"), ...names.map(read)],
        say("Read."),
        edit,
        read("a.txt"),
        edit,
        say("Edited."),
      ),
    );
    const session = await project.open();
    const first = resultsOf(await run(session));
    expect(first[1]).toMatchObject({ tool: "Edit", isError: true });
    expect(first[1]?.text).toContain("a.txt has changed since it was read");
    await run(session, "Read all.");
    expect(await session.clear({ targetTokens: 0 })).not.toEqual([]);
    const second = resultsOf(await run(session));
    expect(second.map(({ tool, isError }) => [tool, isError])).toEqual([
      ["Edit", true],
      ["Read", false],
      ["Edit", false],
    ]);
    expect(second[0]?.text).toContain("was not read, or is no longer in view");
    expect(await project.read("a.txt")).toBe(`${text.replace("line 1\n", "")}more\n`);
  });
});
