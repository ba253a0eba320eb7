import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemShell } from "../../packages/core/src/runtime-shell.ts";
import type { AgentTree } from "../../packages/palimpsest/src/loop/agents/index.ts";
import { createWorktrees } from "../../packages/palimpsest/src/loop/agents/worktree.ts";
import {
  callTool,
  createVirtualClock,
  fault,
  type RecordedRequest,
  say,
} from "../../packages/testing/src/index.ts";
import { endOf } from "../support/agent.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { noticesOf, useProject as openProject, type Project, resultsOf, run } from "./agent-project.ts";
import { lastOf } from "./fork-support.ts";

const isAgent = ({ whole }: RecordedRequest) =>
  JSON.stringify(whole?.system ?? "").includes("begun by another");
const call = (input: object) => callTool("Agent", { description: "a part", prompt: "Go on.", ...input });

const reviewer = (more = "") =>
  `---\nname: reviewer\ndescription: Looks for mistakes.\ntools: Read, Grep\n${more}---\nYou look for mistakes.\n`;

const toolsOf = ({ whole }: RecordedRequest) =>
  ((whole?.tools ?? []) as readonly { readonly name: string }[]).map(({ name }) => name);

async function openWithTree(project: Project, options = {}) {
  let tree: AgentTree | undefined;
  const session = await project.open({
    onAgents: (agents) => {
      tree = agents;
    },
    ...options,
  });
  return { session, tree: tree as unknown as AgentTree };
}

describe("a defined agent", () => {
  it("is named in the tool's description, has the tools of its file, and the project's rules", async () => {
    const project = await openProject({
      files: {
        ".palimpsest/agents/reviewer.md": reviewer(),
        ".palimpsest/agents/broken.md": "no front matter",
        "AGENTS.md": "Speak French.",
      },
      script: (request) => {
        if (isAgent(request)) return say("C'est bon.");
        return lastOf(request).includes("Do it.") ? call({ agent: "reviewer" }) : say("Well.");
      },
    });
    const { session } = await openWithTree(project);
    const events = await run(session);
    expect(endOf(events).text).toBe("Well.");
    expect(resultsOf(events)).toEqual([
      { tool: "Agent", isError: false, text: expect.stringContaining("C'est bon.") },
    ]);
    const [asked] = project.emulator.requests.where(isAgent);
    expect(toolsOf(asked as RecordedRequest)).toEqual(["Read", "Grep"]);
    expect(JSON.stringify(asked?.whole)).toContain("You look for mistakes.");
    expect(JSON.stringify(asked?.whole?.messages)).toContain("Speak French.");
    expect(JSON.stringify(project.emulator.requests.last?.whole?.tools)).toContain(
      "- reviewer: Looks for mistakes.",
    );
    expect(project.warnings).toEqual([expect.stringContaining("broken.md has no front matter.")]);
  });

  it("of a project that nobody trusts asks the session's model, and an event says so", async () => {
    const project = await openProject({
      files: { ".palimpsest/agents/reviewer.md": reviewer("model: gpt-5.6-mini\n") },
      script: (request) => {
        if (isAgent(request)) return say("Found none.");
        return lastOf(request).includes("Do it.") ? call({ agent: "reviewer" }) : say("Well.");
      },
    });
    const { session } = await openWithTree(project);
    await run(session);
    const [asked] = project.emulator.requests.where(isAgent);
    expect(asked?.body?.model).toBe(project.emulator.requests.last?.body?.model);
    expect(
      project.events.flatMap((event) => (event.type === "setting-ignored" ? [event.message] : [])),
    ).toEqual([
      `${project.path(".palimpsest/agents/reviewer.md")}: model: ignored until you trust this version of the file; read it, then run “palimpsest config trust”.`,
    ]);
  });

  it("of a project that nobody trusts leaves the user's with its name in place", async () => {
    const project = await openProject({
      files: { ".palimpsest/agents/reviewer.md": reviewer() },
      script: (request) =>
        isAgent(request)
          ? say("Mine.")
          : lastOf(request).includes("Do it.")
            ? call({ agent: "reviewer" })
            : say("Well."),
    });
    await mkdir(join(project.home, "agents"));
    await writeFile(
      join(project.home, "agents/reviewer.md"),
      reviewer().replace("Looks for mistakes.", "Looks on."),
    );
    const { session } = await openWithTree(project);
    await run(session);
    expect(JSON.stringify(project.emulator.requests.last?.whole?.tools)).not.toContain("Looks for mistakes.");
    expect(project.events).toContainEqual(
      expect.objectContaining({
        type: "setting-ignored",
        message: expect.stringContaining("not used in place of your agent of that name"),
      }),
    );
  });

  it.each([
    ["anthropic", "claude-haiku-4-5", "claude-haiku-4-5"],
    ["anthropic", "anthropic:claude-haiku-4-5", "claude-haiku-4-5"],
    ["openai", "gpt-5.6-mini", "gpt-5.6-mini"],
  ] as const)(
    "asks its own model at the session's address, with its key: %s, %s",
    async (provider, model, asked) => {
      const project = await openProject({
        provider,
        files: { ".palimpsest/agents/reviewer.md": reviewer(`model: ${model}\n`) },
        script: (request) => {
          if (isAgent(request)) return say("Found none.");
          return lastOf(request).includes("Do it.") ? call({ agent: "reviewer" }) : say("Well.");
        },
      });
      await project.trustAgents();
      const { session } = await openWithTree(project);
      const events = await run(session);
      expect(resultsOf(events)).toMatchObject([
        { isError: false, text: expect.stringContaining("Found none.") },
      ]);
      expect(project.emulator.requests.where(isAgent).map(({ body }) => body?.model)).toEqual([asked]);
    },
  );

  it("of the project takes the place of the user's with its name", async () => {
    const project = await openProject({
      files: { ".palimpsest/agents/reviewer.md": reviewer() },
      script: (request) =>
        isAgent(request)
          ? say("Mine.")
          : lastOf(request).includes("Do it.")
            ? call({ agent: "reviewer" })
            : say("Well."),
    });
    await mkdir(join(project.home, "agents"));
    await writeFile(
      join(project.home, "agents/reviewer.md"),
      reviewer().replace("mistakes.\n", "elsewhere.\n"),
    );
    await writeFile(join(project.home, "agents/other.md"), "---\ndescription: Another.\n---\nBe another.");
    await project.trustAgents();
    const { session } = await openWithTree(project);
    await run(session);
    expect(JSON.stringify(project.emulator.requests.where(isAgent)[0]?.whole?.system)).toContain(
      "You look for mistakes.",
    );
    expect(JSON.stringify(project.emulator.requests.last?.whole?.tools)).toContain("- other: Another.");
  });
});

