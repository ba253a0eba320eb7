import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type LoopEvent, PalimpsestError } from "../../packages/core/src/spec/index.ts";
import { openAgent } from "../../packages/palimpsest/src/loop/agent/open-agent.ts";
import { openSession } from "../../packages/palimpsest/src/loop/open-session.ts";
import { callTool, fault, say } from "../../packages/testing/src/index.ts";
import { until, usePrograms } from "../mcp/support.ts";
import { collect, endOf } from "../support/agent.ts";
import { isRunning } from "../support/processes.ts";
import { createVirtualStore } from "../support/virtual-store.ts";
import { inTurn, kindsOf, lastResult, resultsOf, run, useProject } from "./agent-project.ts";

const codeOf = async (opening: Promise<unknown>) =>
  opening.then(
    () => "opened",
    (cause: { code?: string }) => cause.code,
  );

/** An agent with a task in the background and an MCP server, and the processes of both. */
async function useBusyAgent() {
  const programs = await usePrograms();
  const project = await useProject({
    settings: { mcp: { x: programs.settings() }, permissions: { allow: ["Bash", "mcp__x__*"] } },
  });
  const session = await project.open();
  const file = project.path("pid");
  const background = callTool("Bash", { command: "echo $$ > pid; sleep 1000", run_in_background: true });
  const processes = () => {
    const task = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    return [...programs.ids(), ...(task > 0 ? [task] : [])].filter(isRunning);
  };
  return { project, session, background, processes };
}

describe("closing an agent", () => {
  it("ends tasks in the background and MCP servers", async () => {
    const { project, session, background, processes } = await useBusyAgent();
    project.emulator.setScript(inTurn(background, say("It runs.")));
    await run(session);
    await until(() => processes().length === 2);
    await session.close();
    await until(() => processes().length === 0);
  });

  it("ends them also in the middle of a run, and the run with them", async () => {
    const { project, session, background, processes } = await useBusyAgent();
    project.emulator.setScript(inTurn(background, callTool("mcp__x__slow", {})));
    const events: LoopEvent[] = [];
    const running = (async () => {
      for await (const event of session.run("Wait.")) events.push(event);
    })();
    await until(() => processes().length === 2 && events.some(({ type }) => type === "tool-progress"));
    await session.close();
    await running;
    await until(() => processes().length === 0);
    expect(endOf(events).reason).toBe("aborted");
    expect(resultsOf(events).map(({ tool }) => tool)).toEqual(["Bash", "mcp__x__slow"]);
    const again = await project.open({ resume: true });
    project.emulator.setScript(inTurn(say("I am back.")));
    expect(endOf(await run(again))).toMatchObject({ reason: "done", text: "I am back." });
  });

  it("ends them while the model is silent", async () => {
    const { project, session, background, processes } = await useBusyAgent();
    project.emulator.setScript([background, fault.stall({ afterEvent: 1 })]);
    const running = collect(session.run("Wait."));
    await until(() => processes().length === 2 && project.emulator.requests.total === 2);
    await session.close();
    expect(endOf(await running).reason).toBe("aborted");
    await until(() => processes().length === 0);
  });
});

