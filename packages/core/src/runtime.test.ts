import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRuntime } from "./runtime.ts";

const { clock, ids, processes } = createRuntime();

describe("runtime", () => {
  it("knows its own process and finds it alive, with the same start time", async () => {
    const self = await processes.self();
    expect(self).toMatchObject({ pid: process.pid });
    expect(Object.values(self).every((value) => value !== "unknown" && value !== "")).toBe(true);
    expect(await processes.look(process.pid)).toEqual({ state: "alive", startTime: self.startTime });
    expect(await createRuntime().processes.self()).toEqual(self);
  });

  it("finds a process gone that has ended", async () => {
    const child = spawn("true");
    await once(child, "exit");
    expect(await processes.look(child.pid ?? 0)).toEqual({ state: "gone" });
  });

  it.runIf(process.platform === "linux")("finds a zombie gone: it will never write again", async () => {
    // The shell's child ends, and the program that takes the shell's place never asks for it.
    const parent = spawn("sh", ["-c", "(exit 0) & echo $!; exec sleep 1000"]);
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [line] = await once(parent.stdout, "data");
    const pid = Number(String(line).trim());
    let seen = await processes.look(pid);
    while (seen.state !== "gone") seen = await processes.look(pid);
    expect(seen).toEqual({ state: "gone" });
  });

  it("makes ids that are unique, sort by age and are safe as file names", () => {
    const made = Array.from({ length: 1000 }, () => ids.next("msg"));
    expect(new Set(made).size).toBe(1000);
    expect(made.every((id) => /^msg_[0-9a-z]{26}$/.test(id))).toBe(true);
    const times = made.map((id) => id.slice(4, 14));
    expect(times).toEqual([...times].sort());
  });

  it("ends a sleep when it is aborted, before or during it", async () => {
    await clock.sleep(1e9, AbortSignal.abort());
    const during = new AbortController();
    const sleeping = clock.sleep(1e9, during.signal);
    during.abort();
    await sleeping;
  });
});