const memoryText =
  "---\nname: doors\ndescription: which doors are open\ntype: reference\n---\nThe red one.\n";

describe("the memory of an agent", () => {
  it.each([
    ["user", (project: Project) => join(project.home, "agent-memory/reviewer")],
    ["project", (project: Project) => project.path(".palimpsest/agent-memory/reviewer")],
    ["local", (project: Project) => project.path(".palimpsest/agent-memory-local/reviewer")],
  ] as const)("of the scope “%s” is written by it, and attached the next time", async (scope, folderOf) => {
    const project = await openProject({
      files: { ".palimpsest/agents/reviewer.md": reviewer(`memory: ${scope}\n`) },
      script: (request) => {
        if (!isAgent(request))
          return lastOf(request).includes("Do it.") ? call({ agent: "reviewer" }) : say("Well.");
        const isFirst = !JSON.stringify(request.whole).includes("which doors are open");
        return isFirst
          ? callTool("memory", { command: "create", path: "/memories/doors.md", file_text: memoryText })
          : say("I know.");
      },
    });
    execFileSync("git", ["init", "-q"], { cwd: project.cwd });
    await project.trustAgents();
    const { session } = await openWithTree(project);
    await run(session);
    const folder = folderOf(project);
    expect(await readFile(join(folder, "doors.md"), "utf8")).toContain("The red one.");
    expect(await readdir(folder)).toContain("MEMORY.md");
    await run(session);
    const again = project.emulator.requests.where(isAgent).at(-1) as RecordedRequest;
    expect(toolsOf(again)).toEqual(["Read", "Grep", "memory"]);
    expect(JSON.stringify(again.whole?.messages)).toContain("doors.md");
    const seen = execFileSync("git", ["status", "--porcelain", "-uall"], {
      cwd: project.cwd,
      encoding: "utf8",
    });
    expect(seen.split("\n").filter((line) => line.includes("agent-memory"))).toEqual(
      scope === "project"
        ? ["?? .palimpsest/agent-memory/reviewer/MEMORY.md", "?? .palimpsest/agent-memory/reviewer/doors.md"]
        : [],
    );
  });
});

