import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import type { InspectedEntry, WhatIf } from "../../packages/palimpsest/src/surfaces/inspector/inspected.ts";
import { cliEnvironment, cliHome, mainPath } from "../support/cli.ts";
import { answers, says, text, used } from "./support/drafts.ts";

describe("palimpsest inspect, as a process", () => {
  it("prints its address on a line, answers there, replays in a thread and ends when interrupted", async () => {
    const home = await cliHome();
    await home.add("one", [says("hello"), answers("r1", [text("hi")], { usage: used(0, 700) })]);
    const child = spawn(process.execPath, [mainPath, "inspect"], {
      cwd: home.home,
      env: cliEnvironment({ home: home.home }),
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "close");
    let url = "";
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith("http://")) url = line;
      if (/Ctrl\+C ends it/.test(line)) break;
    }
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
    const entries = (await (await fetch(`${url}api/sessions`)).json()) as InspectedEntry[];
    expect(entries.map(({ id }) => id)).toEqual(["one"]);
    const whatIf = (await (await fetch(`${url}api/sessions/one/what-if?policy=engine`)).json()) as WhatIf;
    expect(whatIf).toMatchObject({ policy: "engine", breaks: [], fetches: 0 });
    expect(whatIf.tokens).toHaveLength(1);
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(130);
  });
});
