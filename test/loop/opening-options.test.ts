import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Session } from "../../packages/core/src/spec/index.ts";
import { openAgent } from "../../packages/palimpsest/src/loop/agent/open-agent.ts";
import { openSession, type SessionOptions } from "../../packages/palimpsest/src/loop/open-session.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

async function places() {
  const folder = await temporaryFolder();
  const [home, cwd] = [join(folder, "home"), join(folder, "work")];
  for (const path of [home, cwd]) await mkdir(path);
  return { home, cwd };
}

const guard = () => undefined;

describe("hooks in a wrong form", () => {
  it.each<[unknown, string, string]>([
    [{ PreToolUse: guard }, "hooks.PreToolUse", "expected a list of functions, got a function."],
    [{ PreToolUse: { hooks: [] } }, "hooks.PreToolUse", "expected a list of functions, got an object."],
    [{ Stop: [guard, { command: ["a"] }] }, "hooks.Stop[1]", "expected a function, got an object."],
    [{ PreTooUse: [guard] }, "hooks.PreTooUse", "there is no such hook."],
    [[guard], "hooks", "expected an object with lists of functions by the hook's name, got a list."],
  ])("are refused when a session is opened: %j", async (hooks, path, problem) => {
    const options = { store: createVirtualStore(), clock: createVirtualClock(), hooks } as SessionOptions;
    await expect(openSession(options)).rejects.toMatchObject({
      code: "invalid-input",
      path,
      message: `${path}: ${problem}`,
      fix: expect.stringMatching(/PreToolUse/),
    });
  });

  it("are refused in a settings file with the file and the setting", async () => {
    const { home, cwd } = await places();
    const file = join(home, "settings.json");
    await writeFile(file, JSON.stringify({ hooks: { PreToolUse: { hooks: [{ command: ["./a.sh"] }] } } }));
    await expect(openSession({ home, cwd })).rejects.toMatchObject({
      code: "invalid-input",
      path: file,
      message: expect.stringContaining("hooks.PreToolUse: expected a list, got an object; put it in [ ]"),
    });
  });
});

describe("the clock that a session is opened with", () => {
  async function entryTimes(session: Session): Promise<readonly string[]> {
    const times: string[] = [];
    for await (const { at } of session.entries()) times.push(at);
    return times;
  }

  it.each([
    ["openSession", openSession],
    ["openAgent", openAgent],
  ])("dates the entries of its log: %s", async (_, open) => {
    const { home, cwd } = await places();
    const clock = createVirtualClock({ startMs: Date.UTC(2031, 4, 6) });
    const session = await open({ home, cwd, clock, id: "one" });
    await session.add({ role: "user", content: "Hello." });
    expect(new Set(await entryTimes(session))).toEqual(new Set(["2031-05-06T00:00:00.000Z"]));
    await session.close();
  });
});
