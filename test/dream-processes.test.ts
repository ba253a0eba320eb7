import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { recoverDreams } from "../packages/core/src/session/dream/recover-dreams.ts";
import { openMemory } from "../packages/core/src/session/memory/open-memory.ts";
import { must } from "../packages/testing/src/conformance/outcomes.ts";
import { startChild } from "./support/child.ts";
import { cliHome } from "./support/cli.ts";
import { memoryText } from "./support/memory-texts.ts";

const before = ["a.md", "b.md", "c.md", "d.md", "e.md"];
const after = ["a.md", "c.md", "d.md", "e.md"];

/** A project whose memory was put in order, and has a duplicate and a relative date since. */
async function dreamPlace() {
  const { home, store, run } = await cliHome();
  expect((await run(["dream", "--scribe"])).code).toBe(0);
  const memory = await openMemory({ home, cwd: home });
  const said = {
    "a.md": "Port 8123 is the one.",
    "b.md": "Port 8123 is the one.",
    "e.md": "We leave tomorrow.",
  };
  for (const [path, body] of Object.entries({ ...said, "c.md": "Anna.", "d.md": "Berta." }))
    await memory.write(path, memoryText({ body }));
  const lock = join(store.layout.root, "memory", ".consolidate-lock");
  const timeOf = async () => (await stat(lock)).mtimeMs;
  const paths = async () => (await memory.list()).map(({ path }) => path);
  async function start(...args: readonly string[]) {
    const child = startChild("dreamer.mjs", [home, home, ...args]);
    onTestFinished(() => child.kill());
    await child.printed(1);
    const say = async (lines: number) => {
      child.process.stdin?.write("go\n");
      await child.printed(lines);
      return child.lines().at(-1) ?? "";
    };
    return { ...child, say };
  }
  /** Which dreams have made versions of memories. */
  async function groups() {
    const sources = (await memory.history()).map(({ source }) => source);
    return [...new Set(sources.filter((source) => source?.startsWith("dream:")))];
  }
  return { home, store, run, memory, timeOf, paths, start, groups };
}

it("of two processes that dream at the same moment one does, and the other says who", async () => {
  const { run, timeOf, paths, start, groups } = await dreamPlace();
  const time = await timeOf();
  const children = await Promise.all([start(), start()]);
  const said = await Promise.all(children.map((child) => child.say(2)));
  const winner = said.indexOf("dreaming");
  const [one, other] = [children[winner], said[1 - winner]];
  expect(other).toMatch(
    new RegExp(`^skipped Memory is being put in order by process ${one?.pid} on \\S+, since 2\\S+\\.$`),
  );
  const third = await run(["dream", "--scribe"]);
  expect([third.code, third.stdout]).toEqual([1, ""]);
  expect(third.stderr).toMatch(new RegExp(`by process ${one?.pid} on .*Wait until it has ended`, "s"));
  expect([await timeOf(), await paths()]).toEqual([time, before]);
  expect(await one?.say(3)).toBe("completed ");
  expect(await paths()).toEqual(after);
  expect(await groups()).toHaveLength(1);
  expect(JSON.parse((await run(["dream", "review", "--json"])).stdout)).toHaveLength(1);
  expect(await timeOf()).toBeGreaterThan(time);
});

it("commands that are started together change memory once, whoever comes first", async () => {
  const { run, paths, groups } = await dreamPlace();
  const ends = await Promise.all([1, 2, 3].map(() => run(["dream", "--scribe"])));
  const words = ends.map(({ code, stdout, stderr }) => {
    if (code === 1) return /being put in order by process \d+/.test(stderr) ? "held" : stderr;
    return stdout.includes("2 changes applied") ? "applied" : stdout.trim();
  });
  expect(words.filter((word) => word === "applied")).toHaveLength(1);
  const others = new Set(["applied", "held", "Memory is in order: nothing was to be changed."]);
  expect(words.filter((word) => !others.has(word))).toEqual([]);
  expect([await paths(), (await groups()).length]).toEqual([after, 1]);
});

it("a dream killed while it dreams leaves memory and time, and the next one takes over", async () => {
  const { run, timeOf, paths, start } = await dreamPlace();
  const time = await timeOf();
  const child = await start();
  expect(await child.say(2)).toBe("dreaming");
  await child.kill();
  expect([await timeOf(), await paths()]).toEqual([time, before]);
  const planned = await run(["dream", "--scribe", "--dry-run"]);
  expect([planned.code, await timeOf()]).toEqual([0, time]);
  expect((await run(["dream", "--scribe"])).code).toBe(0);
  expect([(await timeOf()) > time, await paths()]).toEqual([true, after]);
});

it("a dream killed between its changes is finished by whoever comes next, and the time is as before", async () => {
  const halves = new Set<string>();
  for (const dieAt of ["0", "1"]) {
    const { store, run, memory, timeOf, paths, start } = await dreamPlace();
    const time = await timeOf();
    const child = await start(dieAt);
    expect(await child.say(2)).toBe("dreaming");
    expect(await child.say(3)).toBe("dreaming");
    await child.kill();
    const isDated = async () => !(await memory.read("e.md")).text.includes("tomorrow");
    halves.add(`${await isDated()} ${(await paths()).length}`);
    expect(await timeOf()).toBe(time);
    expect(must(await recoverDreams(store))).toMatchObject([{ state: "applied" }]);
    expect([await isDated(), await paths(), await timeOf()]).toEqual([true, after, time]);
    const { code, stdout } = await run(["dream", "--scribe"]);
    expect([code, stdout]).toEqual([0, "Memory is in order: nothing was to be changed.\n"]);
    expect(await timeOf()).toBeGreaterThan(time);
  }
  expect([...halves]).toEqual(["false 5", "true 5"]);
});
