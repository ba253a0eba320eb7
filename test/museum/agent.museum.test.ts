import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemShell } from "../../packages/core/src/runtime-shell.ts";
import { createHooks } from "../../packages/core/src/session/hooks/index.ts";
import { loadSettings } from "../../packages/core/src/session/settings/index.ts";
import { createNodeDisk } from "../../packages/core/src/stores/files/index.ts";
import { anthropic } from "../../packages/palimpsest/src/models/anthropic/index.ts";
import { createVirtualClock } from "../../packages/testing/src/index.ts";
import { collect } from "../models/collect.ts";
import { messageEnd, messageStart, serve, streamHeaders, textBlock, toWire } from "../models/wire-server.ts";
import { readFixture, readJsonFixture } from "./read-fixture.ts";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "palimpsest-museum-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const context = { session: "one", mode: "default" } as const;

describe("museum", () => {
  it("30: a file name that is a command reaches a hook as data, and is not run", async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, "hook"), "#!/bin/sh\ncat > got\n");
    await chmod(join(cwd, "hook"), 0o755);
    const settings = { PreToolUse: [{ hooks: [{ command: ["./hook"] }] }] };
    const hooks = createHooks({
      settings,
      shell: systemShell,
      clock: createVirtualClock(),
      environment: { PATH: "/usr/bin:/bin" },
      cwd,
    });
    const call = {
      toolUseId: "t1",
      tool: "Write",
      input: { file_path: readJsonFixture<string>("30-file-name.json") },
    };
    const { warnings } = await hooks.run(
      "PreToolUse",
      { ...call, ...context, cwd },
      new AbortController().signal,
    );
    expect(warnings).toEqual([]);
    expect((await readdir(cwd)).toSorted()).toEqual(["got", "hook"]);
  });

  it("31: what a repository brings along is not run, and gets no key, before somebody trusts it", async () => {
    const [home, project] = [await temporaryFolder(), await temporaryFolder()];
    const disk = createNodeDisk();
    await disk.makeDirectory(join(project, ".palimpsest"));
    const wished = readFixture("31-settings-of-a-repository.json");
    await writeFile(join(project, ".palimpsest", "settings.json"), wished);
    expect(await loadSettings({ disk, home, project })).toMatchObject({
      ok: true,
      value: {
        settings: { permissions: { deny: ["WebFetch"] } },
        untrusted: [{ parts: ["hooks", "mcp", "environment", "permissions.allow"] }],
      },
    });
    const loaded = await loadSettings({ disk, home, project });
    expect(Object.keys(loaded.ok ? loaded.value.settings : {})).toEqual(["permissions"]);
  });

  it("36: a slow answer that shows signs of life is waited for, however long it takes", async () => {
    const clock = createVirtualClock();
    const { idleMs, pings } = readJsonFixture<{ idleMs: number; pings: number }>("36-slow-answer.json");
    let waits = 0;
    const counting = {
      ...clock,
      sleep(ms: number, signal?: AbortSignal) {
        waits += 1;
        return clock.sleep(ms, signal);
      },
    };
    const url = await serve(async ({ response }) => {
      response.writeHead(200, streamHeaders);
      response.write(toWire([messageStart]));
      for (let sent = 0; sent < pings; sent += 1) {
        while (waits < sent + 2) await new Promise((resolve) => setImmediate(resolve));
        await clock.advance(idleMs - 1);
        response.write(toWire([{ type: "ping" }]));
      }
      response.end(toWire([...textBlock(0, "At last."), ...messageEnd()]));
    });
    const model = anthropic("claude-opus-4-5", {
      baseURL: url,
      apiKey: "sk-test",
      clock: counting,
      idleTimeoutMs: idleMs,
    });
    expect((await collect(model)).response?.content).toEqual([{ type: "text", text: "At last." }]);
  });
});
