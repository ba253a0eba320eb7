import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { callTool, otherwise, say } from "../../packages/testing/src/index.ts";
import { runCli } from "../support/cli.ts";
import { emulate } from "../support/emulator.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { ctrl, openChat } from "./open-chat.ts";

const child = fileURLToPath(new URL("../children/chat.mjs", import.meta.url));

describe("a session of the terminal agent", () => {
  it("goes on where it was, and its first request is read from the cache", async () => {
    const first = await openChat({ script: [say("First answer."), say("Second answer.")] });
    await first.say("first words", /First answer\./);
    const { fullness, session } = first.chat.state;
    first.terminal.type(ctrl("d"));
    const id = await first.ended;
    const { home, project, emulator } = first;
    const second = await openChat({ home, project, emulator, first: { id: id ?? "" } });
    expect(await second.terminal.screen()).toMatch(/> first words[\s\S]*First answer\./);
    expect(second.chat.state.session).toEqual(session);
    expect(second.chat.state.fullness).toEqual(fullness);
    await second.say("second words", /Second answer\./);
    const [before, after] = [...emulator.requests].map(({ usage }) => usage);
    const written = (before?.cache_creation_input_tokens ?? 0) + (before?.cache_read_input_tokens ?? 0);
    expect(written).toBeGreaterThan(1_000);
    expect(after?.cache_read_input_tokens).toBe(written);
    expect(second.chat.state.cost.cacheShare).toBeGreaterThan(0.9);
  });

  it("knows what it has cost, agents and compactions counted, when it is opened again", async () => {
    const agent = callTool("Agent", { description: "a part", prompt: "Do a part.", agent: "fork" });
    const first = await openChat({ script: [agent, otherwise(say("Done."))] });
    await first.say("go", /Done\./);
    const { dollars } = first.chat.state.cost;
    first.terminal.type(ctrl("d"));
    const id = await first.ended;
    const { home, project, emulator } = first;
    const second = await openChat({ home, project, emulator, first: { id: id ?? "" } });
    expect([...emulator.requests]).toHaveLength(3);
    expect(second.chat.state.cost.dollars).toBeCloseTo(dollars, 6);
    expect(dollars).toBeGreaterThan(0);
  });

  it.each(["in the middle of an answer", "while a tool waits to be allowed", "right after an answer"])(
    "loses nothing when the terminal is killed %s",
    async (when) => {
      const { emulator } = await emulate();
      const [home, project] = [await temporaryFolder(), await temporaryFolder()];
      const running = spawn(process.execPath, [child, home, project, emulator.url, when], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(() => void running.kill("SIGKILL"));
      await once(running.stdout, "data");
      running.kill("SIGKILL");
      await once(running, "close");
      const listed = await runCli(["sessions", "list", "--json"], { home, cwd: project });
      const [{ id: session }] = JSON.parse(listed.stdout);
      const {
        chat,
        terminal,
        say: line,
      } = await openChat({
        home,
        project,
        emulator,
        first: { id: session },
      });
      const prompts = chat.state.parts.flatMap((part) => (part.kind === "prompt" ? [part.text] : []));
      expect(prompts[0]).toBe("hello, who are you?");
      await line("hello again", /Hello!/);
      expect([...emulator.requests].every(({ outcome }) => outcome !== "refused")).toBe(true);
      expect(await terminal.all()).toContain("hello, who are you?");
    },
  );
});