describe("the memory folder of a project that came with a repository", () => {
  it("is not opened where it is a link, and nothing is written where that leads", async () => {
    const outside = await temporaryFolder();
    const project = await openProject({
      files: { ".palimpsest/agents/reviewer.md": reviewer("memory: project\n") },
      script: (request) => (lastOf(request).includes("Do it.") ? call({ agent: "reviewer" }) : say("Well.")),
    });
    await symlink(outside, project.path(".palimpsest/agent-memory"));
    const { session } = await openWithTree(project);
    const [result] = resultsOf(await run(session));
    expect(result).toMatchObject({ tool: "Agent", isError: true });
    expect(result?.text).toContain("is a symbolic link, and links are not followed here");
    expect(await readdir(outside)).toEqual([]);
  });
});

describe("an agent in a worktree", () => {
  async function repository(file: string | null) {
    const project = await openProject({
      files: { "a.txt": "one\n" },
      script: (request) => {
        if (!isAgent(request))
          return lastOf(request).includes("Do it.") ? call({ isolation: "worktree" }) : say("Well.");
        if (file === null || lastOf(request).includes("tool_result")) return say("Finished.");
        const folder = /Working folder: ([^\\]+)/.exec(JSON.stringify(request.whole))?.[1] ?? "";
        return callTool("Write", { file_path: join(folder, file), content: "two\n" });
      },
    });
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
        cwd: project.cwd,
        encoding: "utf8",
      });
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "one");
    const { session, tree } = await openWithTree(project);
    const events = await run(session);
    return { project, git, tree, events };
  }

  it("leaves nothing behind where it has changed nothing", async () => {
    const { git, tree } = await repository(null);
    expect(tree.statuses()).toMatchObject([{ state: "done" }]);
    expect(tree.statuses()[0]?.worktree).toBe(undefined);
    expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
  });

  it("keeps what it has changed, and says where", async () => {
    const { project, git, tree, events } = await repository("b.txt");
    const worktree = tree.statuses()[0]?.worktree as string;
    expect(await readFile(join(worktree, "b.txt"), "utf8")).toBe("two\n");
    expect(project.has("b.txt")).toBe(false);
    expect(resultsOf(events)[0]?.text).toContain(worktree);
    expect(git("worktree", "list").trim().split("\n")).toHaveLength(2);
  });

  it("does not begin in plan mode, which changes nothing", async () => {
    const project = await openProject({
      files: { "a.txt": "one\n" },
      script: (request) =>
        lastOf(request).includes("Do it.") ? call({ isolation: "worktree" }) : say("Well."),
    });
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
        cwd: project.cwd,
        encoding: "utf8",
      });
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "one");
    const { session } = await openWithTree(project);
    expect(resultsOf(await run(session, "Do it.", { mode: "plan" }))).toEqual([
      { tool: "Agent", isError: true, text: expect.stringMatching(/^Plan mode: .*Leave isolation out/) },
    ]);
    expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
  });

  it("does not begin where there is no repository", async () => {
    const project = await openProject({
      script: (request) =>
        lastOf(request).includes("Do it.") ? call({ isolation: "worktree" }) : say("Well."),
    });
    const { session } = await openWithTree(project);
    expect(resultsOf(await run(session))).toEqual([
      { tool: "Agent", isError: true, text: expect.stringContaining("is in no git repository") },
    ]);
  });
});

