import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callTool, fault, say } from "../../packages/testing/src/index.ts";
import { cliEnvironment, mainPath, runCli } from "../support/cli.ts";
import { untilGone } from "../support/processes.ts";
import { type AgentLocation, agentLocation, lastResult, type RunningAgent } from "../support/run-agent.ts";

const half = say("The first half of an answer whose second half never comes.");

const models = { anthropic: "claude-opus-4-5", openai: "openai:gpt-5.6" } as const;

/** The session of an interrupted run goes on, and what it sends is valid. */
async function expectToGoOn({ run, emulator, home, project }: AgentLocation, id: unknown, replies = 1) {
  emulator.setScript(Array.from({ length: replies }, () => say("Now it is whole.")));
  const resumed = await run(["--resume", String(id), "-p", "Go on."]);
  expect(resumed).toEqual({ code: 0, stdout: "Now it is whole.\n", stderr: "" });
  expect(emulator.requests.last?.violations).toEqual([]);
  const shown = await runCli(["sessions", "show", String(id), "--json"], { home, cwd: project });
  expect(JSON.parse(shown.stdout)).toMatchObject({ torn: 0, corrupt: 0 });
}

async function expectInterrupted(running: RunningAgent, id: unknown) {
  const { code, stderr } = await running.ended();
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: `Interrupted. The session is kept.\n  continue: palimpsest run --resume ${id} -p "…"\n`,
  });
  expect(JSON.parse(running.lines.at(-1) ?? "")).toMatchObject({ type: "run-end", reason: "aborted" });
}

describe.each(["anthropic", "openai"] as const)("an interrupted run with %s", (provider) => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends at %s in the middle of an answer",
    async (signal) => {
      const location = await agentLocation({ script: [fault.stall({ afterEvent: 4, answer: half })] });
      const running = location.start(["--model", models[provider], "-p", "Go."]);
      const { id } = await running.event("session");
      await running.event("block-delta");
      running.child.kill(signal);
      await expectInterrupted(running, id);
      await expectToGoOn(location, id);
      expect(JSON.stringify(location.emulator.requests.last?.body)).not.toContain("first half");
    },
  );

  it("ends a command that runs, with its children, and the model hears of it", async () => {
    const command = "sleep 1000 & echo pids $$ $!; wait";
    const location = await agentLocation({ script: [callTool("Bash", { command })] });
    const running = location.start(["--model", models[provider], "--permission-mode", "bypass", "-p", "Go."]);
    const { id } = await running.event("session");
    const { text } = await running.event("tool-progress");
    const pids = String(text).replace("pids ", "").split(" ").map(Number);
    running.child.kill("SIGINT");
    await expectInterrupted(running, id);
    for (const pid of pids) await untilGone(pid);
    await expectToGoOn(location, id);
    expect(lastResult(location.emulator)).toContain("interrupted");
  });

  it("ends while it waits to try again", async () => {
    const location = await agentLocation({ script: [fault.rateLimited({ retryAfterSeconds: 100 })] });
    const running = location.start(["--model", models[provider], "-p", "Go."]);
    const { id } = await running.event("session");
    await running.event("retry-wait");
    running.child.kill("SIGINT");
    await expectInterrupted(running, id);
    await expectToGoOn(location, id);
  });
});

describe("a run that ends early", () => {
  it("ends at once when it is interrupted twice", async () => {
    const location = await agentLocation({ script: [fault.stall({ afterEvent: 4, answer: half })] });
    const hooks = { SessionEnd: [{ hooks: [{ command: ["sleep", "30"] }] }] };
    await writeFile(join(location.home, "settings.json"), JSON.stringify({ hooks }));
    const running = location.start(["-p", "Go."]);
    const { id } = await running.event("session");
    await running.event("block-delta");
    running.child.kill("SIGINT");
    await running.event("run-end");
    const again = setInterval(() => running.child.kill("SIGINT"), 50);
    const { code, stderr } = await running.ended();
    clearInterval(again);
    expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
    await writeFile(join(location.home, "settings.json"), "{}");
    await expectToGoOn(location, id);
  });

  it("ends quietly when nobody reads on, and the session goes on", async () => {
    const deltas = say("many words ".repeat(2_000));
    const location = await agentLocation({ script: [deltas] });
    const running = location.start(["-p", "Go."]);
    const { id } = await running.event("session");
    await running.event("block-delta");
    running.child.stdout?.destroy();
    expect(await running.ended()).toEqual({ code: 0, stderr: "" });
    await expectToGoOn(location, id);
  });

  it("ends with 130 while it waits for its input, and begins nothing", async () => {
    const { home, project, environment } = await agentLocation();
    const env = cliEnvironment({ home, environment });
    const child = spawn(process.execPath, [mainPath, "run"], { cwd: project, env });
    // More than a pipe holds: once it is written, the program is reading.
    await new Promise((resolve) => child.stdin.write("x".repeat(1_000_000), resolve));
    child.kill("SIGINT");
    expect(await once(child, "close")).toEqual([130, null]);
    expect(await readdir(home)).toEqual([]);
  });

  it("goes on without the input of a program that left it open", async () => {
    const { home, project, environment } = await agentLocation({ script: [say("Hello.")] });
    const env = cliEnvironment({ home, environment });
    const child = spawn(process.execPath, [mainPath, "run", "-p", "Hi."], { cwd: project, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
      });
    expect(await once(child, "close")).toEqual([0, null]);
    expect(output).toBe("warning: nothing came on standard input; going on without it.\nHello.\n");
  });

  it("leaves a log that says how it ended", async () => {
    const location = await agentLocation({ script: [fault.stall({ afterEvent: 4, answer: half })] });
    const running = location.start(["-p", "Go."]);
    const { id } = await running.event("session");
    await running.event("block-delta");
    running.child.kill("SIGTERM");
    await running.ended();
    const { stdout } = await runCli(["sessions", "list", "--json"], {
      home: location.home,
      cwd: location.project,
    });
    const [{ project }] = JSON.parse(stdout);
    const log = await readFile(join(location.home, "projects", project, "sessions", `${id}.jsonl`), "utf8");
    expect(log.endsWith("\n")).toBe(true);
    expect(log).toContain('"isAborted":true');
  });
});
