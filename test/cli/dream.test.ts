import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import { callTool, say } from "../../packages/testing/src/index.ts";
import { cliEnvironment, cliHome, mainPath, runCli } from "../support/cli.ts";
import { emulate } from "../support/emulator.ts";
import { memoryText } from "../support/memory-texts.ts";
import { testKey } from "../support/run-agent.ts";

const port = "The server listens on port 8123 in every region.";

async function dreamHome() {
  const { home, store, run } = await cliHome();
  const memory = await openMemory({ home, cwd: home });
  for (const path of ["a.md", "b.md"]) await memory.write(path, memoryText({ body: port }));
  for (const path of ["c.md", "d.md"]) await memory.write(path, memoryText({ body: `All about ${path}.` }));
  const lock = join(store.layout.root, "memory", ".consolidate-lock");
  const paths = async () => (await memory.list()).map(({ path }) => path);
  const dream = (args: readonly string[], environment = {}) => run(["dream", ...args], { environment });
  return { home, memory, lock, paths, dream };
}

const all = ["a.md", "b.md", "c.md", "d.md"];
const wide = (text: string) => text.split("\n").filter((line) => line.length > 80);

describe("dream", () => {
  it("has help with examples that fit into 80 columns for every command", async () => {
    for (const name of ["", "review", "apply", "discard", "undo"]) {
      const { code, stdout, stderr } = await runCli(["help", "dream", ...(name ? [name] : [])]);
      expect({ code, stderr }, name).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/Examples:\n +(# .*\n +)?palimpsest dream/);
      expect(wide(stdout)).toEqual([]);
    }
  });

  it("says so when nobody has dreamt, and when memory is empty", async () => {
    const { run } = await cliHome();
    expect((await run(["dream", "review"])).stdout).toMatch(/^Nobody has dreamt here yet\./);
    expect((await run(["dream", "review", "--json"])).stdout).toBe("[]\n");
    const { code, stdout } = await run(["dream", "--scribe"]);
    expect([code, stdout]).toEqual([0, "Memory is in order: nothing was to be changed.\n"]);
  });

  it("is planned, applied, listed, shown and taken back", async () => {
    const { memory, paths, dream } = await dreamHome();
    const planned = await dream(["--scribe", "--dry-run"]);
    expect(planned).toEqual({
      code: 0,
      stdout: "- b.md\n    a duplicate of a.md\n\n1 change; nothing was written\n",
      stderr: "",
    });
    expect(await paths()).toEqual(all);
    const { code, stdout } = await dream(["--scribe"]);
    const [, id = ""] = /palimpsest dream undo (dream_\w+)/.exec(stdout) ?? [];
    expect([code, id.length > 10, wide(stdout)]).toEqual([0, true, []]);
    expect(await paths()).toEqual(["a.md", "c.md", "d.md"]);
    const listed = await dream(["review"]);
    expect(listed.stdout).toMatch(
      new RegExp(`^DREAM +AGE +CHANGES +STATE\\n${id} +now +1 +applied\\n\\n1 dream\\n$`),
    );
    const [record] = JSON.parse((await dream(["review", "--json"])).stdout);
    expect(record).toMatchObject({ id, state: "applied", changes: 1 });
    expect((await dream(["review", id.slice(0, 12)])).stdout).toContain("a duplicate of a.md");
    expect((await dream(["undo", id])).stdout).toBe(`took back ${id}\n`);
    expect(await paths()).toEqual(all);
    expect((await memory.read("MEMORY.md")).text).toContain("(b.md)");
    expect(await dream(["undo", id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("it is reverted"),
    });
    expect(await dream(["apply", "dream_x"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no dream"),
    });
  });

  it("is by a model where there is a key; what waits is applied or discarded", async () => {
    const { memory, paths, dream } = await dreamHome();
    await memory.confirm("c.md");
    const { emulator } = await emulate({
      script: (request) =>
        JSON.stringify(request.whole?.messages).includes("tool_result")
          ? say("Done.")
          : callTool("Remove", { file_path: "c.md", reason: "stale" }),
    });
    const environment = { ANTHROPIC_BASE_URL: emulator.url, ANTHROPIC_API_KEY: testKey };
    for (const judge of ["discard", "apply"]) {
      const document = JSON.parse((await dream(["--json"], environment)).stdout);
      expect(document).toMatchObject({
        outcome: "completed",
        by: "model",
        state: "review",
        reasons: [{ guard: "confirmed" }],
      });
      expect(Object.keys(document)).toEqual(
        "outcome id by state message changes flags reasons turns".split(" "),
      );
      const shown = await dream(["review", document.id]);
      expect(shown.stdout).toContain("is confirmed by you");
      expect(wide(shown.stdout)).toEqual([]);
      expect(await paths()).toEqual(all);
      expect((await dream([judge, document.id])).code).toBe(0);
    }
    expect(await paths()).toEqual(["a.md", "b.md", "d.md"]);
  });

  it("is by the scribe where there is no key, and says so; not where a model was named", async () => {
    const { paths, dream } = await dreamHome();
    const keyless = await dream([]);
    expect(keyless).toMatchObject({ code: 0, stderr: expect.stringContaining("The scribe dreams instead") });
    expect(await paths()).toHaveLength(3);
    expect(await dream(["--model", "claude-opus-4-5"])).toMatchObject({ code: 1, stdout: "" });
  });

  it("is taken back as by memory revert: what was changed since stays, and the same place is kept and named", async () => {
    for (const command of [
      ["dream", "undo"],
      ["memory", "revert", "--dream"],
    ]) {
      const { home, memory, paths } = await dreamHome();
      const run = (args: readonly string[]) => runCli(args, { home });
      await memory.write("e.md", memoryText({ body: "We leave tomorrow.\n\nAnna drives." }));
      await memory.write("f.md", memoryText({ body: "They leave tomorrow." }));
      const { stdout } = await run(["dream", "--scribe"]);
      const [, id = ""] = /dream undo (dream_\w+)/.exec(stdout) ?? [];
      const edit = async (path: string, from: string | RegExp, to: string) => {
        const { text } = await memory.read(path);
        expect(text).toMatch(from);
        await memory.write(path, text.replace(from, to));
      };
      await edit("e.md", "Anna drives.", "Berta drives.");
      await edit("f.md", /They leave on \S+/, "They stay.");
      const { code, stderr } = await run([...command, id]);
      expect([code, await paths()], command.join(" ")).toEqual([1, [...all, "e.md", "f.md"]]);
      expect(stderr).toMatch(/^kept f\.md: [^\n]+\n$/);
      expect((await memory.read("e.md")).text).toContain("We leave tomorrow.\n\nBerta drives.");
      expect((await memory.read("f.md")).text).toContain("They stay.");
    }
  });

  it("is refused where it is switched off", async () => {
    const { dream } = await dreamHome();
    const off = await dream(["--scribe"], { PALIMPSEST_FLAG_DREAM: "off" });
    expect(off).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("switched off") });
  });
});

/** A model that never answers, and the process that waits for it. */
async function startHanging(home: string) {
  let asked: () => void = () => {};
  const waiting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const { emulator } = await emulate({
    script: () => {
      asked();
      return new Promise<never>(() => undefined);
    },
  });
  const environment = { ANTHROPIC_BASE_URL: emulator.url, ANTHROPIC_API_KEY: testKey };
  const env = cliEnvironment({ home, environment });
  const child = spawn(process.execPath, [mainPath, "dream"], {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const closed = once(child, "close");
  await waiting;
  return { child, closed };
}

describe("a dream in a process", () => {
  it("keeps others from dreaming, and is free at once when it is killed", async () => {
    const { home, paths, lock, dream } = await dreamHome();
    expect((await dream(["--scribe"])).code).toBe(0);
    const before = (await stat(lock)).mtimeMs;
    const { child, closed } = await startHanging(home);
    const second = await dream(["--scribe"]);
    expect(second).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("being put in order by process"),
    });
    child.kill("SIGKILL");
    await closed;
    expect((await stat(lock)).mtimeMs).toBe(before);
    expect(await paths()).toHaveLength(3);
    expect((await dream(["--scribe"])).code).toBe(0);
  });

  it("that is interrupted leaves memory and time as before, with exit code 130", async () => {
    const { home, paths, lock, dream } = await dreamHome();
    const { child, closed } = await startHanging(home);
    const before = (await stat(lock)).mtimeMs;
    child.kill("SIGINT");
    const [code] = await closed;
    expect(code).toBe(130);
    expect([(await stat(lock)).mtimeMs, await paths()]).toEqual([before, all]);
    expect((await dream(["review", "--json"])).stdout).toBe("[]\n");
    expect((await dream(["--scribe"])).code).toBe(0);
  });
});

it("palimpsest run, which ends with its answer, begins no dream, though all gates are open", async () => {
  const { home, store, add, run } = await cliHome();
  const memory = await openMemory({ home, cwd: home });
  for (const path of all) await memory.write(path, memoryText({ body: `All about ${path}.` }));
  for (const id of ["s1", "s2", "s3", "s4", "s5"]) await add(id, []);
  const { emulator } = await emulate();
  const environment = { ANTHROPIC_BASE_URL: emulator.url, ANTHROPIC_API_KEY: testKey };
  expect(await run(["run", "-p", "Say hello."], { environment })).toMatchObject({ code: 0 });
  expect(JSON.stringify([...emulator.requests].map(({ whole }) => whole))).not.toContain("sessions_search");
  const sessions = (await readdir(store.layout.sessions)).filter((name) => name.startsWith("dream_"));
  expect(sessions).toEqual([]);
  await expect(stat(join(store.layout.root, "memory", ".consolidate-lock"))).rejects.toThrow("ENOENT");
});
