import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRunning, untilGone } from "../../../test/support/processes.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { systemShell } from "./runtime-shell.ts";
import type { ShellOptions } from "./spec/index.ts";

const environment = { PATH: process.env.PATH ?? "" };

interface Run {
  readonly text: () => string;
  /** Resolves once the output holds the words. */
  readonly said: (words: string) => Promise<void>;
  readonly kill: (graceMs?: number) => void;
  readonly ended: ReturnType<typeof systemShell.start>["ended"];
}

function start(program: string, args: readonly string[], options: Partial<ShellOptions> = {}): Run {
  let text = "";
  let onText = () => {};
  const run = systemShell.start(program, args, {
    cwd: "/",
    environment,
    onOutput(bytes) {
      text += Buffer.from(bytes).toString("latin1");
      onText();
    },
    ...options,
  });
  const said = (words: string) =>
    new Promise<void>((resolve) => {
      onText = () => text.includes(words) && resolve();
      onText();
    });
  return { text: () => text, said, kill: run.kill, ended: run.ended };
}

const script = (text: string, options?: Partial<ShellOptions>) => start("sh", ["-c", text], options);

describe("the system's shell", () => {
  it("hands arguments over as they are and gives both streams and the exit code", async () => {
    const streams: string[] = [];
    const run = systemShell.start(
      "sh",
      ["-c", 'printf %s "$1"; printf bad >&2; exit 3', "sh", "a b; $(id)"],
      {
        cwd: "/",
        environment,
        onOutput: (bytes, stream) => streams.push(`${stream} ${Buffer.from(bytes).toString()}`),
      },
    );
    expect(await run.ended).toEqual({ ok: true, value: { exitCode: 3, signal: null } });
    expect(streams.sort()).toEqual(["stderr bad", "stdout a b; $(id)"]);
  });

  it("hands over the environment it is given, and nothing of its own", async () => {
    const run = start("env", [], { environment: { PATH: environment.PATH, ONLY: "this" } });
    await run.ended;
    expect(run.text().trim().split("\n").sort()).toEqual(["ONLY=this", `PATH=${environment.PATH}`]);
  });

  it("says by which signal a program ended", async () => {
    expect(await script("kill -9 $$").ended).toEqual({
      ok: true,
      value: { exitCode: null, signal: "SIGKILL" },
    });
  });

  it.each([
    ["a program that does not exist", "no-such-program-here", [], {}, "not-found"],
    ["a folder that does not exist", "sh", [], { cwd: "/no/such/folder" }, "not-found"],
    ["a folder in the place of a program", "/etc", [], {}, "permission"],
    ["an argument that is too long", "echo", ["x".repeat(5_000_000)], {}, "too-large"],
    ["an argument with a NUL", "echo", ["a\0b"], {}, "io"],
  ] as const)("fails for %s", async (_, program, args, options, code) => {
    const run = start(program, args, options);
    run.kill();
    expect(await run.ended).toMatchObject({ ok: false, error: { code, path: program } });
  });

  it("closes the input of a program that is given none", async () => {
    const run = script("cat; echo end");
    expect(await run.ended).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(run.text()).toBe("end\n");
  });

  it("writes the input, and bears a program that does not read it", async () => {
    const reads = start("cat", [], { input: "déjà vu" });
    await reads.ended;
    expect(Buffer.from(reads.text(), "latin1").toString()).toBe("déjà vu");
    const refuses = script("exec <&-; echo closed", { input: "x".repeat(2_000_000) });
    expect(await refuses.ended).toEqual({ ok: true, value: { exitCode: 0, signal: null } });
    expect(refuses.text()).toBe("closed\n");
  });

  it("ends a program with its children and theirs", async () => {
    const run = script("sh -c 'sh -c \"echo pid \\$\\$; sleep 1000\" & wait' & wait");
    await run.said("\n");
    const [, pid = ""] = run.text().split(" ");
    run.kill();
    expect(await run.ended).toMatchObject({ ok: true, value: { signal: "SIGTERM" } });
    await untilGone(Number(pid));
  });

  it("forces a program that does not listen", async () => {
    const run = script("trap '' TERM; echo deaf; while :; do sleep 0.01; done");
    await run.said("deaf");
    run.kill(20);
    expect(await run.ended).toEqual({ ok: true, value: { exitCode: null, signal: "SIGKILL" } });
  });

  it("forces children that do not listen though their program has ended", async () => {
    const run = script("sh -c \"trap '' TERM; echo pid \\$\\$; while :; do sleep 0.01; done\" & wait");
    await run.said("\n");
    const [, pid = ""] = run.text().split(" ");
    run.kill(20);
    await run.ended;
    await untilGone(Number(pid));
  });

  it("may be killed twice, and afterwards", async () => {
    const run = script("echo up; sleep 1000");
    await run.said("up");
    run.kill();
    run.kill();
    await run.ended;
    expect(() => run.kill()).not.toThrow();
  });

  it("does not wait for a child in the background that keeps the pipe, and lets it live", async () => {
    const folder = await temporaryFolder();
    const run = script("sleep 1000 & echo $! >pid; echo done", { cwd: folder });
    expect(await run.ended).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(run.text()).toBe("done\n");
    const pid = await readFile(join(folder, "pid"), "utf8");
    expect(isRunning(Number(pid))).toBe(true);
    run.kill();
    process.kill(Number(pid), "SIGKILL");
  });

  it("ends though a child in the background never falls silent", async () => {
    const run = script("while :; do echo noise; done & echo done");
    expect(await run.ended).toMatchObject({ ok: true, value: { exitCode: 0 } });
    run.kill();
  });

  it("gives the whole of a flood while its reader is slow, and holds none of it", async () => {
    let bytes = 0;
    let largest = 0;
    const run = systemShell.start("sh", ["-c", "head -c 300000000 /dev/zero"], {
      cwd: "/",
      environment,
      onOutput(piece) {
        bytes += piece.length;
        largest = Math.max(largest, process.memoryUsage().arrayBuffers);
      },
    });
    await run.ended;
    expect(bytes).toBe(300_000_000);
    expect(largest).toBeLessThan(150_000_000);
  });

  it("loses nothing of the end of the output while the program is busy", async () => {
    const run = script("head -c 60000 /dev/zero | tr '\\0' x; echo; echo last >&2");
    await run.said("last");
    const untilMs = performance.now() + 600;
    while (performance.now() < untilMs);
    await run.ended;
    expect(run.text().replace("last\n", "")).toHaveLength(60_001);
  });
});