describe("a worktree that cannot be made", () => {
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd,
      encoding: "utf8",
    });

  it("because nothing was committed is a failure that says so", async () => {
    const project = await openProject({
      script: (request) =>
        lastOf(request).includes("Do it.") ? call({ isolation: "worktree" }) : say("Well."),
    });
    git(project.cwd, "init", "-q");
    const { session } = await openWithTree(project);
    expect(resultsOf(await run(session))).toEqual([
      {
        tool: "Agent",
        isError: true,
        text: expect.stringMatching(/without a commit.*Commit something first, or leave isolation out\./),
      },
    ]);
  });

  it("because git is not there, or fails, is a failure that says so", async () => {
    const folder = await temporaryFolder();
    const worktreesWith = (environment: Readonly<Record<string, string>>) =>
      createWorktrees({
        shell: systemShell,
        clock: createVirtualClock(),
        environment,
        folder: join(folder, "worktrees"),
      });
    const without = await worktreesWith({ PATH: join(folder, "empty") })(folder, "agent_1");
    expect(!without.ok && [without.error.message, without.error.fix]).toEqual([
      expect.stringContaining("git cannot be run"),
      "Install git, or leave isolation out.",
    ]);
    git(folder, "init", "-q");
    git(folder, "commit", "-q", "--allow-empty", "-m", "one");
    await writeFile(join(folder, "worktrees"), "a file in the way");
    const environment = { PATH: process.env.PATH ?? "" };
    const failing = await worktreesWith(environment)(folder, "agent_1");
    expect(!failing.ok && failing.error.message).toContain("git worktree failed");
  });
});

describe("a worktree", () => {
  it("is worked in at the folder that the session is in, and may have another one made from it", async () => {
    const folders: string[] = [];
    const project = await openProject({
      files: { "packages/a/one.txt": "one\n" },
      script: (request) => {
        const last = lastOf(request);
        if (!isAgent(request)) return last.includes("Do it.") ? outer : say("Well.");
        const folder = /Working folder: ([^\\]+)/.exec(JSON.stringify(request.whole))?.[1] ?? "";
        if (!folders.includes(folder)) folders.push(folder);
        if (last.includes("tool_result")) return say("Finished.");
        return last.includes("Outer.")
          ? call({ prompt: "Inner.", isolation: "worktree" })
          : callTool("Write", { file_path: join(folder, "two.txt"), content: "two\n" });
      },
    });
    const outer = call({ prompt: "Outer.", isolation: "worktree" });
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
        cwd: project.cwd,
        encoding: "utf8",
      });
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "one");
    const { session, tree } = await openWithTree(project, { cwd: project.path("packages/a") });
    await run(session, "Do it.", { mode: "bypass" });
    expect(folders.map((folder) => folder.endsWith("packages/a"))).toEqual([true, true]);
    const [first, second] = tree.statuses();
    expect([first?.depth, first?.worktree, second?.depth]).toEqual([1, undefined, 2]);
    expect(await readFile(join(second?.worktree as string, "packages/a/two.txt"), "utf8")).toBe("two\n");
    expect(project.has("packages/a/two.txt")).toBe(false);
    expect(git("worktree", "list").trim().split("\n")).toHaveLength(2);
  });
});

describe("what a person has allowed by an answer", () => {
  it("is allowed to agents that begin afterwards, and to theirs", async () => {
    const touch = (name: string) => callTool("Bash", { command: `touch ${name}` });
    const project = await openProject({
      script: (request) => {
        const last = lastOf(request);
        if (!isAgent(request)) {
          if (last.includes("Do it.")) return touch("a");
          return project.has("c") ? say("Well.") : call({ prompt: "Outer." });
        }
        if (last.includes("Outer.")) return touch("b");
        if (last.includes("Inner.")) return touch("c");
        return project.has("b") && !project.has("c") ? call({ prompt: "Inner." }) : say("Done.");
      },
    });
    const { session } = await openWithTree(project);
    const asked: string[] = [];
    await run(session, "Do it.", {
      onPermission: async ({ tool }) => {
        asked.push(tool);
        return {
          behavior: "allow",
          rules: { allow: ["Agent", "Bash(touch a)", "Bash(touch b)", "Bash(touch c)"] },
        };
      },
    });
    expect(["a", "b", "c"].map(project.has)).toEqual([true, true, true]);
    expect(asked).toEqual(["Bash"]);
  });
});