describe("opening an agent", () => {
  it("that somebody else has open fails, and leaves nothing running but theirs", async () => {
    const programs = await usePrograms();
    const project = await useProject({
      settings: { mcp: { x: programs.settings() } },
      script: [say("Mine.")],
    });
    const first = await project.open();
    const before = programs.running();
    expect(await codeOf(project.open())).toBe("held");
    expect(await codeOf(project.open({ resume: true }))).toBe("held");
    expect(programs.ids()).toHaveLength(3);
    expect(programs.running()).toEqual(before);
    expect(endOf(await run(first)).reason).toBe("done");
  });

  it("says what is wrong before anything is started", async () => {
    const programs = await usePrograms();
    const project = await useProject({ settings: { mcp: { x: programs.settings() } } });
    expect(await codeOf(project.open({ id: undefined, resume: true }))).toBe("invalid-input");
    expect(await codeOf(project.open({ cwd: project.path("nowhere") }))).toBe("not-found");
    expect(await codeOf(project.open({ settings: { environment: { A: 1 as never } } }))).toBe(
      "invalid-input",
    );
    expect(programs.ids()).toEqual([]);
    expect(await codeOf(project.open({ permissions: { allow: ["Bash("] } }))).toBe("invalid-input");
    expect(await codeOf(project.open({ id: "../up" }))).toBe("invalid-input");
    expect(programs.running()).toEqual([]);
  });

  it("needs no key; a run without one ends with an error that says what to do", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", "");
    vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "");
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const project = await useProject();
    const session = await openAgent({ cwd: project.cwd, home: project.home, model: "claude-opus-4-5" });
    onTestFinished(() => session.close());
    const end = endOf(await run(session));
    expect([end.reason, end.error?.code]).toEqual(["error", "unauthenticated"]);
    expect(end.error?.fix).toContain("ANTHROPIC_API_KEY");
  });

  it("hands variables of the settings to commands, and to nothing else", async () => {
    const project = await useProject({
      settings: {
        environment: { MARK: "from settings", EMPTY: "" },
        permissions: { allow: ["Bash(printenv:*)"] },
      },
      script: [callTool("Bash", { command: "printenv MARK EMPTY" }), say("Seen.")],
    });
    const [shown] = resultsOf(await run(await project.open()));
    expect(shown?.text.trimEnd()).toBe("from settings");
    expect(process.env.MARK).toBeUndefined();
  });

  it("keeps to its word after the instructions have changed", async () => {
    const project = await useProject({ script: [say("One."), say("Two.")] });
    const first = await project.open({ instructions: "Speak Latin." });
    await run(first);
    await first.close();
    await run(await project.open({ resume: true, instructions: "Speak Greek." }));
    const systems = [...project.emulator.requests].map(({ whole }) => JSON.stringify(whole?.system));
    expect(systems[1]).toBe(systems[0]);
    expect(systems[0]).toContain("Speak Latin.");
  });

  it("works through links to its project and its home", async () => {
    const project = await useProject({
      files: { "a.txt": "one\n", "AGENTS.md": "Tabs.\n" },
      settings: { toolResults: { defaultMaxChars: 500 }, permissions: { allow: ["Bash(seq:*)"] } },
      script: inTurn(
        callTool("Read", { file_path: "a.txt" }),
        callTool("Edit", { file_path: "a.txt", old_string: "one", new_string: "two" }),
        callTool("Bash", { command: "seq 1 1000" }),
        (request) =>
          callTool("Read", {
            file_path: /\/\S+tool-results\/\S+?\.txt/.exec(lastResult(request))?.[0] ?? "",
          }),
        say("Done."),
      ),
    });
    const [cwd, home] = [join(project.home, "../to-project"), join(project.home, "../to-home")];
    await Promise.all([symlink(project.cwd, cwd), symlink(project.home, home)]);
    const events = await run(await project.open({ cwd, home }));
    expect(resultsOf(events).map(({ tool, isError }) => [tool, isError])).toEqual([
      ["Read", false],
      ["Edit", false],
      ["Bash", false],
      ["Read", false],
    ]);
    expect(kindsOf(events)).toEqual(["surroundings", "rules"]);
    expect(await project.read("a.txt")).toBe("two\n");
  });

  it("goes on with what it is given where what the session began with is lost", async () => {
    const project = await useProject({ script: [say("One."), say("Two.")] });
    const first = await project.open();
    await run(first);
    await first.close();
    for (const folder of await readdir(join(project.home, "projects")))
      await rm(join(project.home, "projects", folder, "blobs"), { recursive: true });
    const events = await run(await project.open({ resume: true }));
    expect(endOf(events)).toMatchObject({ reason: "done", text: "Two." });
    const [one, two] = [...project.emulator.requests].map(({ whole }) => JSON.stringify(whole?.system));
    expect(two).toBe(one);
  });

  it("says again what keeps it from running", async () => {
    const session = await openSession({
      store: createVirtualStore(),
      notices: () => {
        throw new PalimpsestError("invalid-input", "no notices");
      },
    });
    onTestFinished(() => session.close());
    for (let time = 0; time < 2; time += 1)
      expect(endOf(await run(session))).toMatchObject({ reason: "error", error: { code: "invalid-input" } });
  });

  it("gives the user's skills once, and lets their files be read", async () => {
    const project = await useProject();
    const skill = join(project.home, "skills/greet");
    await writeSkill(skill);
    project.emulator.setScript(
      inTurn(
        [callTool("Skill", { skill: "greet" }), callTool("Read", { file_path: join(skill, "more.md") })],
        say("Hello."),
      ),
    );
    const session = await project.open();
    const events = await run(session);
    expect(kindsOf(events)).toEqual(["surroundings", "skills"]);
    expect(resultsOf(events).map(({ isError }) => isError)).toEqual([false, false]);
    await session.close();
    project.emulator.setScript(inTurn(say("Again.")));
    expect(kindsOf(await run(await project.open({ resume: true })))).toEqual([]);
  });
});

async function writeSkill(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "SKILL.md"),
    "---\nname: greet\ndescription: Greets </attachment> people.\n---\nSay hello.\n",
  );
  await writeFile(join(folder, "more.md"), "More.\n");
}