describe("an agent whose work is more than its window", () => {
  it("is compacted by the same engine, in its own log, and goes on to its end", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `part-${index}.txt`);
    let read = 0;
    const project = await openProject({
      files: Object.fromEntries(
        names.map((name) => [name, `${name}: a line of the ledger, and no other\n`.repeat(250)]),
      ),
      script: (request) => {
        const last = lastOf(request);
        if (!isAgent(request)) return last.includes("Do it.") ? call({}) : say("Well.");
        if (last.includes("Answer with text alone."))
          return say(`<summary>It reads ${names.length} parts.</summary>`);
        const name = names[read];
        read += 1;
        return name === undefined
          ? say("All was read.")
          : callTool("Read", { file_path: project.path(name) });
      },
    });
    const { session, tree } = await openWithTree(project, {
      settings: { autoCompactWindow: 70_000, sessionNotesEnabled: false, microcompactEnabled: false },
    });
    const events = await run(session);
    expect(resultsOf(events)[0]?.text).toContain("All was read.");
    const own = tree.statuses()[0]?.session;
    const compacted = project.events.flatMap((event) =>
      event.type === "decision-record" && event.decision === "compact" ? [event.session] : [],
    );
    expect(new Set(compacted)).toEqual(new Set([own]));
    const asked = project.emulator.requests.where(isAgent);
    expect(Math.max(...asked.map(({ promptTokens = 0 }) => promptTokens))).toBeLessThan(70_000);
    expect(asked.filter(({ status, violations }) => status !== 200 || violations.length > 0)).toEqual([]);
  });
});

describe("hooks", () => {
  it("see the beginning and the end of an agent, and no prompt of a user's in it", async () => {
    const seen: unknown[] = [];
    const see = (name: string) => (input: unknown) => {
      const { session, directive, text, prompt } = input as Readonly<Record<string, string>>;
      seen.push([name, session?.split("/").length, directive ?? text ?? prompt]);
    };
    const names = [
      "SessionStart",
      "UserPromptSubmit",
      "SubagentStart",
      "SubagentStop",
      "Stop",
      "SessionEnd",
    ] as const;
    const project = await openProject({
      script: (request) =>
        isAgent(request) ? say("Mine.") : lastOf(request).includes("Do it.") ? call({}) : say("Well."),
    });
    const hooks = Object.fromEntries(names.map((name) => [name, [see(name)]])) as never;
    const { session } = await openWithTree(project, { hooks });
    await run(session);
    await session.close();
    expect(seen).toEqual([
      ["SessionStart", 1, undefined],
      ["UserPromptSubmit", 1, "Do it."],
      ["SubagentStart", 2, "Go on."],
      ["SubagentStop", 2, "Mine."],
      ["Stop", 1, "Well."],
      ["SessionEnd", 1, undefined],
    ]);
  });
});

describe("an agent in the background", () => {
  it("works while the session goes on; TaskOutput says how far it is, and a notice brings its answer", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let id = "";
    const project = await openProject({
      script: async (request) => {
        if (isAgent(request)) {
          await released;
          return say("Found it.");
        }
        const last = lastOf(request);
        if (last.includes("Do it.")) return call({ background: true });
        if (last.includes("works in the background")) {
          id = /agent (agent_\w+)/.exec(last)?.[1] ?? "";
          return callTool("TaskOutput", { task_id: id });
        }
        return say(last.includes("Found it.") ? "I have heard." : "Meanwhile.");
      },
    });
    const { session, tree } = await openWithTree(project);
    const first = await run(session);
    expect(endOf(first).text).toBe("Meanwhile.");
    expect(resultsOf(first)[1]?.text).toContain("still runs");
    release();
    await tree.tasks()[0]?.ended;
    const second = await run(session, "And now?");
    expect(endOf(second).text).toBe("I have heard.");
    expect(noticesOf(second).filter(({ subtype }) => subtype === "agent")).toEqual([
      { subtype: "agent", text: expect.stringContaining("Found it.") },
    ]);
    expect(noticesOf(await run(session, "Again?")).filter(({ subtype }) => subtype === "agent")).toEqual([]);
  });

  it("is ended by TaskStop, and by the end of the session", async () => {
    const clock = createVirtualClock();
    const project = await openProject({
      script: (request) => {
        if (isAgent(request)) return fault.stall();
        const last = lastOf(request);
        if (last.includes("Do it."))
          return [call({ background: true }), call({ background: true, agent: "fork" })];
        const id = /agent (agent_\w+)/.exec(last)?.[1];
        return id ? callTool("TaskStop", { task_id: id }) : say("Well.");
      },
    });
    const { session, tree } = await openWithTree(project, { clock });
    const events = await run(session, "Do it.", { mode: "bypass" });
    expect(resultsOf(events).at(-1)?.text).toContain("stopped");
    await session.close();
    expect(tree.statuses().map(({ state }) => state === "running")).toEqual([false, false]);
  });
});
